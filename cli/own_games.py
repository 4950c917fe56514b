"""A look at files of `boomslang datagen` before the kernels are loaded that read them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.system.files import FileProblem, shown
from eval.training.files import NotGames, Walk


def header_of(path: Path) -> dict[str, Any]:
    """What a file of games says about itself; raises FileProblem."""
    try:
        with Walk(path) as walk:
            return walk.header
    except NotGames as problem:
        raise FileProblem(str(problem)) from None


def check_games(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The headers of files that hold games; raises FileProblem, also for one without a whole game."""
    headers = []
    for path in paths:
        headers.append(header_of(path))
        with Walk(path) as walk:
            if next(iter(walk), None) is None:
                raise FileProblem(f"{shown(path)} has no games")
    return headers
