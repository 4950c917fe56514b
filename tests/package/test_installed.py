"""The built wheel, installed as users do: `make package` runs this, since it builds the wheel first."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import chess
import pytest

from boomslang.core.system.identity import NAME, VERSION
from tests.stress import smoke
from tests.support.installed import PACKAGES, Installed, needs_wheel, wheel
from tests.support.places import ROOT

NETWORK = "boomslang/eval/network/default.net"
PEOPLE = "boomslang/engine/people/people.net"
# Beside the networks: 908,000 with tournaments, `label` and `mcp`; only a new feature is a reason for more.
MAX_BYTES = 1_200_000  # packed, without networks

pytestmark = needs_wheel

FIRST_START = """\
import boomslang, chess, chess.engine
with boomslang.popen(Hash=4) as engine:
    print(engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000))["depth"])
"""


def test_what_is_in_the_wheel() -> None:
    with zipfile.ZipFile(wheel()) as archive:
        names = archive.namelist()
        packed = {info.filename: info.compress_size for info in archive.infolist()}
        licences = {name.rpartition("/licenses/")[2] for name in names if "/licenses/" in name}
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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert licences == set(project["license-files"])
    assert packed[PEOPLE] < 3_000_000
    assert sum(packed.values()) - packed[NETWORK] - packed[PEOPLE] < MAX_BYTES


def test_the_description_needs_no_clone() -> None:
    with zipfile.ZipFile(wheel()) as archive:
        text = archive.read(f"boomslang_chess-{VERSION}.dist-info/METADATA").decode("utf-8")
    fields, _, description = text.partition("\n\n")
    assert "Description-Content-Type: text/markdown" in fields
    assert description.startswith((ROOT / "README.md").read_text("utf-8").splitlines()[0])
    links = re.findall(r"\]\(([^)]*)\)", description)
    assert links and all(link.startswith("https://") for link in links)


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


def test_the_quick_start_needs_no_other_library(installed: Installed) -> None:
    with subprocess.Popen(
        [installed.engine, "board", "--no-open"],
        cwd=installed.folder,
        env=installed.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(address) as page:  # noqa: S310
            assert b"<title>Boomslang</title>" in page.read()
        process.send_signal(signal.SIGINT)
    assert process.returncode in (0, 130)  # 130: too busy to clean up within half a second


def test_the_command_line(installed: Installed) -> None:
    ways: list[list[str | Path]] = [[installed.engine], [installed.python, "-m", "boomslang"]]
    for command in ways:
        assert installed.run(*command, "version") == f"{NAME} {VERSION}\n"
        assert installed.run(*command, "perft", "3").strip()
    (installed.folder / "some.epd").write_text(f"{chess.STARTING_FEN}\n" * 12_000)
    label: list[str | Path] = [installed.engine, "label", "some.epd", "--format", "jsonl"]
    rows = installed.run(*label, "--jobs", "2").splitlines()
    assert len(rows) == 12_000 and json.loads(rows[-1])["place"] == "12000"
