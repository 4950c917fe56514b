"""The wheel in a bare environment of each tool, outside of the checkout."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.installed import PACKAGES, Installed, clean_environment, wheel


def by_pip(home: Path, environment: dict[str, str]) -> Path:
    python = home / "env" / "bin" / "python"
    commands: list[list[str | Path]] = [
        [sys.executable, "-m", "venv", home / "env"],
        [python, "-m", "pip", "install", "--quiet", wheel()],
    ]
    for command in commands:
        subprocess.run(command, env=environment, cwd=home, check=True)
    return python


def by_pipx(home: Path, environment: dict[str, str]) -> Path:
    environment |= {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
    install = ("-m", "pipx", "install", "--quiet", "--backend", "pip")
    command: list[str | Path] = [sys.executable, *install, wheel()]
    subprocess.run(command, env=environment, cwd=home, check=True)
    return home / "pipx" / "venvs" / "boomslang-chess" / "bin" / "python"


def by_uv(home: Path, environment: dict[str, str]) -> Path:
    environment |= {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    command: list[str | Path] = [sys.executable, "-m", "uv", "tool", "install", "--quiet", wheel()]
    subprocess.run(command, env=environment, cwd=home, check=True)
    return home / "tools" / "boomslang-chess" / "bin" / "python"


@pytest.fixture(scope="session", params=[by_pip, by_pipx, by_uv])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    """The wheel as each tool installs it, with a folder whose modules have the names of ours and raise."""
    install: Callable[[Path, dict[str, str]], Path] = request.param
    home = tmp_path_factory.mktemp(install.__name__)
    environment = clean_environment(home)
    python = install(home, environment)
    folder = home / "a folder"
    folder.mkdir()
    for name in PACKAGES:
        (folder / f"{name}.py").write_text(f"raise SystemExit('a strange {name}.py')\n")
    script = home / "bin" / "boomslang"
    engine = script if script.exists() else python.with_name("boomslang")
    return Installed(python, engine, folder, environment)
