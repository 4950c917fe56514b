"""Reads the positions to label from lines of FEN or EPD, and tells these from games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from boomslang.core.system.files import is_open_already
from boomslang.engine.notation.positions import tidy
from boomslang.engine.notation.text import file_lines

MAX_LINE: Final = 10_000  # characters of a position in the input
COLUMNS: Final = ("place", "fen")  # the number of the line and the line, as texts
_LEADING: Final = 1000  # lines before the first position or tag
_PGN: Final = re.compile(r".*\.pgn(\.(gz|bz2|zst))?", re.IGNORECASE | re.DOTALL)


# The first cells of the row of a position, its place and its text; or what is none.
Item: TypeAlias = "tuple[Any, ...] | NoPosition"


class NoPosition(NamedTuple):
    """What is no position in the input."""

    line: str
    reason: str


def read_positions(source: Path | str, most: int | None = None) -> Iterator[Item]:
    """The positions of a file or of standard input, see `open_input`, or of the first lines of it.

    Empty lines and those that begin with # are skipped. Raises FileError.
    """
    for number, line in enumerate(islice(file_lines(source), most), start=1):
        if len(line) > MAX_LINE:
            yield NoPosition(str(number), f"more than {MAX_LINE} characters")
        elif (text := tidy(line.strip())) and text[0] != "#":
            yield str(number), text


def is_pgn(source: Path | str) -> bool:
    """True for a PGN file, by its name or its beginning. Raises FileError."""
    if is_open_already(source):
        return False  # it is read once
    first = next(read_positions(source, _LEADING), None)
    begins = first is not None and first[1].startswith(("[", "{", "1."))
    return begins or bool(_PGN.fullmatch(str(source)))
