"""Every file and every module that a document, a docstring or a message names is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.support.places import ROOT

ROOMS = ("cli", "uci", "perft", "engine", "eval", "core", "tests", "tools", "benchmarks", "docs")
PATH = re.compile(rf"(?<![\w./\\-])(?:{'|'.join(ROOMS)})(?:/[\w-]+)+(?:\.\w+|/)?(?![\w*{{<])")
MODULE = re.compile(rf"`((?:{'|'.join(ROOMS)})(?:\.\w+)+)`|-m ((?:{'|'.join(ROOMS)})(?:\.\w+)*)")
METHODS = {"tools/list", "tools/call"}  # of the protocol MCP
TESTED = re.compile(r"(?<![\w/])test_\w+\.py")
KINDS = (".py", ".md", ".toml", ".yml", ".yaml", "Makefile")


def texts() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    names = listed.stdout.splitlines()
    if not names:  # no clone but an unpacked archive
        names = [p.relative_to(ROOT).as_posix() for room in ROOMS for p in (ROOT / room).rglob("*")]
    return [ROOT / name for name in names if name.endswith(KINDS) and (ROOT / name).is_file()]


def named(text: str) -> set[str]:
    """Paths below the project that a text speaks of; modules as they are written."""
    modules = {quoted or startable(started) for quoted, started in MODULE.findall(text)}
    return set(PATH.findall(text)) - METHODS | modules | set(TESTED.findall(text))


def startable(module: str) -> str:
    """What `python -m` starts: a module, or the __main__ of a package."""
    is_package = (ROOT / module.replace(".", "/")).is_dir()
    return f"{module}.__main__" if is_package else module


def is_there(name: str) -> bool:
    if "/" in name:
        return (ROOT / name).exists()
    if name.endswith(".py"):
        return False  # a test without its folder: which of several?
    parts = name.split(".")
    # What comes after the module is a name in it.
    for end in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:end])
        if module.is_dir():
            return end == len(parts)
        if (source := module.with_suffix(".py")).is_file():
            return set(parts[end:]) <= set(re.findall(r"\w+", source.read_text("utf-8")))
    return False


def test_named_files_exist() -> None:
    # The change log speaks of the past, and this file of how names look.
    paths = [path for path in texts() if path.name not in ("CHANGELOG.md", "test_paths.py")]
    assert len(paths) > 500
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for name in sorted(named(path.read_text("utf-8")))
        if not is_there(name)
    ]
    assert missing == []


def test_names_are_found() -> None:
    text = "see `eval.nowhere`, engine/attic/old.py, `engine.limits.Limits` and test_old.py; python -m uci"
    assert named(text) == {
        "eval.nowhere",
        "engine/attic/old.py",
        "engine.limits.Limits",
        "test_old.py",
        "uci.__main__",
    }
    assert [name for name in named(text) if is_there(name)] == ["engine.limits.Limits"]
    assert not is_there("engine.limits.Bounds") and not is_there("engine.limits.Limits.patience_of")
    assert is_there("tests/support/places.py") and is_there(startable("cli"))
