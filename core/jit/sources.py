"""A hash of the engine's sources, by which results of one version are told from those of another."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from boomslang.core.system import installation

_PACKAGES: Final = ("engine", "eval", "perft")  # all that an evaluation depends on
_ELSEWHERE: Final = frozenset({"levels", "notation", "textbook"})  # but for these


def fingerprint(more: str) -> str:
    """A hash of the sources from which the engine's evaluations come, and of `more`."""
    root = Path(installation.FOLDER)
    digest = hashlib.sha256(more.encode(errors="replace"))
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if not _ELSEWHERE.intersection(path.parts):
                name = path.relative_to(root).as_posix()
                digest.update(f"\0{name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]
