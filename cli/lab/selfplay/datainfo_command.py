"""`boomslang datainfo`: statistics and integrity of files of training data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console, figure_table
from boomslang.cli.terminal.output import complain
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import FileError

if TYPE_CHECKING:
    from boomslang.engine.learning.data.statistics import Agreement, DataStatistics, Distribution

SOUND, DAMAGED, REFUSED = 0, 1, 2

_BAR: Final = 30  # characters of the longest

_DESCRIPTION: Final = """\
Show statistics of game files from `boomslang datagen`: games and results, positions and how many of them are
usable for training, their distribution over scores, plies and pieces on the board, and the share of
duplicates. The exit status is 1 if a file is damaged (its readable part is counted), and 2 if a file is
missing or no game file (the others are counted).
"""
_EXAMPLES: Final = """\
examples:
  boomslang datainfo games.bin
  boomslang datainfo data/*.bin

Scores are in centipawns from White's view. Duplicates have the same pieces, side to move, castling rights and
en passant square as another position of the file; in large files a sample is compared.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang datainfo", _DESCRIPTION, _EXAMPLES)
    parser.option("files FILE", Path, "game files of boomslang datagen", nargs="+")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang datainfo`; returns the exit status."""
    from boomslang.engine.learning.data.game_files import header_of
    from boomslang.engine.learning.data.statistics import take

    console = Console(soft_wrap=True)
    status = SOUND
    of_games = []
    for path in arguments.files:
        try:
            header_of(path)
            of_games.append(path)
        except FileError as problem:
            complain(f"boomslang datainfo: {problem}")
            status = REFUSED
    if of_games:
        load_kernels()
    for number, path in enumerate(of_games):
        if number:
            console.print()
        try:
            with progress(f"Counting {path.name}", None) as advance:
                statistics = take(path, lambda done, total: advance(done=done, total=total))
        except ValueError as problem:
            complain(f"boomslang datainfo: {problem}")
            status = REFUSED
            continue
        _print(console, statistics)
        if statistics.damage:
            status = max(status, DAMAGED)
    return status


def _print(console: Console, statistics: DataStatistics) -> None:
    """Print the statistics of one file."""
    black, drawn, white = statistics.results.tolist()
    games = max(statistics.games, 1)
    console.print(f"{statistics.path}: {statistics.size:,} bytes, SHA-256 {statistics.sha256}")
    settings = ", ".join(f"{name} {value}" for name, value in sorted(statistics.header.items()))
    console.print(f"settings: {settings}")
    console.print(
        f"{statistics.games:,} games: {white / games:.1%} won by White, {drawn / games:.1%} drawn, "
        f"{black / games:.1%} lost; {statistics.chess960 / games:.1%} from random Chess960 start positions"
    )
    console.print(
        f"{statistics.positions:,} positions, {statistics.positions / games:.0f} per game"
        f"{f', and {statistics.in_sidelines:,} in sidelines' if statistics.in_sidelines else ''}; "
        f"{statistics.fit:,} usable for training, {statistics.size / max(statistics.fit, 1):.2f} bytes each"
    )
    console.print(f"{statistics.repetitions.share:.1%} of the usable positions are duplicates")
    bar = "█" if console.encoding.startswith("utf") else "#"
    for title, spread in (
        ("score", statistics.scores),
        ("ply", statistics.plies),
        ("pieces", statistics.pieces),
    ):
        console.print(_table(title, spread, bar))
    if statistics.agreement.rows()[0][1] < sum(
        count for _, count, _ in statistics.agreement.rows()
    ):
        console.print(_table_of_agreement(statistics.agreement))
    for damage in statistics.damage:
        console.print(f"DAMAGED: {damage}")


def _table_of_agreement(agreement: Agreement) -> Table:
    """Agreement of scores and results in games with random moves."""
    from boomslang.engine.learning.data.statistics import BEFORE_END

    rows = agreement.rows()
    title = f"usable positions {BEFORE_END[0]} to {BEFORE_END[1]} plies before the end"
    headings = "random moves ahead", "positions", "correlation of score and result"
    table = figure_table(*headings, title=title, words=0)
    for number, count, correlation in rows:
        name = f"{number} or more" if number == rows[-1][0] else f"{number}"
        if count:
            table.add_row(name, f"{count:,}", f"{correlation:.2f}")
    return table


def _table(title: str, spread: Distribution, bar: str) -> Table:
    rows = spread.rows()
    total, most = sum(count for _, count in rows), max(count for _, count in rows)
    table = figure_table(title, "usable positions", "share", words=0)
    table.add_column("")
    for name, count in rows:
        length = round(_BAR * count / max(most, 1))
        table.add_row(name, f"{count:,}", f"{count / max(total, 1):.1%}", bar * length)
    return table
