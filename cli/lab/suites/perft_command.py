"""`boomslang perft`: counts move paths, checks suites, finds the wrong move of another engine."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import chess

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_option,
    board_of,
    with_arguments,
)
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import quote_path
from boomslang.engine.errors import refuse_errors
from boomslang.engine.other_engines.engine_settings import COMMAND, EngineSettings
from boomslang.engine.settings import setting, whole

if TYPE_CHECKING:
    from boomslang.perft.suite import Check, SuiteEntry
    from boomslang.perft.walk import PerftDifference

RIGHT, WRONG = 0, 1
_SHOWN_WRONG = 30
_MAX_THREADS = 1024
_MAX_HASH = 1 << 20
_MAX_NODES = 100_000  # of a position, for another engine

T = TypeVar("T")

_DESCRIPTION = (
    "Count the legal move paths of a given length, the standard test of a move generator."
)
_EXAMPLES = """\
examples:
  boomslang perft 6
  boomslang perft 5 --divide --fen "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
  boomslang perft 8 --threads 4 --hash 1024
  boomslang perft --suite --max-nodes 5000000
  boomslang perft --suite my.epd
  boomslang perft --against "python my_engine.py"
  boomslang perft 5 --fen "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" --against stockfish

The exit status is 0 if all counts are right, 1 after a wrong count, 2 after a usage error.
"""


@dataclass(frozen=True, kw_only=True)
class OpponentSettings(EngineSettings):
    """The engine whose counts are compared."""

    engine: str | None = setting(
        COMMAND,
        "walk to the move that 'go perft' of this UCI engine lacks or has too many; without a depth, from"
        " the positions of a suite",
        "ENGINE",
        flag="--against",
    )


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang perft", _DESCRIPTION, _EXAMPLES)
    parser.option("depth N", whole(1, 31), "depth in plies", nargs="?")
    position = parser.add_mutually_exclusive_group()
    add_option(position, "--fen F", str, "position, in quotes (the start position)")
    position.add_argument("--startpos", action="store_true", help="start position (the default)")
    parser.flag("--chess960", "castling rights of the FEN read as Chess960")
    parser.flag("--divide", "count below each root move")
    parser.option("--threads T", whole(1, _MAX_THREADS), "number of threads", 1)
    parser.option(
        "--hash MB", whole(0, _MAX_HASH), "hash table of transpositions in MiB; 0: none", 0
    )
    parser.option(
        "--suite FILE",
        str,
        "check of all counts in files of 'FEN ;D1 n ;D2 n' lines (built-in suite)",
        nargs="*",
    )
    parser.option(
        "--max-nodes N",
        whole(1, 1 << 62),
        f"largest count to check with --suite (no limit; {_MAX_NODES:,} with --against)",
    )
    add_settings(parser, OpponentSettings, "engine")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    _check_together(arguments)
    try:
        if "engine" in arguments:
            return _against(arguments)
        if arguments.suite is not None:
            return _suite(arguments)
        return _count(arguments)
    except MemoryError:
        if not arguments.hash:
            raise
        raise UsageError("not enough memory for the hash table; use a smaller --hash") from None


def _check_together(arguments: argparse.Namespace) -> None:
    """Raise UsageError for arguments that would have no effect."""
    suite, against = arguments.suite is not None, "engine" in arguments
    if suite:
        without = {
            "a depth": arguments.depth,
            "--fen": arguments.fen,
            "--startpos": arguments.startpos,
            "--chess960": arguments.chess960,
            "--divide": arguments.divide,
            "--hash": arguments.hash and not against,
        }
        for name, given in without.items():
            if given:
                raise UsageError(f"{name} has no effect with --suite; leave it out")
    if arguments.max_nodes is not None and (arguments.depth or (not suite and not against)):
        raise UsageError("--max-nodes needs --suite")


def _board(arguments: argparse.Namespace) -> chess.Board:
    fen = chess.STARTING_FEN if arguments.fen is None else arguments.fen
    return board_of(fen, arguments.chess960)


def _count(arguments: argparse.Namespace) -> int:
    from boomslang.perft.divide import PerftCounter, divide_lines

    if arguments.depth is None:
        raise UsageError("no depth given; for example: boomslang perft 5")
    board = _board(arguments)
    _load()
    counter = PerftCounter(arguments.hash, arguments.threads)
    start = time.perf_counter()
    if arguments.divide:
        pairs = _interruptible(lambda: counter.divide(board, arguments.depth))
        nodes = sum(number for _, number in pairs)
    else:
        pairs = []
        nodes = _interruptible(lambda: counter.count(board, arguments.depth))
    seconds = time.perf_counter() - start
    say(*(divide_lines(pairs) if arguments.divide else [f"Nodes searched: {nodes}"]))
    say(f"Time: {seconds:.3f} s, {_millions(nodes / max(seconds, 1e-9))}")
    return RIGHT


def _planned(arguments: argparse.Namespace, max_nodes: int | None) -> list[tuple[SuiteEntry, int]]:
    """The counts of the files, or of the built-in suite, with at most that many nodes."""
    from boomslang.core.system.files import FileError
    from boomslang.perft.suite import STANDARD, SuiteError, plan, read_suite

    work = []
    for path in [Path(name) for name in arguments.suite or ()] or [STANDARD]:
        try:
            work += plan(read_suite(path), max_nodes)
        except (FileError, SuiteError) as error:
            raise UsageError(str(error)) from None
    if not work:
        raise UsageError("no counts to check")
    return work


def _suite(arguments: argparse.Namespace) -> int:
    from boomslang.perft.suite import run_suite

    work = _planned(arguments, arguments.max_nodes)
    _load()
    expected = sum(entry.counts[depth] for entry, depth in work)
    start = time.perf_counter()
    # The bar counts nodes, as the few large counts take nearly all of the time.
    with progress("Counting", expected) as advance:

        def show(check: Check) -> None:
            advance(check.expected)

        checks = _interruptible(lambda: run_suite(work, arguments.threads, show))
    return _report(checks, time.perf_counter() - start)


def _report(checks: Sequence[Check], seconds: float) -> int:
    console = Console()
    wrong = [check for check in checks if not check.right]
    if wrong:
        headings = "Place", "Position", "Depth", "Expected", "Found", "Difference"
        table = figure_table(*headings, title="Wrong counts", words=2, overflow="fold")
        for check in wrong[:_SHOWN_WRONG]:
            table.add_row(
                Path(check.entry.place).name,
                check.entry.fen,
                str(check.depth),
                str(check.expected),
                str(check.found),
                f"{check.found - check.expected:+d}",
            )
        console.print(table)
        if len(wrong) > _SHOWN_WRONG:
            say(f"... and {len(wrong) - _SHOWN_WRONG} more")
    nodes = sum(check.found for check in checks)
    positions = len({check.entry.place for check in checks})
    say(
        f"{len(checks)} counts of {positions} positions, {len(wrong)} wrong. "
        f"{nodes} nodes in {seconds:.1f} s, {_millions(nodes / max(seconds, 1e-9))}"
    )
    return WRONG if wrong else RIGHT


def _against(arguments: argparse.Namespace) -> int:
    import chess.engine

    from boomslang.engine.other_engines.engine_connection import EngineProcessError
    from boomslang.engine.other_engines.engine_runner import probe_engine
    from boomslang.perft.divide import PerftCounter
    from boomslang.perft.walk import PerftWalker

    if arguments.divide:
        raise UsageError("--divide has no effect with --against; leave it out")
    if arguments.depth is not None:
        work = [(_board(arguments), arguments.depth)]
    elif arguments.fen is not None or arguments.startpos or arguments.chess960:
        raise UsageError(
            "no depth given; for example: boomslang perft 5 --fen F --against stockfish"
        )
    else:
        planned = _planned(arguments, arguments.max_nodes or _MAX_NODES)
        deepest = {entry.place: (entry.board(), depth) for entry, depth in planned}
        work = list(deepest.values())
    opponent = read_settings(OpponentSettings, arguments)
    command = opponent.command()
    assert command and opponent.engine  # noqa: S101 - it is given
    engine = replace(command, is_uci=True)
    with refuse_errors(EngineProcessError):
        probe_engine(engine)
    _load()
    left_out = 0

    def walk() -> PerftDifference | None:
        nonlocal left_out
        walker = PerftWalker(engine, PerftCounter(arguments.hash, arguments.threads))
        with progress("Counting", len(work)) as advance:
            for board, depth in work:
                if len(work) > 1 and not walker.knows(board):
                    left_out += 1
                elif difference := walker.compare(board, depth):
                    return difference
                advance(1)
        return None

    with refuse_errors(
        chess.engine.EngineError, TimeoutError, about=f"{quote_path(engine.words[0])}: "
    ):
        difference = _interruptible(walk)
    if difference:
        say(*_difference_lines(difference, quote_path(opponent.engine)))
        return WRONG
    count = len(work) - left_out
    say(f"The counts of {count} {'position' if count == 1 else 'positions'} agree.")
    if left_out:
        say(f"{left_out} of Chess960 are left out: the engine has no option UCI_Chess960.")
    return RIGHT


def _difference_lines(found: PerftDifference, name: str) -> Iterator[str]:
    from boomslang.perft.walk import describe

    board = found.board
    if board.move_stack:
        yield f"From {board.root().fen(shredder=board.chess960, en_passant='fen')}"
        yield f"after {' '.join(move.uci() for move in board.move_stack)}"
    yield f"Wrong: {board.fen(shredder=board.chess960, en_passant='fen')}"
    yield f"at depth {found.depth} has {found.ours} move paths, not {found.theirs} as for {name}"
    for heading, moves in (("missing", found.missing), ("too many", found.surplus)):
        yield from (f"{heading}: {describe(board, move)}" for move in moves)
    if found.below:
        yield f"miscounted: {found.below}, though the counts after it are right"
    elif not (found.missing or found.surplus):
        yield "It lists no moves, or its total is not their sum, so the wrong one is not known."


def _millions(nodes_per_second: float) -> str:
    return f"{nodes_per_second / 1e6:.1f} M nodes/s"


def _interruptible(work: Callable[[], T]) -> T:
    """Call `work` on another thread, so that Ctrl-C need not wait for a kernel."""
    from boomslang.core.system.threads import in_threads

    return in_threads(lambda job: job(), [work])[0]


def _load() -> None:
    from boomslang.perft import divide  # noqa: F401 - defines the kernels

    load_kernels()
