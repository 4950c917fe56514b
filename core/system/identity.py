"""Who this engine is, for protocols, commands and documents."""

from __future__ import annotations

from typing import Final

from boomslang import __version__

NAME: Final = "Boomslang"
VERSION: Final = __version__
AUTHOR: Final = "the Boomslang authors"
ABOUT: Final = f"{NAME} {VERSION}, a chess engine in Python. GPL-3.0-or-later, without any warranty"
