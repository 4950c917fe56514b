"""How all command words read their arguments, and what they say to bad ones."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from boomslang.cli.command_line import _COMMANDS
from boomslang.cli.terminal.arguments import (
    BAD_USAGE,
    INTERRUPTED,
    Parser,
    UsageError,
    refusing,
    run_command,
)
from boomslang.engine.core.system.files import FileError
from boomslang.engine.jobs.errors import JobsError


@pytest.mark.parametrize("word", sorted(_COMMANDS))
def test_bad_usage_is_one_line(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_module(_COMMANDS[word]).main(["--frobnicate"]) == BAD_USAGE
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
