"""Dispatch of the command line: the commands of `boomslang`, and UCI commands given as arguments."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.output import complain, say, set_up_streams
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import quote, suggest
from boomslang.engine.errors import CommandError

if TYPE_CHECKING:
    from boomslang.uci.loop import UciLoop

# The commands by heading, as `boomslang help` lists them: arguments, a noun phrase, and of those that have
# one the module, whose `main` gets the arguments after the command.
# fmt: off
USAGE: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "Play": (
        ("[--log FILE]",
         "UCI engine for a chess GUI (CECP after xboard); "
         "--log: both directions of the protocol, for bug reports"),
        ("xboard [--log FILE]", "CECP engine for XBoard and WinBoard"),
        ("board ...", "board in the web browser", "play.board.command"),
        ("play ...", "game in the terminal", "play.command"),
        ("lichess ...", "engine for the analysis board of lichess.org", "play.lichess.command"),
        ("mcp ...", "tools for language models (Model Context Protocol)", "mcp.command"),
        ("gui NAME ...", "settings for a chess GUI or bot", "play.gui.command"),
        ("where", "path of the engine, to paste into a GUI", "doctor.where_command"),
        ("warmup", "kernel compilation before the first game", "doctor.warmup_command"),
        ("doctor ...", "checks of the installation", "doctor.doctor_command"),
    ),
    "Analyse and train yourself": (
        ("analyse ...", "annotated games, with accuracy and mistakes", "analysis.analyse_command"),
        ("summary ...", "openings, phases and mistakes of a player", "analysis.summary.command"),
        ("exercises ...", "a player's mistakes, solved until they are right", "analysis.exercises.command"),
        ("endgames ...", "endings by kind, against the best defence", "analysis.endgames.command"),
        ("eval ...", "static evaluation of a position, term by term", "analysis.eval_command"),
        ("puzzles ...", "tactics from games, as a test suite", "lab.suites.puzzles_command"),
        ("algorithms ...", "one position, searched by each algorithm", "lab.comparisons.algorithms_command"),
    ),
    "Books and positions": (
        ("book ...", "Polyglot opening books: build, show, check", "lab.books.command"),
        ("games ...", "games of PGN files as a table", "lab.games_command"),
        ("find ...", "games in which a position fits a pattern", "lab.find_command"),
        ("label ...", "scores of many positions", "lab.labels.command"),
    ),
    "Measure": (
        ("bench [DEPTH]",
         "nodes and speed of a fixed search of fixed positions; or "
         "with the arguments of Stockfish: bench HASH THREADS LIMIT POSITIONS KIND"),
        ("perft ...", "move path counts, and an engine's wrong move", "lab.suites.perft_command"),
        ("suite ...", "test suites of positions with known best moves", "lab.suites.suite_command"),
        ("match ...", "Elo between two engines or versions", "lab.match.command"),
        ("steps ...", "node counts with each search technique", "lab.comparisons.steps_command"),
        ("visits ...", "alpha-beta node counts and a published table", "lab.comparisons.visits_command"),
    ),
    "Develop the engine": (
        ("datagen ...", "self-play games as training data", "lab.selfplay.datagen_command"),
        ("datainfo ...", "statistics of files of training data", "lab.selfplay.datainfo_command"),
        ("train ...", "network trained on such games", "lab.training.train_command"),
        ("people ...", "model of people's moves, trained on their games", "lab.people.command"),
        ("network ...", "origin, contents, error and mean of networks", "lab.training.network_command"),
        ("fit-wdl ...", "win, draw and loss model from such games", "lab.training.fit_wdl_command"),
        ("tune ...", "search parameters tuned by SPSA", "lab.selfplay.tune_command"),
        ("trial ...", "Elo of a changed parameter or evaluation", "lab.selfplay.trial_command"),
    ),
    "General": (
        ("version | help | license", "version, list of commands, licence"),
        ("completion SHELL",
         "completion of commands and options in bash, "
         "zsh or fish; needs the package shtab", "doctor.completion_command"),
        ("compiler", "versions, processor and kernel cache"),
        ("COMMAND ...", "UCI command, such as: boomslang go depth 10"),
        ('"COMMAND" "COMMAND" ...', "several UCI commands"),
    ),
}
# fmt: on
BAD_USAGE: Final = 2
_CLOSED: Final = 141  # exit status after a closed pipe
# The modules of commands by their words.
COMMANDS: Final = {
    terms.split()[0]: f"boomslang.cli.{module[0]}"
    for rows in USAGE.values()
    for terms, _, *module in rows
    if module
}
_HELP: Final = frozenset({"help", "--help", "-h"})
# What the arguments of commands without a module mean.
_ARGUMENTS: Final = {
    "bench": (
        ("DEPTH, HASH, THREADS", "plies (default: 13), megabytes (16), number (1)"),
        ("LIMIT", "of each position, in the unit of KIND (default: 13 plies)"),
        ("POSITIONS", "default, current (the start position), or a FILE of FEN or EPD"),
        ("KIND", "depth, nodes, movetime (milliseconds), perft or eval (default: depth)"),
    ),
    "xboard": (("--log FILE", "both directions of the protocol, for bug reports"),),
}
_WITHOUT_OWN_HELP: Final = frozenset({"bench", "compiler", "help", "license", "version", "xboard"})
_VERSION: Final = frozenset({"version", "--version", "-V", "-v"})
_WITHOUT_ARGUMENTS: Final = frozenset({*_HELP, *_VERSION, "--uci", "xboard"})


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit status."""
    set_up_streams()
    word, *rest = arguments
    asks_for_help = word in _WITHOUT_OWN_HELP and not _HELP.isdisjoint(rest)
    if rest and word in _WITHOUT_ARGUMENTS and not asks_for_help:
        return refuse(f"unexpected argument {quote(rest[0])}", word)
    if word in _HELP or asks_for_help:
        _print_help("" if word in _HELP else word)
        return 0
    if word in _VERSION:
        say(f"{NAME} {VERSION}")
        return 0
    if module := COMMANDS.get(word):
        status: int = import_module(module).main(rest)
        return status
    return _protocol(arguments)


def refuse(problem: str, word: str = "") -> int:
    """Report an error of a command, or of the command line; returns the exit status."""
    complain(f"{f'boomslang {word}'.rstrip()}: {problem}")
    return BAD_USAGE


def _print_help(word: str) -> None:
    from boomslang.cli.terminal.arguments import Parser

    groups = USAGE if not word else {"arguments": _ARGUMENTS.get(word, ())}
    usage, text, end = (
        "[COMMAND ...]",
        "",
        "boomslang COMMAND --help shows the options of a command.",
    )
    for terms, meaning, *_ in (
        row for rows in USAGE.values() for row in rows if word in row[0].split()
    ):
        usage, text, end = terms, f"{meaning[0].upper()}{meaning[1:]}.", ""
    parser = Parser("boomslang", text, end, usage=f"boomslang {usage}", add_help=False)
    for heading, rows in groups.items():
        group = parser.add_argument_group(heading)
        for term, meaning, *_ in rows:
            group.add_argument(term, help=meaning)
    parser.print_help()


def _describe_unknown(word: str, protocol: Iterable[str]) -> str:
    kind = "option" if word.startswith("-") else "command"
    names = [*COMMANDS, *_WITHOUT_OWN_HELP, "--uci", "--version", "--help", *protocol]
    return f"unknown {kind} {quote(word)}{suggest(word, names) or '; see boomslang help'}"


def _protocol(arguments: list[str]) -> int:
    """Run the arguments as UCI lines if one of them contains blanks, else as the words of one line.

    Nothing runs if one of the lines is invalid, and nothing after the first that fails.
    """
    from boomslang.core.system.shutdown import leave, status
    from boomslang.core.system.threads import FAILED, reporting_failures
    from boomslang.engine.driver.loading import LOADING, KernelLoader
    from boomslang.uci.loop import UciLoop, build_for_protocol
    from boomslang.uci.output import Output, write_to_pipe

    several = any(" " in argument.strip() for argument in arguments)
    texts = arguments if several else [" ".join(arguments)]
    lines = [text.encode("utf-8", "replace") for text in texts if text.split()]
    output = Output(write_to_pipe, lambda: leave(status(_CLOSED)))
    output.complain = refuse

    def fail(problem: str) -> None:
        refuse(f"cannot go on: {problem}")
        leave(FAILED)

    def tell(text: str) -> None:
        if not text.startswith(LOADING):
            complain(text)

    with reporting_failures(fail):
        return _obey(
            lines, UciLoop(output, KernelLoader(tell, build_for_protocol, has_clock=False))
        )


def _obey(lines: list[bytes], loop: UciLoop) -> int:
    from boomslang.cli.terminal import argument_checks
    from boomslang.core.system.shutdown import leave
    from boomslang.uci import parse
    from boomslang.uci.about import HELP

    output = loop.output
    try:
        for line in lines or [b""]:
            word = next(iter(parse.words_of(line)), "")
            if word not in loop.commands:
                return refuse(_describe_unknown(word, loop.commands))
            if parse.words_of(line)[1:] in (["--help"], ["-h"]):
                say(*HELP.splitlines())
                return 0
            argument_checks.check(line)
    except CommandError as problem:
        return refuse(str(problem))
    for line in lines:
        loop.wait_answer()
        if output.errors:
            break
        if b"go" in line.split():
            loop.kernels.wait()  # no clock is running
        if not loop.execute(line):
            break
    else:
        loop.wait_idle()
    loop.leave()
    while not output.drain(1.0):
        pass  # a slow reader is waited for, as by any command; a closed pipe ends the process
    leave(BAD_USAGE if output.errors else 0)
