"""Environments in which the built wheel is installed as users do; `make package` builds it and names it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

GIVEN = os.environ.get("BOOMSLANG_WHEEL", "")
PACKAGES = ("cli", "core", "engine", "eval", "perft", "uci")

needs_wheel = [
    pytest.mark.skipif(not GIVEN, reason="needs the wheel that `make package` builds"),
    pytest.mark.timeout(1200),
]


@dataclass(frozen=True)
class Installed:
    """An environment that has the wheel, and nothing of ours besides."""

    python: Path
    engine: Path
    folder: Path  # to work in
    environment: dict[str, str]

    def run(self, *command: str | Path) -> str:
        """What a command prints."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def program(self, name: str, text: str) -> str:
        """What a program prints."""
        (self.folder / name).write_text(text, "utf-8")
        return self.run(self.python, name)

    def check_types(self, name: str, text: str) -> subprocess.CompletedProcess[str]:
        """What mypy says of a program, in its strictest mode."""
        (self.folder / name).write_text(text, "utf-8")
        command: list[str | Path] = [
            *(sys.executable, "-m", "mypy", "--strict"),
            *("--python-executable", self.python, name),
        ]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)


def wheel() -> Path:
    """The wheel that is tried."""
    return Path(GIVEN).resolve(strict=True)


def clean_environment(home: Path) -> dict[str, str]:
    """The variables of this process without those that change what is imported; kernels below `home`."""
    unwanted = ("PYTHONPATH", "PYTHONSAFEPATH", "VIRTUAL_ENV", "BOOMSLANG_WHEEL")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    return environment | {"BOOMSLANG_CACHE_DIR": str(home / "cache")}


def by_uv_pip(home: Path, *arguments: str | Path) -> Installed:
    """A new environment in which `uv pip install` was called with these arguments.

    Its files are copies: a test that damages one would damage uv's own store through a link.
    """
    environment = clean_environment(home) | {"UV_LINK_MODE": "copy"}
    target = home / "env"
    python, folder = target / "bin" / "python", home / "work"
    folder.mkdir()
    uv = (sys.executable, "-m", "uv")
    commands: list[Sequence[str | Path]] = [
        [*uv, "venv", "--quiet", "--python", sys.executable, target],
        [*uv, "pip", "install", "--quiet", "--python", python, *arguments],
    ]
    for command in commands:
        subprocess.run(command, env=environment, cwd=folder, check=True)
    return Installed(python, python.with_name("boomslang"), folder, environment)
