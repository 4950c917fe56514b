"""Engines of the system by which other programs' ways are tested; a test is skipped where one is missing."""

from __future__ import annotations

import os
import shutil

import pytest

_PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])


def real_engine(name: str, *arguments: str) -> tuple[str, ...]:
    """The command of an engine that Debian has under that name."""
    found = shutil.which(name, path=_PLACES)
    if not found:
        pytest.skip(f"there is no {name}")
    return (found, *arguments)
