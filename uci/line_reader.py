"""The way in: lines as bytes, of bounded length, as soon as they arrive."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final

STANDARD_INPUT: Final = 0
LONGEST_LINE: Final = 1 << 20  # bytes
_CHUNK: Final = 1 << 16


def read_pipe() -> bytes:
    """What has arrived on standard input; waits for it, and returns nothing at the end."""
    try:
        return os.read(STANDARD_INPUT, _CHUNK)
    except OSError:
        return b""


def lines(read: Callable[[], bytes] = read_pipe) -> Iterator[tuple[bytes, bool]]:
    """Each line without its end, and True if it was whole.

    Of a line that is too long only the beginning is kept. Text is not decoded here: whatever
    strangers send, nothing but a line feed ends a line.
    """
    begun = bytearray()
    while data := read():
        *ended, rest = data.split(b"\n")
        for piece in ended:
            begun += piece[: LONGEST_LINE + 1 - len(begun)]
            yield bytes(begun[:LONGEST_LINE]), len(begun) <= LONGEST_LINE
            begun.clear()
        begun += rest[: LONGEST_LINE + 1 - len(begun)]
    if begun:
        yield bytes(begun[:LONGEST_LINE]), len(begun) <= LONGEST_LINE
