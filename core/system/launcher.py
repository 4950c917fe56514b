"""The command that starts the engine, for a GUI."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from boomslang.core.system import installation

_CHECKOUT: Final = Path(installation.FOLDER)
_LAUNCHERS: Final = ".venv/launchers"  # in the clone: the launchers written by the Makefile


def launcher() -> Path | None:
    """The checkout's newest launcher, or the installed script; None if there is neither."""
    script = "boomslang.exe" if sys.platform == "win32" else "boomslang"
    checkout_launcher = _CHECKOUT / _LAUNCHERS
    made = checkout_launcher.read_text("utf-8").splitlines() if checkout_launcher.is_file() else []
    names = [*reversed(made), "boomslang"]
    for path in (*(_CHECKOUT / name for name in names), Path(sys.executable).with_name(script)):
        if path.is_file():
            return path
    installed_launcher = shutil.which("boomslang")
    return Path(installed_launcher).absolute() if installed_launcher else None


def command() -> list[str]:
    """The command that starts the engine from any folder, as words; one word if there is a launcher."""
    path = launcher()
    return [str(path)] if path else [sys.executable, "-P", installation.ENTRY_POINT]
