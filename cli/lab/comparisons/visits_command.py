"""`boomslang visits`: nodes that negamax and alpha-beta visit, compared with a published table."""

from __future__ import annotations

import argparse
import re
from statistics import mean
from typing import Final

from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.arguments import Parser, add_option, whole_number, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.textbook.published_visits import PUBLISHED, full_tree, least_visits

_DESCRIPTION: Final = """\
Count the nodes that negamax and alpha-beta visit in full binary trees whose leaves are numbered in
ascending, descending or random order, and print the counts beside a published table.
"""
_EXAMPLES: Final = """\
examples:
  boomslang visits
  boomslang visits --heights 21-22 --seeds 100

The exit status is 0 if all published ascending and descending counts are reproduced, else 1.
"""
_MAX_HEIGHT: Final = 30  # a minute of negamax
_MAX_SEEDS: Final = 1_000_000
_REMARKS: Final = (
    "Random leaves: the published counts come from two unknown draws, so they cannot be "
    "reproduced; compare them with the mean and the range.",
    "Negamax visits the whole tree. The published counts for heights 21 and 26 are not of the form "
    "2^(height + 1) - 1 and must be misprints.",
    "Fail-soft visits the same nodes as fail-hard: its tighter bounds help only with a transposition table.",
    "Minimum: visited when the best move always comes first (Knuth and Moore, 1975).",
)


def _heights(text: str) -> range:
    """An argument like 21-26, or 22 alone."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high <= _MAX_HEIGHT:
        raise argparse.ArgumentTypeError(f"'{text}' is not a range within 1-{_MAX_HEIGHT}")
    return range(low, high + 1)


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang visits", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "--heights",
        type=_heights,
        default=range(min(PUBLISHED), max(PUBLISHED) + 1),
        metavar="A-B",
        help="heights of the trees in plies (21-26)",
    )
    add_option(
        parser, "--seeds N", whole_number(1, _MAX_SEEDS), "number of random trees per height", 20
    )
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang visits`; returns the exit status."""
    from boomslang.engine.comparisons.visits import Algorithm, Leaves, count_visits

    load_kernels()
    seeds = range(arguments.seeds)
    tables = [_tabulate_order("Ascending"), _tabulate_order("Descending")]
    shuffled, whole = _random_table(len(seeds)), _negamax_table()
    cells = equal = 0
    with progress("Counting", len(arguments.heights)) as advance:
        for height in arguments.heights:
            published = PUBLISHED.get(height)
            for leaves, table in zip((Leaves.ASCENDING, Leaves.DESCENDING), tables, strict=True):
                hard, _ = count_visits(Algorithm.FAIL_HARD, height, leaves)
                soft, _ = count_visits(Algorithm.FAIL_SOFT, height, leaves)
                theirs = getattr(published, leaves.name.lower(), None)
                cells += theirs is not None
                equal += theirs == hard
                table.add_row(
                    str(height),
                    _number(hard),
                    *_beside(hard, theirs),
                    _number(soft),
                    _number(least_visits(height)),
                )
            every, _ = count_visits(Algorithm.NEGAMAX, height, Leaves.ASCENDING)
            theirs = published and published.negamax
            whole.add_row(
                str(height), _number(every), *_beside(every, theirs), _number(full_tree(height))
            )
            hards, softs = (
                [count_visits(algorithm, height, Leaves.RANDOM, seed)[0] for seed in seeds]
                for algorithm in (Algorithm.FAIL_HARD, Algorithm.FAIL_SOFT)
            )
            shuffled.add_row(
                str(height),
                *map(_number, (round(mean(hards)), min(hards), max(hards))),
                *map(_number, published.random if published else (None, None)),
                _number(round(mean(softs))),
            )
            advance(1)
    console = Console()
    for table in (*tables, shuffled, whole):
        console.print(table)
        console.print()
    reproduced = Text(f"{equal} of {cells}", "bold")
    console.print("Ascending and descending leaves:", reproduced, "published counts reproduced.")
    for remark in _REMARKS:
        console.print(remark)
    return 0 if equal == cells else 1


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _beside(ours: int, theirs: int | None) -> tuple[str, str | Text]:
    """The published count, and whether ours is equal."""
    if theirs is None:
        return "-", "-"
    return _number(theirs), Text("yes", "green") if theirs == ours else Text("no", "red")


def _tabulate_order(order: str) -> Table:
    headings = "Height", "Ours", "Published", "Equal", "Fail-soft", "Minimum"
    title = f"{order} leaves: nodes visited by alpha-beta"
    return figure_table(*headings, title=title, words=0)


def _random_table(seeds: int) -> Table:
    headings = "Height", "Mean", "Minimum", "Maximum", "Published", "and", "Fail-soft"
    title = f"Random leaves: nodes visited by alpha-beta, {seeds} seeds"
    return figure_table(*headings, title=title, words=0)


def _negamax_table() -> Table:
    headings = "Height", "Ours", "Published", "Equal", "2^(height + 1) - 1"
    return figure_table(*headings, title="Nodes visited by negamax", words=0)
