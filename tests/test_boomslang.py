"""The library door: an engine in one call, from wherever a program in Python may call."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import subprocess
import sys
from contextlib import nullcontext
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import chess
import chess.engine
import numpy as np
import pytest

import boomslang
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.installation import PACKAGES
from boomslang.engine.other_engines import popen
from boomslang.engine.other_engines.option_refusals import read_value
from tests.support.documents import PAGES, programs, run_programs, shown_outputs
from tests.support.pgn_writer import written_game
from tests.support.places import ROOT
from tests.support.process import run_python

LIMIT = chess.engine.Limit(nodes=2000)


GAME = "chess.pgn.read_game(io.StringIO('1. f3 e5 2. g4 Qh4# *'))"
# Each public name, and what its call prints in a process that has done nothing else.
CALLS = {
    "__version__": ("boomslang.__version__", VERSION),
    "CommandError": ("issubclass(boomslang.CommandError, ValueError)", "True"),
    "Info": ("boomslang.Info.__name__", "Info"),
    "Limits": ("boomslang.Limits(depth=3).depth", "3"),
    "Result": ("boomslang.Result(None, None).lines", "()"),
    "Score": ("boomslang.Score(mate=-3)", "#-3"),
    "command": ("len(boomslang.command()) > 1", "True"),
    "eval.wdl.conversion.to_cp": ("boomslang.eval.wdl.conversion.to_cp(0)", "0"),
    "perft.divide.divide": (
        "sum(count for _, count in boomslang.perft.divide.divide(chess.Board(), 3))",
        "8902",
    ),
}
SLOW_CALLS = {
    "people": ("round(sum(boomslang.people(chess.STARTING_FEN, 1500).values()), 3)", "1.0"),
    "Games": ("boomslang.Games.__name__", "Games"),
    "find": ("boomslang.find('pe5', b'1. f3 e5 *').tolist()", "[(0, 1, 2)]"),
    "read_games": ("boomslang.read_games(b'1. f3 e5 *').uci(0)", "['f2f3', 'e7e5']"),
    "Engine": ("boomslang.Engine(Hash=1).go(boomslang.Limits(depth=1)).best in START", "True"),
    "label": ("boomslang.label([chess.STARTING_FEN], nodes=100)['nodes'][0] > 0", "True"),
    "analyse_game": (f"type(boomslang.analyse_game({GAME}, nodes=100)).__name__", "dict"),
    "play_match": ("len(boomslang.play_match('.', '.', nodes=100, games=2)['games'])", "2"),
    "popen": ("boomslang.popen().quit()", "None"),
    "popen_async": ("asyncio.run(leave())", "None"),
}
PREAMBLE = """\
import asyncio, io
import chess, chess.pgn
import boomslang

START = list(chess.Board().legal_moves)

async def leave():
    transport, engine = await boomslang.popen_async()
    await engine.quit()
    transport.close()

if __name__ == "__main__":
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose modules have the names of ours, and raise when they are imported."""
    for name in PACKAGES:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('a strange {name}.py')\n")
    return tmp_path


def python(*arguments: str, folder: Path, path: str = str(ROOT)) -> str:
    """What another Python prints in `folder`, where `boomslang` is found by `path`."""
    done = run_python(*arguments, folder=folder, variables={"PYTHONPATH": path})
    said = [line for line in done.stderr.splitlines() if not line.startswith("getting ready, ")]
    assert (done.returncode, said) == (0, [])
    return done.stdout


@pytest.mark.jit_only
def test_a_few_moves_and_the_process_ends_with_the_block() -> None:
    with boomslang.popen(Hash=4, Move_Overhead=20, UCI_ShowWDL=True) as engine:
        assert engine.id["name"] == f"{NAME} {VERSION}"
        assert engine.timeout == 10.0
        board = chess.Board()
        for _ in range(4):
            result = engine.play(board, LIMIT, info=chess.engine.INFO_ALL)
            assert result.move and result.move in board.legal_moves
            # Plain Python, which plays until the kernels are there, does not get so far.
            assert result.info["depth"] >= 4 and "wdl" in result.info
            board.push(result.move)
    engine.returncode.result(60)


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"Nonsense": 1}, "does not support option Nonsense"),
        ({"Hash": "much"}, "expected integer for spin option 'Hash'"),
        ({"Move_Overhead": -5}, "expected value for option 'Move Overhead' to be at least 0"),
        ({"UCI_Chess960": True}, "automatically managed"),
        ({"OwnBook": "maybe"}, "expected true or false for option 'OwnBook', got: 'maybe'"),
        ({"EvalFile": "nowhere.net"}, "no other network: cannot read 'nowhere.net'"),
        ({"BookFile": "nowhere.bin"}, "no opening book: cannot read 'nowhere.bin'"),
        ({"SyzygyPath": "nowhere"}, "no endgame tables: there is no folder 'nowhere'"),
    ],
)
def test_invalid_options_raise_the_errors_of_python_chess(
    options: dict[str, chess.engine.ConfigValue], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    original = chess.engine.SimpleEngine.popen

    def remember(*args: object, **kwargs: object) -> chess.engine.SimpleEngine:
        started.append(original(*args, **kwargs))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(chess.engine.SimpleEngine, "popen", remember)
    with pytest.raises(chess.engine.EngineError, match=re.escape(told)):
        boomslang.popen(**options)
    started[0].returncode.result(60)  # it has gone


@pytest.mark.parametrize(
    ("kind", "value", "sound"),
    [
        *(("spin", value, False) for value in (None, True, 2.7, [1])),
        *(("spin", value, True) for value in (8, "8", np.int64(8))),
        *(("string", value, False) for value in (None, 3, b"x")),
        *(("string", value, True) for value in ("", Path("x"))),
        *(("check", value, value == 1) for value in (None, 2, "", 1, True, np.bool_(True))),
    ],
)
def test_an_option_takes_what_is_of_its_kind(kind: str, value: Any, sound: bool) -> None:
    option = chess.engine.Option("Name", kind, None, None, None, None)
    with nullcontext() if sound else pytest.raises(chess.engine.EngineError, match="'Name'"):
        assert read_value(option, value) == value


def test_how_far_the_first_start_is(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "chess.engine")
    python_chess = logging.getLogger("chess.engine")
    line = "info string getting ready, slow at the first start only: 3 of 17 kernels"
    with popen._progress_as_warnings():
        python_chess.warning("%s: Unexpected engine output: %r", "<UciProtocol>", line)
        python_chess.warning("something else")
    python_chess.warning("%s", line)
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("boomslang", "getting ready, slow at the first start only: 3 of 17 kernels"),
        ("chess.engine", "something else"),
        ("chess.engine", line),
    ]


@pytest.mark.jit_only
def test_asyncio() -> None:
    async def talk() -> tuple[chess.Move | None, int, type[Exception]]:
        transport, engine = await boomslang.popen_async(Hash=4)
        result = await engine.play(chess.Board(), LIMIT)
        await engine.quit()
        returncode = await engine.returncode
        assert transport.get_returncode() == returncode
        transport.close()
        try:
            await boomslang.popen_async(EvalFile="nosuch.net")
        except chess.engine.EngineError as problem:
            return result.move, returncode, type(problem)
        raise AssertionError

    move, returncode, problem = asyncio.run(talk())
    assert move and move in chess.Board().legal_moves
    assert (returncode, problem) == (0, chess.engine.EngineError)


def test_the_command_line(hostile: Path) -> None:
    assert python("-m", "boomslang", "version", folder=hostile) == f"{NAME} {VERSION}\n"
    assert "usage: boomslang" in python("-m", "boomslang", "help", folder=hostile)
    said = subprocess.run(
        [*boomslang.command(), "version"], cwd=hostile, capture_output=True, text=True
    )
    assert said.stdout == f"{NAME} {VERSION}\n"


def test_nothing_of_the_engine_is_imported(hostile: Path) -> None:
    asked = f"import boomslang, sys; print({{'chess', *{PACKAGES}}} & set(sys.modules))"
    assert python("-c", asked, folder=hostile) == "set()\n"


def test_the_version() -> None:
    assert boomslang.__version__ == VERSION
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def examples() -> list[tuple[str, str]]:
    """The programs that the documents show without their output, shortened, with their page."""
    with_output = tuple(shown.code for shown in shown_outputs())  # held in tests/conventions
    return [
        (page, re.sub(r"time=[\d.]+", "nodes=300", code))
        for page, code in programs()
        if not code.startswith(with_output)
    ]


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "page",
    ["python.md", "games.md", "people.md", pytest.param("your-engine.md", marks=pytest.mark.slow)],
)
def test_what_the_documents_show_runs(page: str, hostile: Path) -> None:
    assert {name for name, _ in examples()} == {
        "games.md",
        "people.md",
        "python.md",
        "your-engine.md",
    }
    shown = [each for each in examples() if each[0] == page]
    source = random.Random(4)
    (hostile / "games.pgn").write_text("".join(written_game(source) for _ in range(40)), "utf-8")
    printed = run_programs((code for _, code in shown), hostile)
    assert len(printed) == len(shown) and all(text.strip() for text in printed)


def alone(call: str, folder: Path) -> str:
    """What a fresh process prints that makes this call only."""
    (folder / "program.py").write_text(f"{PREAMBLE}    print({call})\n")
    return python("program.py", folder=folder).strip()


@pytest.mark.jit_only
@pytest.mark.parametrize(
    "name", [*CALLS, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW_CALLS)]
)
def test_a_documented_call_works_alone(name: str, hostile: Path) -> None:
    call, printed = (CALLS | SLOW_CALLS)[name]
    assert alone(call, hostile) == printed


def test_each_documented_name_is_called_alone() -> None:
    called = CALLS.keys() | SLOW_CALLS.keys()
    assert set(boomslang.__all__) <= called
    text = "".join(page.read_text("utf-8") for page in PAGES)
    for name in re.findall(r"`boomslang\.(?!py`)([\w.]+)", text):
        assert name in called or name == "exe", name


def test_an_editable_install_is_the_clone_itself(hostile: Path) -> None:
    installed = distribution("boomslang-chess").read_text("direct_url.json") or ""
    if f'"{ROOT.as_uri()}"' not in installed:
        pytest.skip("this Python has no editable install of this clone")
    asked = "import boomslang; print(boomslang.__file__)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", asked], cwd=hostile, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(ROOT / "boomslang.py")
