"""The computer as commands see it: its processors, and its shell."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence


def usable_processors() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pip_install(package: str) -> str:
    """The command that installs a package where this Python finds it."""
    return spelled([sys.executable, "-m", "pip", "install", package])


def spelled(words: Sequence[str]) -> str:
    """A command quoted for a shell of this system."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
