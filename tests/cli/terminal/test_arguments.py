"""How all commands parse their arguments, renamed options included, and report errors."""

from __future__ import annotations

import argparse
import re
from importlib import import_module

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.cli.terminal.arguments import (
    BAD_USAGE,
    INTERRUPTED,
    Parser,
    UsageError,
    refusing,
    run_command,
)
from boomslang.engine.jobs.job_errors import JobsError
from boomslang.engine.system.files import FileError
from tests.cli.test_untrusted_names import parser_of, parsers

RENAMED = [
    (word, old, new)
    for word in sorted(COMMANDS)
    for old, new in sorted(parser_of(word).former.items())
]
# The arguments that these commands cannot do without.
REQUIRED = {
    "book": ["build", "games.pgn"],
    "datagen": ["--games", "1", "--out", "games.bin"],
    "train": ["games.bin", "--out", "a.net"],
}


@pytest.mark.parametrize("word", sorted(COMMANDS))
def test_bad_usage_is_one_line(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_module(COMMANDS[word]).main(["--frobnicate"]) == BAD_USAGE
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith(f"boomslang {word}: ") and not printed.out


@pytest.mark.parametrize(
    ("problem", "status", "said"),
    [
        (UsageError("that is wrong"), BAD_USAGE, "boomslang x: that is wrong"),
        (FileError("no such file"), BAD_USAGE, "boomslang x: no such file"),
        (JobsError("nobody works"), BAD_USAGE, "boomslang x: nobody works"),
        (KeyboardInterrupt(), INTERRUPTED, "boomslang x: interrupted"),
    ],
)
def test_what_ends_a_command(
    problem: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(arguments: argparse.Namespace) -> int:
        raise problem

    assert run_command(Parser("boomslang x", "", ""), [], work) == status
    assert capsys.readouterr().err == f"{said}\n"


def test_bugs_are_no_bad_input() -> None:
    with pytest.raises(KeyError), refusing(ValueError):
        raise KeyError
    with pytest.raises(UsageError, match=r"^here: that$"), refusing(ValueError, about="here: "):
        raise ValueError("that")
    with pytest.raises(FileError, match=r"^that$"), refusing(ValueError, about="here: "):
        raise FileError("that")


def test_options_are_renamed_in_three_commands() -> None:
    assert {word for word, _, _ in RENAMED} == set(REQUIRED) and len(RENAMED) == 11


@pytest.mark.parametrize(("word", "old", "new"), RENAMED)
def test_a_renamed_option_works_by_its_old_name(
    word: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (action,) = (
        action
        for _, parser in parsers(parser_of(word))
        for action in parser._actions
        if new in action.option_strings
    )
    parser = parser_of(word)
    capsys.readouterr()
    forms = [[old]] if action.nargs == 0 else [[old, "1"], [f"{old}=1"]]
    for form in forms:
        former = parser.read([*REQUIRED[word], *form])
        assert capsys.readouterr().err == f"boomslang {word}: {old} is deprecated; use {new}\n"
        now = parser.read([*REQUIRED[word], *[each.replace(old, new) for each in form]])
        assert former == now and getattr(now, action.dest) != action.default
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("word", "old", "new"), RENAMED)
def test_old_names_are_hidden(word: str, old: str, new: str) -> None:
    texts = [parser.format_help() for _, parser in parsers(parser_of(word))]
    options = {option for text in texts for option in re.findall(r"(?<![\w-])--[\w-]+", text)}
    assert new in options and old not in options


def test_what_follows_two_dashes_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser("boomslang x", former={"--old": "--new"})
    parser.add_argument("words", nargs="*")
    parser.add_argument("--new")
    assert parser.read(["--", "--old"]).words == ["--old"] and not capsys.readouterr().err
    with pytest.raises(UsageError, match="unknown option '--older'"):
        parser.read(["--older"])


def test_the_file_to_write_is_named_alike_in_all_commands() -> None:
    for word in COMMANDS:
        for _, parser in parsers(parser_of(word)):
            for action in parser._actions:
                if {"--out", "--output", "-o"} & set(action.option_strings):
                    assert action.option_strings == ["-o", "--out"], word
