"""`help`, `compiler`: what the engine tells about itself."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import Final

HELP: Final = """\
Boomslang is a chess engine that speaks UCI; a chess GUI such as En Croissant, Nibbler or Cute Chess
gives it a board. By hand, type for example:

  position startpos moves e2e4 e7e5
  go movetime 1000

Further commands:
  d               the board
  eval            the static evaluation of the position
  go perft N      the number of move sequences N plies long, by first move
  bench [DEPTH]   nodes and speed of a fixed search over fixed positions
  compiler        the versions at work
  quit            leave\
"""


def compiler() -> str:
    """The versions that decide what the kernels are compiled to."""
    lines = [f"Python    {sys.version.split()[0]} ({platform.python_implementation()})"]
    for package in ("numba", "llvmlite", "numpy", "chess"):
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            version = "missing"
        lines.append(f"{package:9} {version}")
    return "\n".join([*lines, f"{'Machine':9} {platform.system()} {platform.machine()}"])
