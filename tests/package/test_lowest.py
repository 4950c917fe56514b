"""The oldest libraries that `pyproject.toml` allows: the wheel installs with them, and plays the same."""

from __future__ import annotations

import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from boomslang.core.system.identity import NAME, VERSION
from tests.engine.driver.test_bench import NODES
from tests.support.installed import Installed, by_uv_pip, needs_wheel, wheel
from tests.support.places import ROOT

pytestmark = needs_wheel

COMPILED = ("aiohttp", "numba", "numpy")  # a newer Python has no wheels of the oldest
GAME = """\
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""
VERSIONS = """\
from importlib.metadata import distributions
print(*(f"{found.name.lower()}=={found.version}" for found in distributions()))
"""


def required() -> dict[str, Requirement]:
    """All libraries of users, those of the extras too, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    return {requirement.name: requirement for requirement in map(Requirement, lines)}


@pytest.fixture(scope="module")
def lowest(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    # uv takes the oldest of what it is asked for by name, and of nothing else.
    arguments = ["--resolution", "lowest-direct", *map(str, required().values())]
    for name in COMPILED:
        arguments += ["--only-binary", name]
    return by_uv_pip(tmp_path_factory.mktemp("lowest"), *arguments, wheel())


def test_they_are_the_oldest(lowest: Installed) -> None:
    found = dict(line.split("==") for line in lowest.program("versions.py", VERSIONS).split())
    for name, requirement in required().items():
        (bound,) = requirement.specifier
        if name in COMPILED and sys.version_info >= (3, 12):
            assert Version(found[name]) >= Version(bound.version), name
        else:
            assert found[name] == bound.version, name


def test_it_plays_the_same(lowest: Installed) -> None:
    nodes = re.search(r"Nodes searched *: (\d+)", lowest.run(lowest.engine, "bench"))
    assert nodes and int(nodes[1]) == NODES


def test_the_command_line(lowest: Installed) -> None:
    (lowest.folder / "game.pgn").write_text(GAME)
    assert lowest.run(lowest.engine, "version") == f"{NAME} {VERSION}\n"
    commands = [
        ("perft", "4"),
        ("eval",),
        ("analyse", "game.pgn", "--nodes", "500"),
        ("label", "game.pgn"),
        ("algorithms", "--depth", "3"),
        ("doctor",),
    ]
    for command in commands:
        assert lowest.run(lowest.engine, *command).strip(), command


def test_what_extras_are_for_is_imported(lowest: Installed) -> None:
    program = "import boomslang.cli.play.board.server, boomslang.engine.jobs.cluster\n"
    assert lowest.program("extras.py", program) == ""
