"""`boomslang steps`: node counts with each search technique, from minimax to the engine."""

from __future__ import annotations

import argparse
from typing import Final

import chess

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.settings import whole

_DESCRIPTION: Final = """\
Search the bench positions with minimax, alpha-beta and each further technique up to the engine, every row
with all techniques above it. The table shows the largest depth that all positions reach, the nodes and the
effective branching factor there (the cost ratio of one more ply), and the nodes to a given depth,
extrapolated by that factor (~) where it is out of reach.
"""
_EXAMPLES: Final = """\
examples:
  boomslang steps
  boomslang steps --depth 12 --nodes 5_000_000
"""
_REMARK: Final = (
    "The last row is the full engine. Depths are not comparable between all rows: quiescence search goes "
    "beyond the depth, reductions stay below it. Only games measure strength. PVS: principal variation "
    "search; IIR: internal iterative reduction."
)


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang steps", _DESCRIPTION, _EXAMPLES)
    parser.option("--depth N", whole(2, 30), "depth in plies of the last column", 12)
    parser.option(
        "--nodes N", whole(1000, 10**9), "nodes per position and technique, about", 300_000
    )
    parser.option("--positions N", whole(1, 1000), "number of bench positions", 1000)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    from boomslang.engine.comparisons.steps import PLAIN, STEPS, steps
    from boomslang.engine.driver.bench import POSITIONS

    load_kernels()
    boards = [chess.Board(fen) for fen in POSITIONS[: arguments.positions]]
    plural = "" if len(boards) == 1 else "s"
    headings = "Search", "Depth", "Nodes", "Branching", f"To depth {arguments.depth}"
    title = f"{len(boards)} position{plural}, {arguments.nodes:,} nodes each"
    table = figure_table(*headings, title=title)
    with progress("Searching", len(boards) * (len(PLAIN) + len(STEPS))) as advance:
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
