"""One import name: the wheel lives beside a distribution whose packages are called like folders of ours."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.support.installed import Installed, needs_wheel

pytestmark = needs_wheel

OTHER = ("cli", "engine")
INFO = "other_program-1.0.dist-info"
BOTH = """\
import cli
import engine
import engine.search
import boomslang
import boomslang.cli.command_line
from boomslang import Engine, Limits

print(cli.OWNER, engine.OWNER, engine.search.OWNER)
print(cli is boomslang.cli, engine is boomslang.engine)
with Engine(Hash=1) as player:
    print(player.go(Limits(nodes=500)).best in player.board.legal_moves)
with boomslang.popen(Hash=1) as process:
    process.ping()
"""


def other_wheel(folder: Path) -> Path:
    """A wheel with packages `cli` and `engine` of its own."""
    files = {f"{name}/__init__.py": "OWNER = 'other'\n" for name in (*OTHER, "engine/search")}
    files |= {
        f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: other-program\nVersion: 1.0\n",
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{INFO}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{INFO}/RECORD"])
    path = folder / "other_program-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def pip(installed: Installed, *arguments: str | Path) -> str:
    """What pip prints; skips the tools whose environments have none."""
    if installed.python.parent.parent.name != "env":
        pytest.skip("the same files for every tool")
    command = ("-m", "pip", "--disable-pip-version-check", *arguments)
    return installed.run(installed.python, *command)


def test_pip_lists_one_name(installed: Installed) -> None:
    _, _, listed = pip(installed, "show", "--files", "boomslang-chess").partition("\nFiles:\n")
    tops = {line.split("/")[0].strip() for line in listed.splitlines()}
    assert ".." in tops  # the script
    assert {top for top in tops - {".."} if not top.endswith(".dist-info")} == {"boomslang"}


def test_both_work_in_one_process(installed: Installed, tmp_path: Path) -> None:
    pip(installed, "install", "--quiet", "--no-deps", other_wheel(tmp_path))
    (tmp_path / "both.py").write_text(BOTH)
    said = installed.run(installed.python, "-P", tmp_path / "both.py").split("\n")
    assert said[:3] == ["other other other", "False False", "True"]
