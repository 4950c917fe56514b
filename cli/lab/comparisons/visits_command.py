"""`boomslang visits`: nodes that alpha-beta visits in artificial trees, beside a published table."""

from __future__ import annotations

import argparse
from statistics import mean
from typing import Final

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels

_DESCRIPTION: Final = """\
Count the nodes that alpha-beta visits in full binary trees whose leaves are numbered in ascending, descending
or random order, beside a published table. Its random numbers are unknown; ours are 20 draws. Negamax visits
all nodes, so two of its published counts must be misprints. The exit status is 1 if another count differs.
"""
_DRAWS: Final = 20


def new_parser() -> Parser:
    """The arguments of the command, which has none."""
    return Parser("boomslang visits", _DESCRIPTION, "examples:\n  boomslang visits\n")


@with_arguments(new_parser)
def main(_arguments: argparse.Namespace) -> int:
    from boomslang.engine.comparisons.visits import PUBLISHED, count_visits

    load_kernels()
    table = figure_table("Leaves", "Height", "Nodes", "Published", title="Nodes visited")
    wrong = 0
    for height, (negamax, *ordered, (one, other)) in PUBLISHED.items():
        table.add_row("all (negamax)", str(height), str(2 ** (height + 1) - 1), str(negamax))
        for order, published in zip(("ascending", "descending"), ordered, strict=True):
            nodes, _ = count_visits(height, order)
            table.add_row(order, str(height), str(nodes), str(published))
            wrong += nodes != published
        drawn = [count_visits(height, "random", seed)[0] for seed in range(_DRAWS)]
        spread = f"{mean(drawn):.0f} ({min(drawn)} to {max(drawn)})"
        table.add_row("random", str(height), spread, f"{one} and {other}")
    Console().print(table)
    Console().print(f"{12 - wrong} of 12 published counts of ordered leaves are reproduced.")
    return int(wrong > 0)
