"""Limits that Linux's control groups (version 2) set to this process, as containers and services do.

Every group above that of the process may have a limit too. Within a container the top of what is mounted is
its own group, and the path of the process may be one of the host's, which does not exist here.

Source: the kernel's documentation, cgroup-v2.rst.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_MOUNTED: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path("/proc/self/cgroup")
_MARK: Final = "0::"  # begins the line with the path of the group


def processor_quota() -> float | None:
    """Processors whose time this process may use, such as 1.5; None without a limit."""
    quotas = map(_quota, _groups())
    return min((quota for quota in quotas if quota), default=None)


def memory_left() -> int | None:
    """Bytes that this process may still use; None without a limit."""
    amounts = ((limit, group) for group in _groups() if (limit := _limit(group)) is not None)
    return min((max(0, limit - max(0, _taken(group))) for limit, group in amounts), default=None)


def memory_limit() -> int | None:
    """Bytes that the process and all others of its groups may use together; None without a limit."""
    limits = map(_limit, _groups())
    return min((limit for limit in limits if limit is not None), default=None)


def _groups() -> set[Path]:
    """Folders of this process's group and of all groups above it; some may not exist."""
    lines = _text(_OWN).split("\n")  # names of groups may hold any other character
    path = next((line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)), "")
    group = _MOUNTED / path.lstrip("/")
    return {folder for folder in (group, *group.parents) if folder.is_relative_to(_MOUNTED)}


def _quota(group: Path) -> float | None:
    try:
        quota, period = map(int, _text(group / "cpu.max").split())  # microseconds
    except ValueError:  # "max", or there is no such group
        return None
    return quota / period if quota > 0 and period > 0 else None


def _limit(group: Path) -> int | None:
    text = _text(group / "memory.max").strip()
    return int(text) if text.isdecimal() else None


def _taken(group: Path) -> int:
    """Bytes in use, without those that are given back under pressure."""
    lines = _text(group / "memory.stat").splitlines()
    idle = (line.removeprefix("inactive_file ") for line in lines if "inactive_file " in line)
    numbers = [_text(group / "memory.current").strip() or "0", *idle]
    used, *reclaimable = (int(number) if number.isdecimal() else 0 for number in numbers)
    return used - sum(reclaimable)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""
