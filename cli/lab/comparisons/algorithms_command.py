"""`boomslang algorithms`: one position searched by each algorithm, from minimax to the engine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import chess
from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    board_of,
    some_of,
    with_arguments,
)
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.settings import whole
from boomslang.engine.textbook.chess_game import MATE, MATE_IN_MAX

if TYPE_CHECKING:
    from boomslang.engine.comparisons.algorithms import AlgorithmRun

AGREED, DIFFERENT = 0, 1
_ALGORITHMS: Final = (
    *("minimax", "negamax", "alphabeta", "ordering", "quiescence", "table", "engine", "mcts"),
)
_MAX_DEPTH: Final = 20
_DESCRIPTION: Final = """\
Search one position with each algorithm, and compare values, moves and node counts.

  minimax      all lines to a fixed depth
  negamax      minimax with one case instead of two
  alphabeta    alpha-beta pruning
  ordering     plus move ordering: captures, killers, history
  quiescence   plus check extensions and quiescence search
  table        plus iterative deepening with a transposition table
  engine       the full search of the engine
  mcts         Monte Carlo tree search, without a depth
"""
_EXAMPLES: Final = """\
examples:
  boomslang algorithms --depth 4
  boomslang algorithms --algorithms alphabeta,ordering,table --depth 6
  boomslang algorithms --fen "8/8/8/8/3k4/8/3P4/3K4 w - - 0 1"

The exit status is 1 if algorithms that must agree differ.
"""


_REMARK: Final = (  # one line, to be broken where the terminal ends
    "Down to move ordering, each algorithm finds the same value with fewer nodes. Quiescence search goes "
    "on beyond the depth until the position is quiet: a better value, for more nodes in tactical positions. "
    "The nodes of the transposition table include those of all smaller depths."
)


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang algorithms", _DESCRIPTION, _EXAMPLES)
    parser.option("--fen F", str, "position, in quotes", chess.STARTING_FEN)
    parser.option("--depth N", whole(1, _MAX_DEPTH), "search depth in plies", 4)
    parser.option(
        "--algorithms A,B...", some_of(_ALGORITHMS), "algorithms to compare", list(_ALGORITHMS)
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    board = _board(arguments.fen)

    from boomslang.core.system.threads import in_threads
    from boomslang.engine.comparisons.algorithms import AlgorithmBench, depths, disagreements

    runs: list[AlgorithmRun] = []
    load_kernels()
    with progress("Searching", None) as advance:
        bench = AlgorithmBench(board)
        for algorithm in arguments.algorithms:
            for depth in depths(algorithm, arguments.depth):
                advance(title=f"{algorithm}, depth {depth}")
                # On another thread, so that Ctrl-C need not wait for a kernel.
                runs += in_threads(lambda job: bench.run(*job), [(algorithm, depth)])
    console = Console()
    console.print(_table(board, runs, arguments.depth))
    if {"ordering", "quiescence"} <= set(arguments.algorithms):
        console.print(_REMARK)
    differing = disagreements(runs)
    for one, other in differing:
        said = f"{one.algorithm} and {other.algorithm} differ at depth {one.depth}"
        console.print(Text(f"{said}: {one.value} and {other.value}", "red"))
    return DIFFERENT if differing else AGREED


def _board(fen: str) -> chess.Board:
    board = board_of(fen)
    if not any(board.legal_moves):
        raise UsageError("there is no legal move in this position; choose another --fen")
    return board


def _table(board: chess.Board, runs: Sequence[AlgorithmRun], depth: int) -> Table:
    from boomslang.engine.comparisons.algorithms import TITLES

    headings = "Algorithm", "Value", "Best move", "Nodes", "Time", "Branching"
    table = figure_table(*headings, title=f"{board.fen(shredder=board.chess960)}, depth {depth}")
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
