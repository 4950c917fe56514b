"""Input: lines as bytes, of bounded length, as soon as they arrive."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final

STANDARD_INPUT: Final = 0
MAX_LINE: Final = 1 << 20  # bytes
_CHUNK: Final = 1 << 16


def read_pipe() -> bytes:
    """The bytes available on standard input; blocks until there are some, empty at the end."""
    try:
        return os.read(STANDARD_INPUT, _CHUNK)
    except OSError:
        return b""


def lines(read: Callable[[], bytes] = read_pipe) -> Iterator[tuple[bytes, bool]]:
    """Each line without its end, and True if it is complete.

    Overlong lines are truncated. The bytes are not decoded, so only a line feed ends a line.
    """
    begun = bytearray()
    while data := read():
        *ended, rest = data.split(b"\n")
        for piece in ended:
            begun += piece[: MAX_LINE + 1 - len(begun)]
            yield bytes(begun[:MAX_LINE]), len(begun) <= MAX_LINE
            begun.clear()
        begun += rest[: MAX_LINE + 1 - len(begun)]
    if begun:
        yield bytes(begun[:MAX_LINE]), len(begun) <= MAX_LINE
