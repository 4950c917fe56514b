"""Files that commands write: there as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from uci.arguments import UsageError


def check_writable(path: Path) -> None:
    """Find out before the work begins whether its result can be written; raises UsageError."""
    folder = path.parent
    if path.is_dir():
        raise UsageError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise UsageError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(f"cannot write {path}: permission denied")


def write_whole(path: Path, text: str) -> None:
    """Write a text file by way of another, so that no half of it is ever there; raises UsageError."""
    try:
        if path.exists() and not path.is_file():  # a pipe, or a device
            path.write_text(text, encoding="utf-8")
            return
        part = path.with_name(f"{path.name}.part")
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
