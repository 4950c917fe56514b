"""Limits that Linux's control groups set to this process, as containers and services do.

A process belongs to one group of version 2, or to a group for each controller of version 1, and every
group above may have a limit too. Within a container the top of what is mounted is its own group, and the
path of the process may be one of the host's, which does not exist here.

Source: the kernel's documentation, cgroup-v2.rst, cgroup-v1/memory.rst and scheduler/sched-bwc.rst.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

_MOUNTED: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path(
    "/proc/self/cgroup"
)  # lines of ID:CONTROLLERS:PATH, version 2 without controllers
_MEMORY_FILES: Final = (  # limit, use, and the part of it that is given back under pressure: versions 2 and 1
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def processor_quota() -> float | None:
    """Processors whose time this process may use, such as 1.5; None without a limit."""
    quotas = map(_quota, _groups("cpu"))
    return min((quota for quota in quotas if quota), default=None)


def memory_left() -> int | None:
    """Bytes that this process may still use; None without a limit."""
    amounts = map(_left, _groups("memory"))
    return min((amount for amount in amounts if amount is not None), default=None)


def memory_limit() -> int | None:
    """Bytes that the process and all others of its groups may use together; None without a limit."""
    limits = map(_limit, _groups("memory"))
    return min((limit for limit in limits if limit is not None), default=None)


def _groups(controller: str) -> set[Path]:
    """Folders of this process's groups and of all groups above them; some may not exist."""
    found = {_MOUNTED, _MOUNTED / controller}
    for line in _text(_OWN).split("\n"):  # names of groups may hold any other character
        _, _, rest = line.partition(":")
        controllers, separator, path = rest.partition(":")
        if separator and (not controllers or controller in controllers.split(",")):
            top = _MOUNTED / controller if controllers else _MOUNTED
            group = top / path.lstrip("/")
            found |= {folder for folder in (group, *group.parents) if folder.is_relative_to(top)}
    return found


def _quota(group: Path) -> float | None:
    words = _text(group / "cpu.max").split() or [
        _text(group / "cpu.cfs_quota_us"),
        _text(group / "cpu.cfs_period_us"),
    ]
    try:
        quota, period = map(int, words)  # microseconds
    except ValueError:  # "max", or there is no such group
        return None
    return quota / period if quota > 0 and period > 0 else None


def _limit(group: Path) -> int | None:
    for limit, _, _ in _MEMORY_FILES:
        with suppress(ValueError):
            return int(_text(group / limit))
    return None


def _left(group: Path) -> int | None:
    for limit, used, reclaimable in _MEMORY_FILES:
        try:
            total, taken = int(_text(group / limit)), int(_text(group / used) or 0)
        except ValueError:
            continue
        for line in _text(group / "memory.stat").splitlines():
            name, _, number = line.partition(" ")
            if name == reclaimable and number.isdecimal():
                taken -= int(number)
        return max(0, total - max(0, taken))
    return None


def _text(path: Path) -> str:
    """The content of a file; empty if it cannot be read."""
    try:
        return path.read_text("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""
