"""The page "Your own network in an evening": its commands fit together."""

from __future__ import annotations

import re
import shlex
from importlib import import_module

from boomslang.cli.command_line import COMMANDS
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "own-network.md"
OURS = {"one.bin", "taught.net", "two.bin", "mine.net", "games.pgn", "match.jsonl"}


def commands() -> list[list[str]]:
    """The words of every command on the page, after `boomslang`."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    lines = [shlex.split(line) for line in "".join(blocks).replace("\\\n", " ").splitlines()]
    assert all(words[0] == "boomslang" for words in lines)
    return [words[1:] for words in lines]


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
