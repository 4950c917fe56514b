"""The engine as a GUI meets it: a process and two pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import chess
import pytest

from tests.support.places import ROOT
from tests.support.process import STARTUP, UciProcess, run_python
from tests.support.uci_rows import CHECKMATED, START_MOVES

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow

IGNORED = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # in the background of a script


@pytest.fixture
def engine(live: UciProcess) -> UciProcess:
    """The warm engine of all tests, in a new game."""
    return live


@pytest.mark.parametrize(
    "fen",
    [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 100 140",
        "rnbqkbnr/bbbbbbbb/8/8/8/8/BBBBBBBB/RNBQKBNR w KQkq - 0 1",
    ],
    ids=["218 moves", "50 moves are over", "18 bishops"],
)
def test_strange_positions_are_played(engine: UciProcess, fen: str) -> None:
    move = engine.best(f"position fen {fen}", "go depth 2")
    assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves


NOISE = [
    b"\n" * 1000,
    b"  position \t startpos   moves  \n \t\n",
    b"\0\0\0go\0\n\0",
    bytes(range(256)) * 16,
    b"setoption name Hash\xff\xfe\xc3( value 16\n\x80\x81\n",
    "uci\nisready\n".encode("utf-16"),
    b"setoption name " + b"x" * 3_000_000,
    b"position fen " + b"p" * 1_000_000 + b" w - - 0 1",
    b"foo bar\n" * 2000,
    b"%n%s%s%d",
    b"x\rbestmove e2e4",
    b"setoption\nsetoption name\nsetoption name value\nsetoption value 3",
    b"setoption name SyzygyPath value /nowhere\nsetoption name X",
    b"setoption name Hash value 0\nsetoption name Threads value -5",
    b"setoption name Hash value abc\nsetoption name Move Overhead value 1e9",
]


def test_noise_does_no_harm(engine: UciProcess) -> None:
    remark = re.compile(r"info string (error: |no endgame tables: ).{1,250}$|readyok$")
    for noise in NOISE:
        engine.send_bytes(noise + b"\n")
        assert all(map(remark.match, engine.ready())), noise[:50]


def test_perft_is_printed_as_by_stockfish(engine: UciProcess) -> None:
    engine.send("go perft 2")
    lines = engine.until("Nodes searched")
    assert sorted(lines[:20]) == sorted(f"{move}: 20" for move in START_MOVES)
    assert [*lines[20:], *engine.ready()] == ["", "Nodes searched: 400", "", "readyok"]


# What is sent, the line for which the end waits, and the end that is no slow test.
PHASES = {
    "at once": ([], "", "EOF"),
    "idle": (["uci", "isready"], "readyok$", "quit"),
    "searching": (["uci", "isready", "go infinite"], "info depth", "EOF"),
    "pondering": (["isready", "go ponder wtime 9999 btime 9999"], "info depth", ""),
    "a game over": (["isready", f"position fen {CHECKMATED}", "go infinite"], "info depth", ""),
    "loading": (["uci"], "", "quit"),
    "searching while loading": (["uci", "position startpos", "go infinite"], "", "EOF"),
}
ENDS = [
    pytest.param(phase, end, marks=[pytest.mark.slow] * (end != PHASES[phase][2]))
    for phase in PHASES
    for end in ("quit", "EOF")
]


@pytest.mark.parametrize(("phase", "end"), [*ENDS, ("idle", "EOF in a line")])
def test_it_leaves_in_every_phase(phase: str, end: str) -> None:
    with UciProcess() as engine:
        lines, awaited, _ = PHASES[phase]
        engine.send(*lines)
        if awaited:
            engine.until(awaited, STARTUP)
        if end == "quit":
            engine.send("quit")
        else:
            engine.send_bytes(b"" if end == "EOF" else b"isrea")
            engine.close_input()
        assert engine.wait() == 0
        assert engine.errors() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way")
@pytest.mark.parametrize(
    ("words", "command"),
    [
        ([], "go movetime 100"),
        ([], "uci"),
        (["xboard"], "protover 2"),
        (["xboard"], "post\nanalyze"),
    ],
)
def test_a_broken_output_ends_it(words: list[str], command: str) -> None:
    ends = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        stdin=subprocess.PIPE,
        stdout=ends[1],
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    os.close(ends[1])
    os.close(ends[0])  # the GUI has died, but somebody holds our input open
    with process:
        assert process.stdin and process.stderr
        process.stdin.write(command.encode() + b"\n")
        process.stdin.flush()
        assert process.wait(STARTUP) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32" or IGNORED, reason="no such signals")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", -15), ("SIGHUP", -1)])
def test_signals_end_it_quietly(name: str, status: int) -> None:
    with UciProcess() as engine:
        engine.send("uci", "go infinite")
        engine.until("info depth 1 ", STARTUP)
        engine.process.send_signal(getattr(signal, name))
        assert engine.wait() == status
        assert engine.errors() == ""


def test_commands_as_arguments() -> None:
    with UciProcess("position startpos", "eval", "go perft 3", "go depth 3", "quit") as engine:
        assert engine.wait(STARTUP) == 0
        lines = engine.rest()
        for answer in ("Final evaluation", "Nodes searched: 8902", r"bestmove \w{4}"):
            assert any(re.match(answer, line) for line in lines), lines
        assert re.match("bestmove", lines[-1])
        assert engine.errors() == ""


def test_nothing_heavy_is_imported_before_uciok() -> None:
    heavy = ("numba", "numpy", "chess", "rich", "argparse", "llvmlite")
    program = (
        "import sys, boomslang.cli.__main__;"
        "from boomslang.uci import formatting, line_reader, loop, output;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = run_python("-c", program)
    assert run.stdout.strip() == "[]", run.stderr


def test_the_first_search_finds_everything_imported() -> None:
    program = (
        "import sys, chess;"
        "from boomslang.engine.driver.loading import build_searcher;"
        "from boomslang.engine.limits import Limits;"
        "player, _ = build_searcher(lambda done, total, loading=False: None); before = set(sys.modules);"
        "player.search(chess.Board(), Limits(depth=4), lambda info: None);"
        "print(sorted(set(sys.modules) - before), 'numba.cpython.setobj' in sys.modules)"
    )
    run = run_python("-c", program)
    # Nor does Numba register what can be compiled, once the kernels are in the cache.
    assert run.stdout.strip() == "[] False", run.stderr
