"""Command words of `boomslang`, and commands of the protocol given as arguments."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.output import complain, say, set_up_streams
from boomslang.engine.core.system.text import quote
from boomslang.engine.errors import CommandError
from boomslang.engine.identity import NAME, VERSION

if TYPE_CHECKING:
    from boomslang.uci.loop import UciLoop

# What may follow the name of the program, and what it does then.
USAGE: Final = (
    ("(no word)", "speak UCI, as a chess GUI wants it, or CECP if it says xboard"),
    ("xboard", "speak CECP, as XBoard and WinBoard want it"),
    ("board ...", "the engine in the browser"),
    ("play ...", "a game in the terminal"),
    (
        "bench [DEPTH]",
        "nodes and speed of a fixed search over fixed positions; or in Stockfish's order:"
        " bench HASH THREADS LIMIT POSITIONS KIND",
    ),
    ("speedtest [THREADS [HASH [SECONDS]]]", "the speed on all processors"),
    ("perft ...", "count move sequences"),
    ("eval ...", "what it thinks of a position, without search"),
    ("suite ...", "solve positions with known best moves"),
    ("puzzles ...", "such positions, out of games"),
    ("algorithms ...", "one position, from minimax to the engine"),
    ("analyse ...", "games, move by move, with a report"),
    ("label ...", "scores for many positions at once"),
    ("profile [DEPTH]", "where the time of a search goes"),
    ("steps ...", "what each step of the search saves"),
    ("visits ...", "visits of tree searches"),
    ("tune ...", "better numbers for the search, by games"),
    ("trial ...", "games with other numbers"),
    ("screening ...", "what each of many changes is worth"),
    ("match ...", "games between engines or versions"),
    ("datagen ...", "its own games, to learn from"),
    ("datainfo ...", "what is in files of such games"),
    ("tune-eval ...", "evaluation weights from such games"),
    ("train ...", "the network, from such games"),
    ("network ...", "what a network has learnt, and from what"),
    ("fit-wdl ...", "chances to win by score, from such games"),
    ("book ...", "opening books: build, show, check"),
    ("doctor ...", "is everything in place?"),
    ("warmup", "compile the kernels ahead of the first game"),
    ("gui NAME", "settings for a chess program"),
    ("where", "print the path to paste into a GUI"),
    ("compiler", "print the versions at work, the processor, the kernels' folder"),
    ("version | help | license", "print that"),
    ("COMMAND ...", "one UCI command, for example: boomslang go depth 10"),
    ('"COMMAND" "COMMAND"', "several of them"),
)
BAD_USAGE: Final = 2
_CLOSED: Final = 141  # nobody reads any more what we write
# Words with a module of their own, whose `main` gets the arguments after the word.
_COMMANDS: Final = {
    "analyse": "boomslang.cli.commands.analyse",
    "board": "boomslang.cli.commands.board",
    "book": "boomslang.cli.commands.book",
    "algorithms": "boomslang.cli.commands.algorithms",
    "datainfo": "boomslang.cli.commands.datainfo",
    "datagen": "boomslang.cli.commands.datagen",
    "doctor": "boomslang.cli.commands.doctor",
    "eval": "boomslang.cli.commands.eval",
    "fit-wdl": "boomslang.cli.commands.fit_wdl",
    "gui": "boomslang.cli.commands.gui",
    "label": "boomslang.cli.commands.label",
    "screening": "boomslang.cli.commands.screening",
    "match": "boomslang.cli.commands.match",
    "puzzles": "boomslang.cli.commands.puzzles",
    "network": "boomslang.cli.commands.network",
    "perft": "boomslang.cli.commands.perft",
    "play": "boomslang.cli.commands.play",
    "profile": "boomslang.cli.commands.profile",
    "suite": "boomslang.cli.commands.suite",
    "train": "boomslang.cli.commands.train",
    "trial": "boomslang.cli.commands.trial",
    "tune": "boomslang.cli.commands.tune",
    "tune-eval": "boomslang.cli.commands.tune_eval",
    "steps": "boomslang.cli.commands.steps",
    "visits": "boomslang.cli.commands.visits",
    "warmup": "boomslang.cli.commands.warmup",
    "where": "boomslang.cli.commands.where",
}
# What words of earlier versions are called now, or what to do instead; gone with the next release.
_FORMER: Final = {
    "compare": "algorithms",
    "data": "datainfo",
    "lottery": "screening",
    "mine": "puzzles",
}
_GONE: Final = {
    "calibrate": "boomslang match . ENGINE --both UCI_LimitStrength=true --one UCI_Elo=1800 ...",
    "exam": "boomslang network NET OTHER.net --positions FILE (of boomslang datagen --sidelines)",
}
_HELP: Final = frozenset({"help", "--help", "-h"})
_WITHOUT_OWN_HELP: Final = frozenset(
    {"bench", "compiler", "help", "license", "speedtest", "version", "xboard"}
)
_VERSION: Final = frozenset({"version", "--version", "-V", "-v"})
_WITHOUT_ARGUMENTS: Final = frozenset({*_HELP, *_VERSION, "--uci", "xboard"})


def run(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    set_up_streams()
    word, *rest = arguments
    asks_for_help = word in _WITHOUT_OWN_HELP and not _HELP.isdisjoint(rest)
    if rest and word in _WITHOUT_ARGUMENTS and not asks_for_help:
        return _refuse(f"unexpected argument {quote(rest[0])}", word)
    if word in _HELP or asks_for_help:
        say(*_usage())
        return 0
    if word in _VERSION:
        say(f"{NAME} {VERSION}")
        return 0
    if new := _FORMER.get(word):
        complain(f"boomslang {word}: this command is called {new} now")
        word = new
    if instead := _GONE.get(word):
        return _refuse(f"this command is gone; instead: {instead}", word)
    if module := _COMMANDS.get(word):
        status: int = import_module(module).main(rest)
        return status
    return _protocol(arguments)


def _refuse(problem: str, word: str = "") -> int:
    """Say what is wrong with a word, or altogether; returns the exit status."""
    complain(f"{f'boomslang {word}'.rstrip()}: {problem}")
    return BAD_USAGE


def _usage() -> Iterator[str]:
    """All words, a line or more for each."""
    from boomslang.cli.terminal.help_text import filled, two_columns, width

    columns = width()
    yield from filled("usage: boomslang [WORD ...]", columns)
    yield ""
    yield from two_columns(USAGE, columns, 2)
    yield ""
    yield from filled("boomslang WORD --help tells more of those with three dots.", columns)


def _unknown(word: str) -> str:
    """What to say to a word that is none, with the one that may be meant."""
    kind = "option" if word.startswith("-") else "command"
    known = [*_COMMANDS, *_WITHOUT_OWN_HELP, "--uci", "--version", "--help"]
    near = get_close_matches(word, known, 1)
    meant = f"; is {near[0]} meant?" if near else ";"
    return f"unknown {kind} {quote(word)}{meant} boomslang help lists all"


def _protocol(arguments: list[str]) -> int:
    """Obey arguments as lines if one of them has blanks, else as the words of one line.

    Nothing is done if one of them is nonsense, and nothing after the first that fails.
    """
    from boomslang.engine.core.system.threads import FAILED, leave, nothing_breaks_down_in_silence
    from boomslang.uci.loop import UciLoop
    from boomslang.uci.output import Output, write_to_pipe

    several = any(" " in argument.strip() for argument in arguments)
    texts = arguments if several else [" ".join(arguments)]
    lines = [text.encode("utf-8", "replace") for text in texts if text.split()]
    output = Output(write_to_pipe, lambda: leave(_CLOSED))
    output.complain = _refuse

    def fail(problem: str) -> None:
        _refuse(f"cannot go on: {problem}")
        leave(FAILED)

    with nothing_breaks_down_in_silence(fail):
        return _obey(lines, UciLoop(output))


def _obey(lines: list[bytes], loop: UciLoop) -> int:
    """Obey lines of UCI; returns the exit status, or ends the process."""
    from boomslang.cli.terminal import argument_checks
    from boomslang.engine.core.system.threads import leave
    from boomslang.uci import parse

    output = loop.output
    try:
        for line in lines or [b""]:
            word = next(iter(parse.words_of(line)), "")
            if not loop.knows(word):
                return _refuse(_unknown(word))
            argument_checks.check(line)
    except CommandError as problem:
        return _refuse(str(problem))
    for line in lines:
        loop.wait_answer()
        if output.errors:
            break
        if b"go" in line.split():
            loop.kernels.wait()  # nobody's clock is running
        if not loop.obey(line):
            break
    else:
        loop.wait_idle()
    loop.leave()
    while not output.drain(1.0):
        pass  # as any command waits for who reads slowly; a closed pipe ends us
    leave(BAD_USAGE if output.errors else 0)
