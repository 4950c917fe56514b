"""The Dockerfile, read without Docker: what it copies and runs exists, and nobody runs as root."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch

from boomslang.cli.command_line import COMMANDS
from tests.conventions.test_docs import help_of
from tests.support.places import ROOT

TEXT = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text("utf-8"))
PAGE = (ROOT / "docs" / "docker.md").read_text("utf-8").replace("\\\n", " ")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
STAGES = dict(re.findall(r"^FROM \S+ AS (\S+)\n(.*?)(?=^FROM |\Z)", TEXT, re.M | re.S))


def ignored(path: str) -> bool:
    """True if .dockerignore keeps the file or folder out of the build."""
    result = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if line and not line.startswith("#") and fnmatch(path, line.removeprefix("!")):
            result = not line.startswith("!")
    return result


def test_all_that_goes_into_the_wheel_is_copied_to_its_place() -> None:
    copied = set()
    for *sources, target in map(str.split, re.findall(r"^COPY (?!--)(.*)", TEXT, re.M)):
        for source in sources:
            name = source.rpartition("/")[2]
            assert (ROOT / source).exists() and not ignored(source)
            place = target + name if target.endswith("/") else target
            assert place.removeprefix("./") == source
        copied.update(sources)
    # By hatchling and by its hooks; it leaves out a licence that is missing.
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {path.split("/")[0] for path in wheel["force-include"]}
    needed |= {*PROJECT["project"]["license-files"], "pyproject.toml", "README.md"}
    assert copied == needed | {".ci/hatch_build.py"}
    assert all(map(ignored, (".venv", ".git", "build", "tests")))


def test_the_image_has_a_python_that_is_supported() -> None:
    version = re.search(r"^ARG PYTHON=(3\.\d+)$", TEXT, re.M)
    assert version and set(re.findall(r"^FROM (\S*:\S*)", TEXT, re.M)) == {"python:${PYTHON}-slim"}
    assert f"Programming Language :: Python :: {version[1]}" in PROJECT["project"]["classifiers"]


def test_kernels_are_compiled_for_what_runs_them_and_taken_along() -> None:
    # They are found again only if these are the same, so one stage below both says them.
    assert re.findall(r"^FROM (\S+) AS (?:build|engine)$", TEXT, re.M) == ["base", "base"]
    assert all(
        name not in text
        for name, text in STAGES.items()
        if name != "base"
        for name in ("NUMBA_", "CACHE_DIR=")
    )
    assert "NUMBA_CPU_NAME=${CPU_NAME}" in STAGES["base"] and "CPU_NAME=x86-64-v3" in STAGES["base"]
    assert "NUMBA_CPU_FEATURES=${CPU_FEATURES}" in STAGES["base"]
    assert 'CPU_FEATURES=""' in STAGES["base"]
    assert "BOOMSLANG_CACHE_DIR=/opt/kernels" in STAGES["base"]
    build, engine = STAGES["build"], STAGES["engine"]
    assert build.index("pip ") < build.index("boomslang warmup --all")
    assert (
        "chmod -R go=rX ${BOOMSLANG_CACHE_DIR}" in build and "COPY --from=build /opt /opt" in engine
    )


def test_nobody_runs_as_root_and_no_token_is_inside() -> None:
    user = re.findall(r"^USER (\S+)$", TEXT, re.M)
    assert user == ["boomslang"] and re.search(r"useradd .* boomslang$", STAGES["engine"], re.M)
    assert re.search(r"^FROM engine AS lichess-bot$", TEXT, re.M)
    assert not re.search(r"^(ENV|ARG) .*TOKEN", TEXT, re.M)


def test_the_bot_is_one_commit() -> None:
    version = re.search(r"^# Version ([\d.]+)\nARG LICHESS_BOT=[0-9a-f]{40}$", TEXT, re.M)
    assert version and f"lichess-bot {version[1]} " in PAGE


def test_commands_and_targets_exist() -> None:
    assert set(re.findall(r"--target (\S+)", PAGE)) == {"engine", "lichess-bot"} <= STAGES.keys()
    assert set(re.findall(r"--build-arg (\w+)=", PAGE)) <= set(
        re.findall(r"^ARG (\w+)=", TEXT, re.M)
    )
    shown = re.findall(r"^docker run .*? boomslang (\w[\w-]*)(.*)", PAGE, re.M)
    run = re.findall(r"\bboomslang (warmup|gui)( .*)", TEXT)
    assert run and shown
    for word, rest in [*run, *shown]:
        if word in COMMANDS:
            options = re.findall(r" (--[a-z][\w-]*)", rest)
            assert set(options) <= set(re.findall(r"--[a-z][\w-]*", help_of(word))), (word, rest)
