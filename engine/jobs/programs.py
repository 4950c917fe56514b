"""Why a program that a user names cannot be started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def why_not_startable(name: str) -> str:
    """The reason why a program cannot be started; empty if none is known."""
    if "\0" in name:
        return "the name contains a null character"
    if shutil.which(name):
        return ""
    path = Path(name)
    try:
        if not os.path.dirname(name):  # noqa: PTH120 - a Path forgets ./
            known = "there is a file of that name here; write ./ before it"
            return known if path.is_file() else "there is no program of that name"
        if path.is_dir():
            return "it is a folder"
        if path.exists():
            return "it is not an executable file"
    except OSError as problem:
        return (problem.strerror or "it cannot be accessed").lower()
    return "there is no such file"
