"""The Dockerfile, read without Docker: what it copies and runs exists, and nobody runs as root."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from string import Template

import pytest

from boomslang.cli.command_line import _WITHOUT_OWN_HELP, COMMANDS
from tests.conventions.test_docs import help_of
from tests.support.places import ROOT

ROOT_USERS = {"", "root", "0"}
TARGETS = ("engine", "lichess-bot")
# Variables that say what kernels are compiled for, and where they lie.
OF_THE_CACHE = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "BOOMSLANG_CACHE_DIR")


@dataclass
class Stage:
    """One stage: what it starts from, and its instructions with their arguments."""

    base: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        return [words for instruction, words in self.steps if instruction == name]


def read() -> tuple[dict[str, str], dict[str, Stage]]:
    """The global arguments with their defaults, and the stages by name."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    arguments: dict[str, str] = {}
    stages: dict[str, Stage] = {}
    stage = None
    for line in re.sub(r"\\\n\s*", " ", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        name, _, words = line.partition(" ")
        assert name in {
            *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "RUN", "USER", "WORKDIR")
        }, line
        if name == "FROM":
            found = re.fullmatch(r"(\S+) AS (\S+)", words)
            assert found, line
            stage = stages[found[2]] = Stage(found[1])
        elif stage:
            stage.steps.append((name, words))
        else:
            assert name == "ARG", line
            arguments.update(pairs(words))
    return arguments, stages


def pairs(words: str) -> dict[str, str]:
    """`A=1 B="2"` of ARG and ENV; an argument without default is empty."""
    return dict(word.partition("=")[::2] for word in shlex.split(words))


ARGUMENTS, STAGES = read()


def lineage(name: str) -> list[Stage]:
    """A stage and those it starts from, the first one first."""
    found: list[Stage] = []
    while name in STAGES:
        found.insert(0, STAGES[name])
        name = STAGES[name].base
    return found


def environment(name: str) -> dict[str, str]:
    """What ENV says in a stage and those it starts from, with the defaults of ARG filled in."""
    values: dict[str, str] = {}
    for stage in lineage(name):
        known = {key: value for words in stage.all("ARG") for key, value in pairs(words).items()}
        for words in stage.all("ENV"):
            for key, value in pairs(words).items():
                values[key] = Template(value).safe_substitute(values | known)
    return values


def ignored(path: str) -> bool:
    """True if .dockerignore keeps the file or folder out of the build."""
    result = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and fnmatch(path, pattern):
            result = not line.startswith("!")
    return result


def commands(text: str) -> list[list[str]]:
    """The words after `boomslang` in the commands of a RUN."""
    parts = [shlex.split(part) for part in re.split(r"&&|\|\||;", text)]
    return [words[1:] for words in parts if words and words[0].endswith("boomslang")]


def check_command(words: list[str], place: str) -> None:
    """The command exists, with the options that are given."""
    if not words:
        return
    if words[0] in COMMANDS:
        known = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", help_of(words[0])))
        for option in (word.split("=")[0] for word in words[1:] if word.startswith("--")):
            assert option in known, f"{place}: {words}"
    else:
        assert words[0] in _WITHOUT_OWN_HELP, f"{place}: {words}"


def test_targets_and_their_bases() -> None:
    assert set(TARGETS) <= set(STAGES)
    outside = {stage.base for stage in STAGES.values() if stage.base not in STAGES}
    assert outside == {"python:${PYTHON}-slim"}
    assert re.fullmatch(r"3\.\d+", ARGUMENTS["PYTHON"])
    minor = int(ARGUMENTS["PYTHON"].split(".")[1])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"Programming Language :: Python :: 3.{minor}" in project["classifiers"]


def test_what_is_copied_exists() -> None:
    copied = set()
    for stage in STAGES.values():
        for words in stage.all("COPY"):
            *sources, target = [word for word in words.split() if not word.startswith("--")]
            origin = re.search(r"--from=(\S+)", words)
            if origin:
                assert origin[1] in STAGES, words
                continue
            for source in sources:
                assert (ROOT / source).exists(), words
                assert not ignored(source), f"{source} is in .dockerignore"
                place = f"{target}{Path(source).name}" if target.endswith("/") else target
                assert Path(place) == Path(source), words  # the build finds it by its name
            copied.update(sources)
    for unwanted in (".venv", ".git", "build", "tests"):
        assert ignored(unwanted), unwanted
    # All that goes into the wheel, by hatchling and by its hooks; it leaves out a licence that is missing.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {path.split("/")[0] for path in wheel["force-include"]}
    assert copied == {
        *needed,
        *settings["project"]["license-files"],
        "pyproject.toml",
        ".ci/hatch_build.py",
        "README.md",
    }


def test_commands_exist() -> None:
    found = [
        words for stage in STAGES.values() for run in stage.all("RUN") for words in commands(run)
    ]
    assert ["warmup", "--all"] in found
    for words in found:
        check_command(words, "Dockerfile")
    entry = json.loads(STAGES["engine"].all("ENTRYPOINT")[-1])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert entry[0] in project["scripts"] and len(entry) == 1


@pytest.mark.parametrize("target", TARGETS)
def test_images_do_not_run_as_root(target: str) -> None:
    users = [user for stage in lineage(target) for user in stage.all("USER")]
    assert users and users[-1].split(":")[0] not in ROOT_USERS
    created = [run for stage in lineage(target) for run in stage.all("RUN")]
    assert any(re.search(rf"\buseradd\b.* {users[-1]}$", run) for run in created)


@pytest.mark.parametrize("target", TARGETS)
def test_the_image_contains_the_compiled_kernels(target: str) -> None:
    # Kernels are found again only if these are the same; else every start would compile.
    built, run = environment("build"), environment(target)
    assert [run[name] for name in OF_THE_CACHE] == [built[name] for name in OF_THE_CACHE]
    assert {name for name in built if name.startswith("NUMBA_")} == set(OF_THE_CACHE[:2])
    assert built["NUMBA_CPU_NAME"] == "x86-64-v3" and built["NUMBA_CPU_FEATURES"] == ""
    assert run["PATH"].startswith("/opt/boomslang/bin:")
    # Compiled after the installation, readable for the user, and taken along under the same path.
    steps = [words for stage in lineage("build") for words in stage.all("RUN")]
    installed = next(n for n, run in enumerate(steps) if "pip" in run and "/opt/boomslang" in run)
    warm = next(n for n, run in enumerate(steps) if ["warmup", "--all"] in commands(run))
    assert installed < warm and "chmod -R go=rX ${BOOMSLANG_CACHE_DIR}" in steps[warm]
    folder = built["BOOMSLANG_CACHE_DIR"]
    taken = [words.split() for stage in lineage(target) for words in stage.all("COPY")]
    assert any(
        words[0] == "--from=build" and words[1] == words[2] and folder.startswith(f"{words[1]}/")
        for words in taken
    )


def test_no_token_is_in_the_image() -> None:
    for stage in STAGES.values():
        for words in [*stage.all("ENV"), *stage.all("ARG")]:
            assert not any("TOKEN" in name for name in pairs(words)), words


def test_the_bot_is_one_commit() -> None:
    stage = STAGES["lichess-bot-build"]
    (address, place), *others = [words.split() for words in stage.all("ADD")]
    assert not others and address.endswith(".git#${LICHESS_BOT}")
    (argument,) = stage.all("ARG")
    assert re.fullmatch("[0-9a-f]{40}", pairs(argument)["LICHESS_BOT"])
    version = re.search(r"# Version ([\d.]+)\n", (ROOT / "Dockerfile").read_text("utf-8"))
    assert version and f"lichess-bot {version[1]} " in (ROOT / "docs/docker.md").read_text("utf-8")
    entry = json.loads(STAGES["lichess-bot"].all("ENTRYPOINT")[-1])
    assert entry[:2] == [f"{place}/venv/bin/python", "lichess-bot.py"]
    assert STAGES["lichess-bot"].all("WORKDIR")[-1] == place


def test_the_page_shows_what_there_is() -> None:
    text = (ROOT / "docs" / "docker.md").read_text("utf-8")
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S)).replace("\\\n", " ")
    built, started = set(), 0
    for line in blocks.splitlines():
        words = shlex.split(line, comments=True)
        if words[:2] == ["docker", "build"]:
            assert words[words.index("--target") + 1] in TARGETS
            built.add(words[words.index("--tag") + 1])
        elif words[:2] == ["docker", "run"]:
            (at,) = [place for place, word in enumerate(words) if word in built]
            if words[at] == "boomslang":
                check_command(words[at + 1 :], "docker.md")
            started += 1
    assert built == {"boomslang", "boomslang-lichess"} and started >= 6
    declared = set(ARGUMENTS) | {
        name for stage in STAGES.values() for words in stage.all("ARG") for name in pairs(words)
    }
    assert set(re.findall(r"--build-arg (\w+)=", text)) <= declared
