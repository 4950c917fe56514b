"""Memory: the size of the machine's, and aligned blocks for the search."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from boomslang.core.system import control_groups

_MEGABYTE = 1024 * 1024
_CACHE_LINE: Final = 64
_HUGE_PAGE: Final = 2 * _MEGABYTE
_LARGE: Final = _MEGABYTE // 4  # bytes from which a separate huge page is worthwhile


def new_memory(size: int) -> npt.NDArray[np.uint8]:
    """`size` zero bytes, aligned to a cache line. Raises MemoryError.

    A large block begins a huge page of 2 MB and shares its pages with nothing else. NumPy requests huge
    pages from Linux for 4 MB and more: the TLB of a processor has about a thousand entries, and the search
    accesses more small pages than that at random.
    """
    unit = _HUGE_PAGE if size >= _LARGE else _CACHE_LINE
    raw = np.zeros(-(-size // unit) * unit + unit, dtype=np.uint8)
    start = -raw.ctypes.data % unit
    return raw[start : start + size]


def largest_table() -> int:
    """Maximum size of a transposition table in megabytes, at least 1.

    That is half of the physical memory, or of a container's.
    """
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows: let the allocation itself decide
        return 1 << 17
    limit = control_groups.memory_limit()
    total = total if limit is None else min(total, limit)
    return max(1, total // 2 // _MEGABYTE)


def free_memory() -> int:
    """Bytes available without swapping, within the limits of a container."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
        free *= 1024
    except (OSError, ValueError, StopIteration):
        free = largest_table() * _MEGABYTE
    left = control_groups.memory_left()
    return free if left is None else min(free, left)
