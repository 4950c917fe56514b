"""Columns of games as files: CSV, NPZ of NumPy, and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from typing import Any, BinaryIO, Final

import numpy as np

from boomslang.engine.errors import CommandError
from boomslang.engine.games.columns import Column, Games, join

_MAX_TEXTS: Final = 1 << 28  # characters of the texts of a column of NPZ, which take a gigabyte
_OF_PLIES: Final = ("moves", "clocks", "evals")


def write_csv(parts: Iterable[Games], file: BinaryIO) -> None:
    """A line for each game; moves in UCI notation, clocks and scores with blanks between them."""
    text = TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="")
    writer = csv.writer(text, lineterminator="\n")
    for number, games in enumerate(parts):
        if not number:
            writer.writerow([*games.columns, *_OF_PLIES])
        columns = [column.tolist() for column in games.columns.values()]
        for game, row in enumerate(zip(*columns, strict=True)):
            plies = slice(*games.offsets[game : game + 2])
            numbers = (_join(games.clocks[plies]), _join(games.evals[plies]))
            writer.writerow([*map(_cell, row), " ".join(games.uci(game)), *numbers])
    text.detach()


def _cell(value: Any) -> Any:
    """Nothing for what is unknown, 1 and 0 for true and false."""
    if value is None or value != value:
        return ""
    return int(value) if isinstance(value, bool) else value


def _join(numbers: Column) -> str:
    """The numbers, - for each that is unknown; empty if all are."""
    if np.isnan(numbers).all():
        return ""
    return " ".join("-" if number != number else f"{number:g}" for number in numbers.tolist())


def write_npz(parts: Iterable[Games], file: BinaryIO) -> None:
    """An array for each column and what has an element for each ply, all at once, without pickles.

    Raises CommandError if the texts of a column need too much memory.
    """
    games = join(list(parts))
    columns: dict[str, Any] = dict(games.columns)
    for name, column in columns.items():
        if column.dtype == object:
            longest = max(map(len, column))  # each game gets as much room
            if longest * len(column) > _MAX_TEXTS:
                what = f"{len(column):,} texts {name} of up to {longest:,} characters"
                raise CommandError(f"{what} are too much for .npz: write .csv or .parquet")
            columns[name] = column.astype(str)
    plies = {name: getattr(games, name) for name in ("offsets", *_OF_PLIES, "nag_plies", "nags")}
    np.savez_compressed(file, **columns, **plies)


def write_parquet(parts: Iterable[Games], file: BinaryIO) -> None:
    """A row for each game, moves, clocks and scores as lists; raises CommandError without PyArrow."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise CommandError(
            "Parquet needs the package pyarrow: pip install boomslang-chess[games]"
        ) from None
    writer = None
    try:
        for games in parts:
            columns: dict[str, Any] = dict(games.columns)
            for name in _OF_PLIES:
                values = arrow.array(getattr(games, name))
                columns[name] = arrow.LargeListArray.from_arrays(games.offsets, values)
            table = arrow.table(columns)
            writer = writer or parquet.ParquetWriter(file, table.schema)
            writer.write_table(table)
    finally:
        if writer:
            writer.close()


WRITERS: Final[dict[str, Callable[[Iterable[Games], BinaryIO], None]]] = {
    ".csv": write_csv,
    ".npz": write_npz,
    ".parquet": write_parquet,
}
