"""Command words of `boomslang`, and commands of the protocol given as arguments."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Final

from cli.terminal import complain, open_door, say
from uci.report import NAME, VERSION, quote

if TYPE_CHECKING:
    from uci.loop import Loop

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
    ("mine ...", "such positions, out of games"),
    ("compare ...", "one position, from minimax to the engine"),
    ("analyse ...", "games, move by move, with a report"),
    ("label ...", "scores for many positions at once"),
    ("profile [DEPTH]", "where the time of a search goes"),
    ("steps ...", "what each step of the search saves"),
    ("visits ...", "visits of tree searches"),
    ("tune ...", "better numbers for the search, by games"),
    ("trial ...", "games with other numbers"),
    ("lottery ...", "what each of many changes is worth"),
    ("match ...", "games between engines or versions"),
    ("datagen ...", "its own games, to learn from"),
    ("data ...", "what is in files of such games"),
    ("tune-eval ...", "evaluation weights from such games"),
    ("train ...", "the network, from such games"),
    ("network ...", "what a network has learnt, and from what"),
    ("exam ...", "positions by which networks are told apart"),
    ("fit-wdl ...", "chances to win by score, from such games"),
    ("book ...", "opening books: build, show, check"),
    ("calibrate ...", "how strong UCI_Elo is, by games"),
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
    "analyse": "cli.commands.analyse",
    "board": "cli.commands.board",
    "book": "cli.commands.book",
    "calibrate": "cli.commands.calibrate",
    "compare": "cli.commands.compare",
    "data": "cli.commands.data",
    "datagen": "cli.commands.datagen",
    "doctor": "cli.commands.doctor",
    "eval": "cli.commands.eval",
    "exam": "cli.commands.exam",
    "fit-wdl": "cli.commands.fit_wdl",
    "gui": "cli.commands.gui",
    "label": "cli.commands.label",
    "lottery": "cli.commands.lottery",
    "match": "cli.commands.match",
    "mine": "cli.commands.mine",
    "network": "cli.commands.network",
    "perft": "cli.commands.perft",
    "play": "cli.commands.play",
    "profile": "cli.commands.profile",
    "suite": "cli.commands.suite",
    "train": "cli.commands.train",
    "trial": "cli.commands.trial",
    "tune": "cli.commands.tune",
    "tune-eval": "cli.commands.tune_eval",
    "steps": "cli.commands.steps",
    "visits": "cli.commands.visits",
    "warmup": "cli.commands.warmup",
    "where": "cli.commands.where",
}
_HELP: Final = frozenset({"help", "--help", "-h"})
_WITHOUT_OWN_HELP: Final = frozenset(
    {"bench", "compiler", "help", "license", "speedtest", "version", "xboard"}
)
_VERSION: Final = frozenset({"version", "--version", "-V", "-v"})
_WITHOUT_ARGUMENTS: Final = frozenset({*_HELP, *_VERSION, "--uci", "xboard"})


def run(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    open_door()
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
    from cli.help_text import filled, two_columns, width

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
    from uci.loop import Loop
    from uci.output import Output, write_to_pipe
    from uci.threads import FAILED, leave, nothing_breaks_down_in_silence

    several = any(" " in argument.strip() for argument in arguments)
    texts = arguments if several else [" ".join(arguments)]
    lines = [text.encode("utf-8", "replace") for text in texts if text.split()]
    output = Output(write_to_pipe, lambda: leave(_CLOSED))
    output.complain = _refuse

    def fail(problem: str) -> None:
        _refuse(f"cannot go on: {problem}")
        leave(FAILED)

    with nothing_breaks_down_in_silence(fail):
        return _obey(lines, Loop(output))


def _obey(lines: list[bytes], loop: Loop) -> int:
    """Obey lines of UCI; returns the exit status, or ends the process."""
    from cli import strict
    from uci import parse
    from uci.threads import leave

    output = loop.output
    try:
        for line in lines or [b""]:
            word = next(iter(parse.words_of(line)), "")
            if not loop.knows(word):
                return _refuse(_unknown(word))
            strict.check(line)
    except parse.Refused as problem:
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
