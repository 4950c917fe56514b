"""How all commands parse their arguments and report errors."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.cli.terminal.arguments import BAD_USAGE, INTERRUPTED, Parser, UsageError, run_command
from boomslang.core.system.files import FileError
from boomslang.engine.errors import CommandError, JobsError, refuse_errors
from tests.cli.test_untrusted_names import parser_of, parsers


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
    with pytest.raises(KeyError), refuse_errors(ValueError):
        raise KeyError
    with (
        pytest.raises(CommandError, match=r"^here: that$"),
        refuse_errors(ValueError, about="here: "),
    ):
        raise ValueError("that")
    with pytest.raises(FileError, match=r"^that$"), refuse_errors(ValueError, about="here: "):
        raise FileError("that")


def test_the_file_to_write_is_named_alike_in_all_commands() -> None:
    for word in COMMANDS:
        for _, parser in parsers(parser_of(word)):
            for action in parser._actions:
                if {"--out", "--output", "-o"} & set(action.option_strings):
                    assert action.option_strings == ["-o", "--out"], word
