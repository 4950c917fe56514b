"""Untrusted names of files, tags, ids, options and engines: no command writes them raw to the terminal.

Every command is tried with every argument that it takes, so a new one needs nothing here.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from boomslang.cli.command_line import COMMANDS
from boomslang.cli.terminal.arguments import Parser, UsageError
from boomslang.engine.learning.data.game_files import write_header
from boomslang.eval.network.file import SHIPPED, read, write
from tests.support.kernel_loader import replace_loader
from tests.support.strangers import ENCODABLE, MARKUP, WORD, harmful, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such names of files there")

NAME = WORD.replace("/", "")[:120]
PGN = f"""\
[Event "{ENCODABLE}"]
[White "{ENCODABLE}"]
[Black "[red]b[/] \x1b[31m"]
[Variant "\x1b[2J\u202e"]

1. e4 {{ {ENCODABLE} }} e5 2. \x1b[2J *

[White "{MARKUP}\x1b]0;x\x07"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 \x1b[2J\u202e"]

1. e4 Kd7 2. Ke5 *

[White "\u202eevil"]

1. d4 d5 *
"""
GOOD_PGN = '[White "\x1b[2J\u202e[bold]x[/bold][/none]"]\n[Event "\x9b\x7f"]\n\n1. e4 e5 *\n'
GOOD_EPD = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n"
EPD = """\
4k3/8/8/8/8/8/4P3/4K3 w - - id "\x1b[2J\u202e[bold]x[/bold][/none]"; bm e4; c0 "10 e3\x9b";
4k3/8/8/8/8/8/4P3/4K3 w - - id "two\x07"; bm \x1b[2J;
4k3/8/8/8/8/8/4P3/4K3 w - - id "\x7f"; am \u202e;
\x1b[2J/8/8/8/8/8/8/8 w - -
4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 \x1b[2J ;D2 7
"""
ENGINE = f"""\
#!{sys.executable}
import sys
name = {ENCODABLE!r}
for line in sys.stdin.buffer:
    word = line.split()[0] if line.split() else b""
    answer = ""
    if word == b"uci":
        answer = "id name " + name.replace("\\n", " ").replace("\\r", " ")
        answer += "\\noption name Skill \\x1b[2J type spin default 1 min 0 max 2\\nuciok\\n"
    elif word == b"isready":
        answer = "readyok\\n"
    elif line.startswith(b"go perft"):
        answer = "Nodes searched \\x1b[2J\\n"
    elif word in (b"go", b"quit"):
        break
    sys.stdout.buffer.write(answer.encode())
    sys.stdout.flush()
"""


class Reached(KeyboardInterrupt):
    """The kernels would have been loaded: the arguments are accepted."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an untrusted name and such files; it is the current one."""
    home = tmp_path / NAME
    home.mkdir()
    monkeypatch.chdir(home)
    contents = {
        "pgn": PGN,
        "epd": EPD,
        "good.pgn": GOOD_PGN,
        "good.epd": GOOD_EPD,
        "bin": f"\0{WORD}",
        "engine": ENGINE,
    }
    for ending, text in contents.items():
        path = home / f"{NAME}.{ending}"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    with (home / f"{NAME}.games").open("wb") as file:
        write_header(file, {"seed": 1, "engine": WORD, WORD: 1})
    return home


@pytest.fixture
def without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody shall work here, only read arguments."""

    def reached(*_: object, **__: object) -> None:
        raise Reached

    replace_loader(monkeypatch, reached)
    monkeypatch.setattr("chess.engine.SimpleEngine.popen", reached)
    monkeypatch.setattr("anyio.run", reached)
    monkeypatch.setattr("asyncio.run", lambda serving: serving.close() or 0)
    for check in (
        "machine_checks.kernels",
        "file_checks.launcher",
    ):  # they take long, and no argument
        monkeypatch.setattr(f"boomslang.cli.doctor.{check}", lambda: iter(()))


def parser_of(word: str) -> Parser:
    """What reads the arguments of a command."""
    found: list[Parser] = []

    def read(parser: Parser, argv: object) -> argparse.Namespace:
        found.append(parser)
        raise UsageError("enough")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parser, "read", read)
        import_module(COMMANDS[word]).main([])
    return found[0]


def parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[list[str], argparse.ArgumentParser]]:
    """The words that lead to each parser of a command: itself, or those below it."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        yield [], parser
    for action in below:
        for word, other in action.choices.items():
            yield [word], other


def hostile_lines(word: str, files: list[str]) -> Iterator[list[str]]:
    """Arguments of a command with something hostile for one of them."""
    yield [WORD]
    yield [f"--{WORD}"]
    yield [f"-{WORD}", WORD]
    for words, parser in parsers(parser_of(word)):
        actions = [each for each in parser._actions if each.nargs != 0]
        for action in actions:
            for value in [WORD, *files]:
                line = [*words]
                for other in actions:
                    needed = other.required or (not other.option_strings and other is action)
                    if other is action or needed:
                        line += _given(other, value if other is action else files[0])
                yield line


def _given(action: argparse.Action, value: str) -> list[str]:
    number: Any = action.nargs
    values = [value] * (number if isinstance(number, int) else 1)
    if not action.option_strings:
        return values
    option = action.option_strings[-1]
    return [f"{option}={value}"] if len(values) == 1 else [option, *values]


@pytest.mark.parametrize("word", sorted(COMMANDS))
@pytest.mark.usefixtures("without_kernels")
def test_no_argument_reaches_the_terminal(
    word: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [str(path) for path in sorted(folder.iterdir())]
    files += [str(folder), str(folder / NAME / "x"), os.path.relpath(files[0])]
    for line in hostile_lines(word, files):
        status, out, err = said([word, *line], monkeypatch)
        assert status in (0, 1, 2, 130), line
        assert not harmful(out + err), (line, out + err)
        assert "Errno" not in err and "Traceback" not in err, (line, err)
        assert err or status != 2, line


def _scenes(folder: Path) -> dict[str, list[str]]:
    """Commands that come to their end, though all is hostile."""
    pgn, epd, games, engine, network = (
        f"{NAME}.{ending}" for ending in ("pgn", "epd", "games", "engine", "net")
    )
    own, _ = read(SHIPPED)
    write(
        folder / network, own, {"command": ENCODABLE, ENCODABLE: "x", "mean": [{"seed": ENCODABLE}]}
    )
    good = f"{NAME}.good.epd"
    quick = ["--nodes", "50", "--jobs", "1"]
    started = f"./{shlex.quote(engine)}"
    return {
        "analyse": ["analyse", f"{NAME}.good.pgn", pgn, *quick, "--out", f"{NAME}-out"],
        "suite": ["suite", epd, *quick, "--engine", started, "--option", "Skill \x1b[2J=1"],
        "suite option": ["suite", epd, *quick, "--engine", started, "--option", f"{WORD}=1"],
        "match": ["match", started, started, "--nodes", "1", "--games", "2", "--openings", good],
        "match option": ["match", started, started, "--both", f"{WORD}=1", "--openings", good],
        "perft suite": ["perft", "--suite", epd],
        "perft against": ["perft", "1", "--against", started],
        "find": ["find", "white to move", pgn],
        "games": ["games", pgn, "-o", f"{NAME}.csv"],
        "label": ["label", epd, "--out", f"{NAME}.csv"],
        "label data": ["label", pgn, "--jobs", "1"],
        "puzzles": ["puzzles", pgn, *quick, "--out", f"{NAME}.epd.out"],
        "network": ["network", network],
        "datainfo": ["datainfo", games, pgn],
        "book build": ["book", "build", pgn, "-o", f"{NAME}.book", "--min-games", "1"],
        "gui": ["gui", "gnome-chess", "--engine", engine],
        "gui write": ["gui", "lichess-bot", "--engine", engine, "--write", f"{NAME}.yml"],
        "suite json": ["suite", epd, *quick, "--json", f"{NAME}.results"],
        "play": ["play", "--pgn", f"{NAME}.played", "--level", "0"],
    }


@pytest.mark.jit_only
def test_no_result_reaches_the_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ENCODABLE}\nsave {ENCODABLE}\ne4\nquit\n"))
    told = {}
    for name, line in _scenes(folder).items():
        status, out, err = said(line, monkeypatch)
        assert status in (0, 1, 2) and not harmful(out + err), (name, out + err)
        assert "Errno" not in err and "Traceback" not in err, (name, err)
        told[name] = out + err
    silent = {name for name, text in told.items() if "?[2J" not in text}
    assert silent <= {"match"}  # else the words have not come by
