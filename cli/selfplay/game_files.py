"""A look at files of `boomslang datagen` before the kernels are loaded that read them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boomslang.engine.core.system.files import FileError, shown
from boomslang.eval.data.game_files import GameFileError, GameFileReader


def header_of(path: Path) -> dict[str, Any]:
    """What a file of games says about itself; raises FileError."""
    try:
        with GameFileReader(path) as walk:
            return walk.header
    except GameFileError as problem:
        raise FileError(str(problem)) from None


def check_games(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The headers of files that hold games; raises FileError, also for one without a whole game."""
    headers = []
    for path in paths:
        headers.append(header_of(path))
        with GameFileReader(path) as walk:
            if next(iter(walk), None) is None:
                raise FileError(f"{shown(path)} has no games")
    return headers
