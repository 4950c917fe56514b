"""The folder of this copy of the engine, in a clone or in an installed package, and its sources.

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

PACKAGES: Final = (
    "core",
    "eval",
    "engine",
    "perft",
    "uci",
    "cli",
)  # of this program, the lowest first
# What is imported, and other words that name a module.
_NAMED: Final = r"\bboomslang\.([\w.]+)(?: import (?:\(([^)]*)\)|([^\n]*)))?"


def sources_of(module: str) -> dict[str, bytes]:
    """The sources, by name, of a module such as "uci.loop" and of all that it imports, in functions too."""
    import re
    from pathlib import Path

    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        path = Path(FOLDER, *(name := waiting.pop()).split(".")).with_suffix(".py")
        if name not in sources and path.is_file():
            sources[name] = path.read_bytes()
            for package, *names in re.findall(_NAMED, sources[name].decode()):
                waiting += [
                    package,
                    *(f"{package}.{n}" for n in re.findall(r"\w+", "".join(names))),
                ]
    return sources


def fingerprint(module: str, more: str = "") -> str:
    """A hash of `sources_of` a module, and of `more`."""
    import hashlib

    digest = hashlib.sha256(more.encode(errors="replace"))
    for name, source in sorted(sources_of(module).items()):
        digest.update(f"\0{name}\0".encode() + source)
    return digest.hexdigest()[:24]
