"""Command words of `boomslang`, and commands of the protocol given as arguments."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

from uci.report import NAME, VERSION, quote

USAGE: Final = """\
usage: boomslang                       speak UCI, as a chess GUI wants it, or CECP if it says xboard
       boomslang xboard                speak CECP, as XBoard and WinBoard want it
       boomslang board ...             the engine in the browser (boomslang board --help)
       boomslang play ...              a game in the terminal (boomslang play --help)
       boomslang bench [DEPTH]         nodes and speed of a fixed search over fixed positions; or in
                                       Stockfish's order: bench HASH THREADS LIMIT POSITIONS KIND
       boomslang speedtest [THREADS [HASH [SECONDS]]]
                                       the speed on all processors
       boomslang perft ...             count move sequences (boomslang perft --help)
       boomslang eval ...              what it thinks of a position, without search (boomslang eval --help)
       boomslang suite ...             solve positions with known best moves (boomslang suite --help)
       boomslang mine ...              such positions, out of games (boomslang mine --help)
       boomslang compare ...           one position, from minimax to the engine (boomslang compare --help)
       boomslang analyse ...           games, move by move, with a report (boomslang analyse --help)
       boomslang label ...             scores for many positions at once (boomslang label --help)
       boomslang profile [DEPTH]       where the time of a search goes
       boomslang steps ...             what each step of the search saves (boomslang steps --help)
       boomslang visits ...            visits of tree searches (boomslang visits --help)
       boomslang tune ...              better numbers for the search, by games (boomslang tune --help)
       boomslang trial ...             games with other numbers (boomslang trial --help)
       boomslang lottery ...           what each of many changes is worth (boomslang lottery --help)
       boomslang match ...             games between engines or versions (boomslang match --help)
       boomslang datagen ...           its own games, to learn from (boomslang datagen --help)
       boomslang data ...              what is in files of such games (boomslang data --help)
       boomslang tune-eval ...         evaluation weights from such games (boomslang tune-eval --help)
       boomslang train ...             the network, from such games (boomslang train --help)
       boomslang network ...           what a network has learnt, and from what (boomslang network --help)
       boomslang exam ...              positions by which networks are told apart (boomslang exam --help)
       boomslang fit-wdl ...           chances to win by score, from such games (boomslang fit-wdl --help)
       boomslang book ...              opening books: build, show, check (boomslang book --help)
       boomslang calibrate ...         how strong UCI_Elo is, by games (boomslang calibrate --help)
       boomslang doctor ...            is everything in place? (boomslang doctor --help)
       boomslang warmup                compile the kernels ahead of the first game
       boomslang gui NAME              settings for a chess program (boomslang gui --help)
       boomslang where                 print the path to paste into a GUI
       boomslang compiler              print the versions at work, the processor, the kernels' folder
       boomslang version | help | license
       boomslang COMMAND ...           one UCI command, for example: boomslang go depth 10
       boomslang "COMMAND" "COMMAND"   several of them\
"""
BAD_USAGE: Final = 2
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
_WITHOUT_ARGUMENTS: Final = frozenset({*_HELP, "--uci", "--version", "-V", "version", "xboard"})


def run(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    word, *rest = arguments
    asks_for_help = word in _WITHOUT_OWN_HELP and not _HELP.isdisjoint(rest)
    if rest and word in _WITHOUT_ARGUMENTS and not asks_for_help:
        return _refuse(f"unexpected argument {quote(rest[0])}", word)
    if word in _HELP or asks_for_help:
        print(USAGE)
        return 0
    if word in ("version", "--version", "-V"):
        print(NAME, VERSION)
        return 0
    if module := _COMMANDS.get(word):
        status: int = import_module(module).main(rest)
        return status
    return _protocol(arguments)


def _refuse(problem: str, word: str = "") -> int:
    """Say what is wrong with a word, or altogether; returns the exit status."""
    print(f"{f'boomslang {word}'.rstrip()}: {problem}", file=sys.stderr, flush=True)
    return BAD_USAGE


def _protocol(arguments: list[str]) -> int:
    """Obey arguments as lines if one of them has blanks, else as the words of one line.

    Nothing is done if one of them is nonsense, and nothing after the first that fails.
    """
    from cli import strict
    from uci import parse
    from uci.loop import Loop
    from uci.output import Output, write_to_pipe
    from uci.threads import leave

    several = any(" " in argument.strip() for argument in arguments)
    texts = arguments if several else [" ".join(arguments)]
    lines = [text.encode("utf-8", "replace") for text in texts if text.split()]
    output = Output(write_to_pipe, lambda: leave(0))
    output.complain = _refuse
    loop = Loop(output)
    try:
        for line in lines or [b""]:
            word = next(iter(parse.words_of(line)), "")
            if not loop.knows(word):
                return _refuse(f"unknown command {quote(word)}; boomslang help lists all")
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
    leave(BAD_USAGE if output.errors else 0)
