"""Checks of the game files of `boomslang datagen`, before the kernels that read them are loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boomslang.engine.system.files import FileError, quote_path
from boomslang.eval.data.game_files import GameFileReader


def header_of(path: Path) -> dict[str, Any]:
    """The header of a game file; raises FileError."""
    with GameFileReader(path) as walk:
        return walk.header


def check_games(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The headers of game files; raises FileError, also for a file without a complete game."""
    headers = []
    for path in paths:
        headers.append(header_of(path))
        with GameFileReader(path) as walk:
            if next(iter(walk), None) is None:
                raise FileError(f"{quote_path(path)} has no games")
    return headers
