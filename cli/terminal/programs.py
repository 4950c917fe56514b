"""Programs that a user names, and why one of them cannot be started."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path


def hush_log() -> None:
    """Keep python-chess from telling on standard error what it raises as well."""
    for name in ("chess.engine", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def why_not_startable(name: str) -> str:
    """Why there is no starting the program that a command begins with; empty if nothing is known."""
    if "\0" in name:
        return "no program has such a name"
    if shutil.which(name):
        return ""
    path = Path(name)
    try:
        if not os.path.dirname(name):  # noqa: PTH120 - a Path forgets ./
            known = "there is a file of that name here: write ./ before it"
            return known if path.is_file() else "there is no program of that name"
        if path.is_dir():
            return "it is a folder"
        if path.exists():
            return "it is not an executable file"
    except OSError as problem:
        return (problem.strerror or "it cannot be looked at").lower()
    return "there is no such file"
