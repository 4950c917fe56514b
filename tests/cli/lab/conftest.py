"""Engines that play as their names say, and a file of openings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import chess
import pytest

from tests.support.other_engine import other_engine

Stub = Callable[[str], str]


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """The command of an engine with such manners."""
    return partial(other_engine, tmp_path)


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A file of two openings."""
    path = tmp_path / "openings.epd"
    path.write_text(f"{chess.STARTING_FEN}\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n# a remark\n")
    return path
