"""The built wheel, installed as users do: `make package` runs this, since it builds the wheel first.

Each tool makes a bare environment outside of the checkout. What is tried there runs in a folder of its own,
whose modules have the names of ours and raise when they are imported.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import pytest

from boomslang.engine.identity import NAME, VERSION
from tests.stress import smoke
from tests.support.places import ROOT

_GIVEN = os.environ.get("BOOMSLANG_WHEEL", "")
PACKAGES = ("cli", "engine", "eval", "perft", "uci")
MOST_BYTES = 4 << 20

pytestmark = [
    pytest.mark.skipif(not _GIVEN, reason="needs the wheel that `make package` builds"),
    pytest.mark.timeout(1200),
]

TYPED = """\
import asyncio
import boomslang
import chess
import chess.engine

def best(fen: str) -> chess.Move | None:
    with boomslang.popen(Hash=4, UCI_ShowWDL=True) as engine:
        return engine.play(chess.Board(fen), chess.engine.Limit(nodes=500)).move

async def best_async() -> chess.Move | None:
    transport, engine = await boomslang.popen_async(Hash=4)
    result = await engine.play(chess.Board(), chess.engine.Limit(nodes=500))
    await engine.quit()
    transport.close()
    return result.move

words: list[str] = boomslang.command()
version: str = boomslang.__version__
if __name__ == "__main__":
    print(best(chess.STARTING_FEN), asyncio.run(best_async()), version, len(words))
"""
UNTYPED = """\
import boomslang
words: str = boomslang.command()
boomslang.popen(Hash=[4])
boomslang.popen().think()
"""
FIRST_START = """\
import boomslang, chess, chess.engine
with boomslang.popen(Hash=4) as engine:
    print(engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000))["depth"])
"""


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


def wheel() -> Path:
    return Path(_GIVEN).resolve(strict=True)


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
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pipx",
        "install",
        "--quiet",
        "--backend",
        "pip",
        wheel(),
    ]
    subprocess.run(command, env=environment, cwd=home, check=True)
    return home / "pipx" / "venvs" / "boomslang-chess" / "bin" / "python"


def by_uv(home: Path, environment: dict[str, str]) -> Path:
    environment |= {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    command: list[str | Path] = [sys.executable, "-m", "uv", "tool", "install", "--quiet", wheel()]
    subprocess.run(command, env=environment, cwd=home, check=True)
    return home / "tools" / "boomslang-chess" / "bin" / "python"


@pytest.fixture(scope="module", params=[by_pip, by_pipx, by_uv])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    install: Callable[[Path, dict[str, str]], Path] = request.param
    home = tmp_path_factory.mktemp(install.__name__)
    unwanted = ("PYTHONPATH", "PYTHONSAFEPATH", "VIRTUAL_ENV", "BOOMSLANG_WHEEL")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment["BOOMSLANG_CACHE_DIR"] = str(home / "cache")
    python = install(home, environment)
    folder = home / "a folder"
    folder.mkdir()
    for name in PACKAGES:
        (folder / f"{name}.py").write_text(f"raise SystemExit('a strange {name}.py')\n")
    script = home / "bin" / "boomslang"
    engine = script if script.exists() else python.with_name("boomslang")
    return Installed(python, engine, folder, environment)


def test_what_is_in_the_wheel() -> None:
    with zipfile.ZipFile(wheel()) as archive:
        names = archive.namelist()
    top = {name.split("/")[0] for name in names}
    info = f"boomslang_chess-{VERSION}.dist-info"
    assert top == {"boomslang", info}
    kept = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert kept and {f"boomslang/{name}" for name in kept} <= set(
        names
    )  # networks, pages and suites too
    assert not [name for name in names if "__pycache__" in name or "tests" in name]
    assert wheel().stat().st_size < MOST_BYTES


def test_the_first_start_compiles_and_then_it_plays(installed: Installed) -> None:
    # Plain Python, which plays until the kernels are there, does not get so far.
    assert int(installed.program("first.py", FIRST_START)) >= 5


def test_it_plays(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(installed.folder)
    for name, value in installed.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert smoke.problems(str(installed.engine)) == []


def test_the_examples_of_the_documents(installed: Installed) -> None:
    pages = [ROOT / "README.md", ROOT / "docs" / "python.md"]
    found = [
        code
        for page in pages
        for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)
    ]
    assert len(found) >= 3
    for code in found:
        assert installed.program("example.py", re.sub(r"time=[\d.]+", "nodes=300", code)).strip()


def test_the_command_line(installed: Installed) -> None:
    ways: list[list[str | Path]] = [[installed.engine], [installed.python, "-m", "boomslang"]]
    for command in ways:
        assert installed.run(*command, "version") == f"{NAME} {VERSION}\n"
        assert installed.run(*command, "perft", "3").strip()
    (installed.folder / "some.epd").write_text(f"{chess.STARTING_FEN}\n" * 12_000)
    label: list[str | Path] = [installed.engine, "label", "some.epd", "--format", "jsonl"]
    rows = installed.run(*label, "--jobs", "2").splitlines()
    assert len(rows) == 12_000 and json.loads(rows[-1])["place"] == "12000"


def test_types_come_along(installed: Installed) -> None:
    if installed.python.parent.parent.name != "env":
        pytest.skip("the same files for every tool")
    mypy: list[str | Path] = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        installed.python,
    ]
    (installed.folder / "untyped.py").write_text(UNTYPED)
    installed.program("typed.py", TYPED)
    assert "Success" in installed.run(*mypy, "--follow-imports", "silent", "typed.py")
    done = subprocess.run(
        [*mypy, "untyped.py"], cwd=installed.folder, capture_output=True, text=True
    )
    assert [line for line in ("2", "3", "4") if f"untyped.py:{line}: error" in done.stdout] == [
        "2",
        "3",
        "4",
    ], done.stdout
