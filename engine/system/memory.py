"""How much memory the machine has."""

from __future__ import annotations

import os

_MEGABYTE = 1024 * 1024


def largest_table() -> int:
    """Megabytes that a transposition table may take: half of the physical memory, at least 1."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows: let the allocation itself decide
        return 1 << 17
    return max(1, total // 2 // _MEGABYTE)
