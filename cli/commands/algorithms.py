"""`boomslang algorithms`: one position searched by everything from minimax to the engine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import chess
from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    board_of,
    check_drawing,
    drawing,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import progress
from boomslang.engine.textbook.chess_game import MATE, MATE_IN_MAX

if TYPE_CHECKING:
    from boomslang.engine.lessons.algorithms import AlgorithmRun

AGREED, DIFFERENT = 0, 1
_ALGORITHMS: Final = (
    "minimax",
    "negamax",
    "alphabeta",
    "ordering",
    "quiescence",
    "table",
    "engine",
    "mcts",
)
_DEEPEST: Final = 20
_DESCRIPTION: Final = """\
Search one chess position with each algorithm, and compare what they find and what it costs.

  minimax      every line, to the depth and no further
  negamax      the same, written with one case instead of two
  alphabeta    without the lines that cannot matter
  ordering     the promising moves first: captures, killers, history
  quiescence   check extension, and captures at the horizon until the position is quiet
  table        iterative deepening with a transposition table
  engine       the search that plays
  mcts         Monte Carlo tree search, which has no depth
"""
_EXAMPLES: Final = """\
examples:
  boomslang algorithms --depth 4
  boomslang algorithms --algorithms alphabeta,ordering,table --depth 6
  boomslang algorithms --fen "8/8/8/8/3k4/8/3P4/3K4 w - - 0 1" --plot nodes.svg

The exit status is 1 if algorithms that must agree do not.
"""


_REMARK: Final = (  # one line, to be broken where the terminal ends
    "Down to move ordering all search to the same depth for the same value, with ever fewer positions. "
    "Quiescence search goes on beyond the depth until the captures are over: a better value, for more "
    "positions where there is much to capture. The transposition table's number includes all smaller "
    "depths, which it needs."
)


def _chosen(text: str) -> list[str]:
    """An argument like alphabeta,table."""
    chosen = [name for name in text.replace(" ", ",").split(",") if name]
    for name in chosen:
        if name not in _ALGORITHMS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(_ALGORITHMS)}")
    if not chosen:
        raise argparse.ArgumentTypeError("no algorithm is named")
    return [name for name in _ALGORITHMS if name in chosen]


def _parser() -> Parser:
    parser = Parser("boomslang algorithms", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("--fen", metavar="F", default=chess.STARTING_FEN, help="the position")
    parser.add_argument(
        "--depth",
        type=whole_number(1, _DEEPEST),
        default=4,
        metavar="N",
        help="plies to search (4)",
    )
    parser.add_argument(
        "--algorithms",
        type=_chosen,
        default=list(_ALGORITHMS),
        metavar="A,B...",
        help="which to compare (all)",
    )
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="draw nodes by depth into an .svg, .png or .pdf file (needs matplotlib)",
    )
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `algorithms`; return the exit status."""
    return run_command(_parser(), argv, _compare)


def _compare(arguments: argparse.Namespace) -> int:
    board = _board(arguments.fen)
    if arguments.plot:
        check_drawing("--plot", arguments.plot)

    from boomslang.engine import searcher
    from boomslang.engine.lessons.algorithms import AlgorithmBench, depths, disagreements
    from boomslang.perft.threads import in_threads

    runs: list[AlgorithmRun] = []
    with progress("Loading kernels", None) as advance:
        searcher.load()
        bench = AlgorithmBench(board)
        for algorithm in arguments.algorithms:
            for depth in depths(algorithm, arguments.depth):
                advance(title=f"{algorithm}, depth {depth}")
                # On a thread of its own, so that Ctrl-C need not wait for a kernel.
                in_threads(lambda job: runs.append(bench.run(*job)), [(algorithm, depth)])
    console = Console()
    console.print(_table(board, runs, arguments.depth))
    if {"ordering", "quiescence"} <= set(arguments.algorithms):
        console.print(_REMARK)
    differing = disagreements(runs)
    for one, other in differing:
        said = f"{one.algorithm} and {other.algorithm} differ at depth {one.depth}"
        console.print(Text(f"{said}: {one.value} and {other.value}", "red"))
    if arguments.plot:
        _plot(board, runs, arguments.plot)
    return DIFFERENT if differing else AGREED


def _board(fen: str) -> chess.Board:
    """The position to search."""
    board = board_of(fen)
    if not any(board.legal_moves):
        raise UsageError("there is no legal move")
    return board


def _table(board: chess.Board, runs: Sequence[AlgorithmRun], depth: int) -> Table:
    """The runs of the full depth."""
    from boomslang.engine.lessons.algorithms import TITLES

    table = Table(title=f"{board.fen(shredder=board.chess960)}, depth {depth}")
    for heading in ("Algorithm", "Value", "Best move", "Nodes", "Time", "Branching"):
        table.add_column(heading, justify="left" if heading == "Algorithm" else "right")
    for run in runs:
        if run.depth == depth:
            table.add_row(
                TITLES[run.algorithm],
                _value(run.value),
                board.san(run.best) if run.best else "-",
                f"{run.nodes:,}",
                f"{run.seconds:.3f} s",
                "-" if run.algorithm == "mcts" else f"{run.branching:.1f}",
            )
    return table


def _value(value: int) -> str:
    """Pawns for the side to move, or the moves to mate."""
    if abs(value) < MATE_IN_MAX:
        return f"{value / 100:+.2f}"
    moves = (MATE - abs(value) + 1) // 2
    return f"#{moves}" if value > 0 else f"#-{moves}"


def _plot(board: chess.Board, runs: Sequence[AlgorithmRun], path: Path) -> None:
    from boomslang.cli.plots.algorithms import draw

    with drawing("--plot", path):
        draw(runs, board.legal_moves.count(), board.fen(shredder=board.chess960), path)
    say(f"Plot: {path}")
