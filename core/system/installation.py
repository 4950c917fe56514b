"""The folder of this copy of the engine, in a clone or in an installed package.

Little of the standard library only: it is imported before the first answer of a protocol.
"""

from __future__ import annotations

import os
from typing import Final

import boomslang

FOLDER: Final = os.path.dirname(os.path.realpath(boomslang.__file__))  # noqa: PTH120 - loads faster
IS_CLONE: Final = os.path.basename(boomslang.__file__) == "boomslang.py"  # noqa: PTH119
# `import boomslang` finds the engine from here.
IMPORT_FOLDER: Final = FOLDER if IS_CLONE else os.path.dirname(FOLDER)  # noqa: PTH120
ENTRY_POINT: Final = os.path.join(FOLDER, "cli", "__main__.py")  # noqa: PTH118

_SOURCES: Final = ("core", "engine", "eval")  # all that an evaluation depends on
_ELSEWHERE: Final = frozenset({"levels", "notation", "textbook"})  # but for these


def fingerprint(more: str) -> str:
    """A hash of the sources from which the engine's evaluations come, and of `more`."""
    import hashlib
    from pathlib import Path

    root = Path(FOLDER)
    digest = hashlib.sha256(more.encode(errors="replace"))
    for package in _SOURCES:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root)
            if not _ELSEWHERE.intersection(name.parts):
                digest.update(f"\0{name.as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]
