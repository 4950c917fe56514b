"""`boomslang steps`: what each step from minimax to the engine saves."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

import chess
from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, run_command, whole_number
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.progress import load_kernels, progress

_DESCRIPTION: Final = """\
Search the positions of the bench with minimax, alpha-beta, and every further step up to the engine,
each with all that stands above it, and print how many positions each has to look at: the deepest
depth that all roots reach, the effective branching factor there (how many times as much one ply more
costs), and the positions to a given depth, by that factor (about, ~) where it is out of reach.
"""
_EXAMPLES: Final = """\
examples:
  boomslang steps
  boomslang steps --depth 12 --nodes 5_000_000
"""
_REMARK: Final = (
    "With the last step it is the engine. Depth is not the same everywhere: quiescence search looks "
    "beyond it, reductions look less deep at what promises little. What counts is games. PVS: "
    "principal variation search; IIR: internal iterative reduction."
)


def _parser() -> Parser:
    parser = Parser("boomslang steps", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add("--depth", type=whole_number(2, 30), default=12, metavar="N", help="plies (12)")
    add(
        "--nodes",
        type=whole_number(1000, 10**9),
        default=300_000,
        metavar="N",
        help="about so many positions for each root and step (300000)",
    )
    add(
        "--positions",
        type=whole_number(1, 1000),
        default=1000,
        metavar="N",
        help="only the first of the bench",
    )
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `steps`; return the exit status."""
    return run_command(_parser(), argv, _steps)


def _steps(arguments: argparse.Namespace) -> int:
    from boomslang.engine.bench import POSITIONS
    from boomslang.engine.lessons.steps import PLAIN, RULES, steps

    load_kernels()
    boards = [chess.Board(fen) for fen in POSITIONS[: arguments.positions]]
    plural = "" if len(boards) == 1 else "s"
    table = Table(title=f"{len(boards)} position{plural}, {arguments.nodes:,} each")
    for heading in ("Search", "Depth", "Positions", "Branching", f"To depth {arguments.depth}"):
        table.add_column(heading, justify="left" if heading == "Search" else "right")
    with progress("Searching", len(boards) * (len(PLAIN) + len(RULES))) as advance:
        for step in steps(boards, arguments.depth, arguments.nodes, lambda: advance(1)):
            reached = step.depth >= arguments.depth
            whole = step.nodes_to(arguments.depth)
            table.add_row(
                step.title,
                str(step.depth),
                f"{step.nodes[-1]:,}",
                f"{step.branching:.2f}",
                f"{whole:,.0f}" if reached else f"~{whole:.1e}",
            )
    console = Console()
    console.print(table)
    console.print(_REMARK)
    return 0
