"""The page "Your own network in an evening": its commands fit together, and work with smaller numbers."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.eval.network import file
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "own-network.md"
OURS = {"one.bin", "taught.net", "two.bin", "mine.net", "games.pgn", "match.jsonl"}
# Numbers with which the whole page takes a minute.
SMALL = {"--positions": "3000", "--nodes": "200", "--epochs": "1", "--games": "2"}


def commands() -> list[list[str]]:
    """The words of every command on the page, after `boomslang`."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    lines = [shlex.split(line) for line in "".join(blocks).replace("\\\n", " ").splitlines()]
    assert all(words[0] == "boomslang" for words in lines)
    return [words[1:] for words in lines]


def smaller(words: list[str]) -> list[str]:
    """The same command with the numbers of `SMALL`."""
    changed = list(words)
    for place, word in enumerate(words[:-1]):
        if word in SMALL:
            changed[place + 1] = SMALL[word]
    return changed


def written_by(words: list[str]) -> set[str]:
    return {words[place + 1] for place, word in enumerate(words) if word in ("--out", "--pgn")}


def test_each_command_is_valid_and_finds_the_files_of_earlier_ones() -> None:
    there: set[str] = set()
    for words in commands():
        import_module(COMMANDS[words[0]]).new_parser().parse_args(words[1:])
        named = set(re.findall(r"[\w-]+\.(?:bin|net|jsonl|pgn)\b", " ".join(words)))
        assert named - written_by(words) <= there, words
        there |= written_by(words)
    assert there == OURS
    assert {words[0] for words in commands()} == {
        "datagen",
        "datainfo",
        "train",
        "network",
        "match",
    }


@pytest.mark.jit_only
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("kernels")
def test_the_page_works(tmp_path: Path) -> None:
    said = []
    for words in commands():
        done = subprocess.run(
            [sys.executable, "-P", str(ROOT / "cli" / "__main__.py"), *smaller(words)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        said.append(done.stdout)
    _, header = file.read(tmp_path / "mine.net")
    assert header["command"].startswith("boomslang train one.bin two.bin --from taught.net ")
    assert {path.name for path in tmp_path.iterdir()} == OURS
    assert all("Elo" in text for text in said[-2:])
