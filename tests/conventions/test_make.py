"""The Makefile's launcher: under any name, found by `boomslang where`, and taken away again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from boomslang.core.system import launcher
from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


ROOMS = ("benchmarks", "cli", "core", "engine", "eval", "perft", "tests", "tools", "uci")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose environment is there already."""
    for folder in (".venv", *ROOMS):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".venv" / "installed").touch()
    monkeypatch.setattr(launcher, "_CHECKOUT", tmp_path)
    return tmp_path


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Without what a `make` that runs the tests tells those below it.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=checkout, env=variables, capture_output=True, text=True)


def test_where_knows_the_launcher_that_was_made_last(checkout: Path) -> None:
    for name in ("boomslang", "green-viper", "boomslang", "mamba"):
        assert make(checkout, name, f"EXE={name}").returncode == 0
        assert launcher.launcher() == checkout / name
        assert "cli/__main__.py" in (checkout / name).read_text("utf-8")
    (checkout / "mamba").unlink()
    assert launcher.launcher() == checkout / "boomslang"


def test_clean_takes_every_launcher_away(checkout: Path) -> None:
    for name in ("boomslang", "green-viper"):
        make(checkout, name, f"EXE={name}")
    assert make(checkout, "clean").returncode == 0
    left = {path.name for path in checkout.iterdir()}
    assert left == {*ROOMS, "Makefile", "pyproject.toml"}
    assert make(checkout, "clean").returncode == 0


def test_a_launcher_never_goes_where_a_folder_is(checkout: Path) -> None:
    refused = make(checkout, "engine", "EXE=engine")
    assert refused.returncode == 2
    assert "EXE=engine is a folder" in refused.stderr
    assert list((checkout / "engine").iterdir()) == []


def test_help_names_every_target_and_the_seven_of_every_day_first(checkout: Path) -> None:
    daily, others = (part.splitlines() for part in make(checkout, "help").stdout.split("\n\n"))
    words = ["all" if line.startswith("make  ") else line.split()[1] for line in (*daily, *others)]
    assert (
        words[:7] == ["all", "run", "test", "format", "slow", "package", "docs"] and len(daily) == 7
    )
    phony = next(line for line in (ROOT / "Makefile").read_text().splitlines() if ".PHONY" in line)
    parts_of_others = {"help", "lint", "kernels", "collect", "FORCE"}
    assert {*words} == {*phony.split()[1:]} - parts_of_others
