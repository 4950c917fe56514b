"""`boomslang datainfo`: what files of self-play games hold, and whether they are sound."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from boomslang.cli.terminal.arguments import Parser, run_command
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.core.system.files import FileError

if TYPE_CHECKING:
    from boomslang.eval.data.statistics import Agreement, DataStatistics, Distribution

SOUND, DAMAGED, REFUSED = 0, 1, 2

_BAR: Final = 30  # characters of the longest

_DESCRIPTION: Final = """\
Tell what files of `boomslang datagen` hold: games and their results, positions and how many of them are
fit to learn from, how these spread over scores, plies and pieces on the board, and how many come again.
The exit status is 1 if a file is damaged, what is sound in it is counted; and 2 if one is missing or holds no
games, the others are counted all the same.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datainfo games.bin
  boomslang datainfo data/*.bin

Scores are in centipawns, from White's view. A position comes again if pieces, side to move,
castling rights and en passant are those of another one in the same file; of large files a sample is
compared.
"""


def _parser() -> Parser:
    parser = Parser("boomslang datainfo", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of datagen")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `datainfo`; return the exit status."""
    return run_command(_parser(), argv, _show)


def _show(arguments: argparse.Namespace) -> int:
    from boomslang.cli.selfplay.game_files import header_of
    from boomslang.eval.data.statistics import take

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
                census = take(path, lambda done, total: advance(done=done, total=total))
        except ValueError as problem:
            complain(f"boomslang datainfo: {problem}")
            status = REFUSED
            continue
        _print(console, census)
        if census.damage:
            status = max(status, DAMAGED)
    return status


def _print(console: Console, census: DataStatistics) -> None:
    """All about one file."""
    black, drawn, white = census.results.tolist()
    games = max(census.games, 1)
    console.print(f"{census.path}: {census.size:,} bytes, SHA-256 {census.sha256}")
    settings = ", ".join(f"{name} {value}" for name, value in sorted(census.header.items()))
    console.print(f"settings: {settings}")
    console.print(
        f"{census.games:,} games: {white / games:.1%} won by White, {drawn / games:.1%} drawn, "
        f"{black / games:.1%} lost; {census.chess960 / games:.1%} from random arrays"
    )
    console.print(
        f"{census.positions:,} positions, {census.positions / games:.0f} a game"
        f"{f', and {census.in_sidelines:,} beside them' if census.in_sidelines else ''}; "
        f"{census.fit:,} fit to learn from, {census.size / max(census.fit, 1):.2f} bytes each"
    )
    console.print(f"{census.repetitions.share:.1%} of the fit positions come again")
    bar = "█" if console.encoding.startswith("utf") else "#"
    for title, spread in (
        ("score", census.scores),
        ("ply", census.plies),
        ("pieces", census.pieces),
    ):
        console.print(_table(title, spread, bar))
    if census.agreement.rows()[0][1] < sum(count for _, count, _ in census.agreement.rows()):
        console.print(_table_of_agreement(census.agreement))
    for damage in census.damage:
        console.print(f"DAMAGED: {damage}")


def _table_of_agreement(agreement: Agreement) -> Table:
    """What the results of games with random moves are worth."""
    from boomslang.eval.data.statistics import BEFORE_END

    rows = agreement.rows()
    table = Table(title=f"fit positions {BEFORE_END[0]} to {BEFORE_END[1]} plies before the end")
    table.add_column("random moves to come", justify="right")
    table.add_column("positions", justify="right")
    table.add_column("correlation of score and result", justify="right")
    for number, count, correlation in rows:
        name = f"{number} or more" if number == rows[-1][0] else f"{number}"
        if count:
            table.add_row(name, f"{count:,}", f"{correlation:.2f}")
    return table


def _table(title: str, spread: Distribution, bar: str) -> Table:
    rows = spread.rows()
    total, most = sum(count for _, count in rows), max(count for _, count in rows)
    table = Table()
    table.add_column(title, justify="right")
    table.add_column("fit positions", justify="right")
    table.add_column("share", justify="right")
    table.add_column("")
    for name, count in rows:
        length = round(_BAR * count / max(most, 1))
        table.add_row(name, f"{count:,}", f"{count / max(total, 1):.1%}", bar * length)
    return table
