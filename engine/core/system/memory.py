"""Memory: how much the machine has, and how what the search reads all the time lies in it."""

from __future__ import annotations

import os
from typing import Final

import numpy as np
import numpy.typing as npt

_MEGABYTE = 1024 * 1024
_CACHE_LINE: Final = 64
_HUGE_PAGE: Final = 2 * _MEGABYTE
_LARGE: Final = _MEGABYTE // 4  # bytes from which on a huge page of one's own is worth it


def new_memory(size: int) -> npt.NDArray[np.uint8]:
    """`size` zero bytes from the beginning of a cache line on. Raises MemoryError.

    A large block begins a huge page of 2 MB and has its pages for itself. NumPy asks Linux for huge
    pages from 4 MB on: a processor remembers where a thousand pages lie, and the search jumps about in
    more than that many small ones.
    """
    unit = _HUGE_PAGE if size >= _LARGE else _CACHE_LINE
    raw = np.zeros(-(-size // unit) * unit + unit, dtype=np.uint8)
    start = -raw.ctypes.data % unit
    return raw[start : start + size]


def largest_table() -> int:
    """Megabytes that a transposition table may take: half of the physical memory, at least 1."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows: let the allocation itself decide
        return 1 << 17
    return max(1, total // 2 // _MEGABYTE)
