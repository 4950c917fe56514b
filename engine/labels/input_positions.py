"""Reads the positions to label from lines of FEN or EPD, and tells these from games."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from boomslang.core.system.files import FileError, open_file, quote_path
from boomslang.engine.notation.positions import tidy
from boomslang.engine.notation.text import MAX_BYTES, byte_lines, decode

STANDARD_INPUT: Final = "-"
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


def read_positions(source: str) -> Iterator[Item]:
    """The positions of a file, or of standard input if the source is `-`; raises FileError.

    Empty lines and those that begin with # are skipped.
    """
    if source == STANDARD_INPUT:
        yield from _lines(sys.stdin.buffer)
        return
    with open_file(source, MAX_BYTES) as file:
        try:
            yield from _lines(file)
        except FileError as problem:
            raise FileError(f"cannot read {quote_path(source)}: {problem}") from None


def is_pgn(source: Path | str) -> bool:
    """True for a PGN file, by its name or its beginning. Raises FileError."""
    with open_file(source, MAX_BYTES) as file:
        if _PGN.fullmatch(str(source)):
            return True
        first = next(_lines(file, _LEADING), None)
    return first is not None and first[1].startswith(("[", "{", "1."))


def _lines(file: BinaryIO, most: int | None = None) -> Iterator[Item]:
    """The positions of a file, or of its first lines."""
    number = 0
    try:
        for number, line in enumerate(byte_lines(file, MAX_LINE, whole=False), start=1):
            if len(line) > MAX_LINE:
                yield NoPosition(str(number), f"more than {MAX_LINE} characters")
            elif (text := tidy(decode(line).strip())) and text[0] != "#":
                yield str(number), text
            if number == most:
                return
    except OSError as problem:
        raise FileError(f"line {number + 1}: {problem.strerror}") from None
