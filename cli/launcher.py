"""The command that a chess program should start."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

_CHECKOUT: Final = Path(__file__).resolve().parents[1]
_LAUNCHERS: Final = ".venv/launchers"  # in the checkout: the names that the Makefile has given


def launcher() -> Path:
    """The command that a GUI should start: the checkout's newest launcher, or the installed script."""
    script = "boomslang.exe" if sys.platform == "win32" else "boomslang"
    kept = _CHECKOUT / _LAUNCHERS
    made = kept.read_text("utf-8").splitlines() if kept.is_file() else []
    names = [*reversed(made), "boomslang"]
    for path in (*(_CHECKOUT / name for name in names), Path(sys.executable).with_name(script)):
        if path.is_file():
            return path
    found = shutil.which("boomslang")
    return Path(found or sys.argv[0]).absolute()
