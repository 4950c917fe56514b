"""The engine as a GUI meets it: a process and two pipes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import chess.engine
import pytest

from tests.support.places import ROOT
from tests.support.process import STARTUP, TIMEOUT, UciProcess
from tests.support.uci_rows import CHECKMATED

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow

START_MOVES = [move.uci() for move in chess.Board().legal_moves]
IGNORED = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # in the background of a script


@pytest.fixture
def engine(live: UciProcess) -> UciProcess:
    """The warm engine of all tests, in a new game."""
    return live


ANSWERED = [
    "go depth 5",
    "go nodes 1",
    "go nodes 5000",
    "go movetime 50",
    "go movetime 0",
    "go movetime -100",
    "go depth 0",
    "go depth -1",
    "go depth abc",
    "go depth 9999 movetime 100",
    "go mate 1 movetime 100",
    "go wtime 1000 btime 1000",
    "go wtime 100",
    "go btime 100",
    "go wtime 1 btime 1",
    "go wtime 0 btime 0 winc 0 binc 0",
    "go wtime -50 btime -50",
    "go winc 100 binc 100",
    "go wtime 0 btime 0 winc 50 binc 50",
    "go wtime 100 btime 100 movestogo 0",
    "go wtime 100 btime 100 movestogo 1",
    "go btime 100 binc 100 wtime 100 winc 100 movestogo 40",
    "go wtime 99999999999999999999 btime 99999999999999999999 nodes 200",
    "go nodes 99999999999999999999 movetime 20",
    "go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9",
    "go movetime 20 searchmoves e2e4 d2d4",
    "go searchmoves e2e5 0000 zzzz depth 2",
    "go foo depth 2 bar",
]


@pytest.mark.parametrize("go", ANSWERED)
def test_go_is_answered_by_a_legal_move_after_a_full_info_line(engine: UciProcess, go: str) -> None:
    engine.send(go)
    lines = engine.until("bestmove")
    move = lines[-1].split()[1]
    assert move in START_MOVES
    told = [line for line in lines if line.startswith("info string")]
    assert told == (["info string error: go: no number: depth 'abc'"] if "abc" in go else [])
    full = (
        r"info depth \d+ seldepth \d+ multipv 1 score (cp -?\d+|mate -?[1-9]\d*)"
        r"( lowerbound| upperbound)? nodes \d+ nps \d+ "
    )
    full += rf"hashfull \d+ tbhits \d+ time \d+ pv {move}\b"
    assert re.match(full, [line for line in lines if " pv " in line][-1])


@pytest.mark.parametrize("moves", [["e2e4"], ["a2a3", "h2h4"]])
def test_searchmoves_are_obeyed(engine: UciProcess, moves: list[str]) -> None:
    assert engine.best(f"go depth 4 searchmoves {' '.join(moves)}") in moves


def test_go_and_stop_in_one_packet(engine: UciProcess) -> None:
    for _ in range(20):
        engine.send_bytes(b"position startpos\ngo infinite\nstop\n")
        assert engine.until("bestmove")[-1].split()[1] in START_MOVES


def test_stop_at_any_moment_gives_one_answer(engine: UciProcess) -> None:
    for plies in range(20):
        engine.send("go infinite")
        if plies:
            engine.until(f"info depth {min(plies, 6)} ")
        engine.send("stop")
        engine.until("bestmove")


def test_isready_is_answered_in_a_search(engine: UciProcess) -> None:
    engine.send("go infinite")
    engine.until("info depth 3 ")
    assert not any(line.startswith("bestmove") for line in engine.ready())
    engine.send("stop")
    engine.until("bestmove")


def test_commands_in_a_search(engine: UciProcess) -> None:
    engine.send("go infinite", "isready", "setoption name MultiPV value 3", "go infinite")
    engine.until("readyok")
    engine.until("bestmove")
    engine.until("info .* multipv 3 ")
    engine.send("setoption name MultiPV value 1", "position startpos moves e2e4")
    engine.until("bestmove")
    assert engine.best("go depth 3") not in START_MOVES


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/k1K5/7Q w - - 0 1", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 100 btime 100"])
def test_a_decided_position_is_held_until_stop(engine: UciProcess, fen: str, go: str) -> None:
    engine.send(f"position fen {fen}", go)
    engine.until("info depth 1 ")
    for _ in range(3):
        assert not any(line.startswith("bestmove") for line in engine.ready())
    engine.send("stop")
    engine.until("bestmove")


def test_ponderhit_starts_the_clock(engine: UciProcess) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 300 btime 300")
    engine.until("info depth 4 ")
    engine.send("ponderhit")
    engine.until("bestmove")


def test_ponderhit_in_the_packet_of_go(engine: UciProcess) -> None:
    for _ in range(20):
        engine.send_bytes(b"go ponder movetime 10\nponderhit\n")
        engine.until("bestmove")


def test_multipv_gives_different_moves_in_order(engine: UciProcess) -> None:
    engine.send("setoption name MultiPV value 3", "go depth 4")
    lines = [line for line in engine.until("bestmove") if line.startswith("info depth 4 ")]
    engine.send("setoption name MultiPV value 1")
    assert [re.findall(r"multipv (\d)", line) for line in lines] == [["1"], ["2"], ["3"]]
    assert len({line.split(" pv ")[1].split()[0] for line in lines}) == 3


def test_multipv_has_no_more_lines_than_moves(engine: UciProcess) -> None:
    engine.send("setoption name MultiPV value 256", "position fen 7k/8/8/8/8/8/6r1/K7 w - - 0 1")
    engine.send("go depth 2")
    lines = engine.until("bestmove")
    engine.send("setoption name MultiPV value 1")
    assert max(int(re.findall(r"multipv (\d+)", line)[0]) for line in lines[:-1]) == 1


PLAYED = {
    "mate on the hundredth ply": ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 90", "a1a8"),
    "four fields, mate by en passant": ("5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6", "d5e6"),
}


@pytest.mark.parametrize("name", PLAYED)
def test_the_move_is_found(engine: UciProcess, name: str) -> None:
    fen, move = PLAYED[name]
    assert engine.best(f"position fen {fen}", "go depth 4") == move


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


@pytest.mark.parametrize("plies", [1100, 6000])
def test_long_games_are_played(engine: UciProcess, plies: int) -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * (plies // 4)
    assert engine.best(f"position startpos moves {' '.join(shuffle)}", "go depth 2") in START_MOVES


def test_chess960_castles_by_taking_the_rook(engine: UciProcess) -> None:
    engine.send("setoption name UCI_Chess960 value true")
    engine.send("position fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1")
    assert engine.best("go depth 2 searchmoves b1h1") == "b1h1"
    engine.send("setoption name UCI_Chess960 value false")
    assert engine.best(
        "position fen 4k3/8/8/8/8/8/8/4K2R w K -", "go depth 2 searchmoves e1h1"
    ) == ("e1g1")


NOISE = {
    "empty lines": b"\n" * 1000,
    "blanks": b"  position \t startpos   moves  \n \t\n",
    "CRLF": b"ucinewgame\r\nposition startpos\r\n",
    "NUL bytes": b"\0\0\0go\0\n\0",
    "binary": bytes(range(256)) * 16 + b"\n",
    "bad UTF-8": b"setoption name Hash\xff\xfe\xc3( value 16\n\x80\x81\n",
    "UTF-16": "uci\nisready\n".encode("utf-16"),
    "a line of 1 MB": b"x" * 1_000_000 + b"\n",
    "a line of 3 MB": b"setoption name " + b"x" * 3_000_000 + b"\n",
    "a FEN of 1 MB": b"position fen " + b"p" * 1_000_000 + b" w - - 0 1\n",
    "many unknown lines": b"foo bar\n" * 2000,
    "format marks": b"%n%s%s%d\n",
    "a forged line": b"x\rbestmove e2e4\n",
    "options in part": b"setoption\nsetoption name\nsetoption name value\nsetoption value 3\n",
    "unknown options": b"setoption name SyzygyPath value /nowhere\nsetoption name X\n",
    "absurd values": b"setoption name Hash value 0\nsetoption name Threads value -5\n"
    b"setoption name Hash value abc\nsetoption name Move Overhead value 1e9\n",
}


@pytest.mark.parametrize("name", NOISE)
def test_noise_does_no_harm(engine: UciProcess, name: str) -> None:
    engine.send_bytes(NOISE[name] + b"\n")
    lines = engine.ready()
    assert all(
        re.match(r"info string (error: |no endgame tables: ).{1,250}$|readyok$", line)
        for line in lines
    ), lines


def test_perft_is_printed_as_by_stockfish(engine: UciProcess) -> None:
    engine.send("go perft 2")
    lines = engine.until("Nodes searched")
    assert sorted(lines[:20]) == sorted(f"{move}: 20" for move in START_MOVES)
    assert [*lines[20:], *engine.ready()] == ["", "Nodes searched: 400", "", "readyok"]


def test_python_chess_plays_with_it() -> None:
    options: dict[str, chess.engine.ConfigValue] = {"Hash": 8, "Move Overhead": 50}
    with chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "cli"], timeout=STARTUP, cwd=str(ROOT)
    ) as engine:
        engine.configure(options)
        board = chess.Board(chess960=False)
        for _ in range(4):
            result = engine.play(board, chess.engine.Limit(white_clock=10, black_clock=10))
            assert result.move
            board.push(result.move)
        infos = engine.analyse(board, chess.engine.Limit(depth=5), multipv=2)
        assert [info["multipv"] for info in infos] == [1, 2]


# What is sent, the line for which the end waits, and the end that comes first; the other is slow.
PHASES = {
    "at once": ([], "", "EOF"),
    "idle": (["uci", "isready"], "readyok$", "quit"),
    "searching": (["uci", "isready", "go infinite"], "info depth", "EOF"),
    "pondering": (["isready", "go ponder wtime 9999 btime 9999"], "info depth", "quit"),
    "a game over": (["isready", f"position fen {CHECKMATED}", "go infinite"], "info depth", "EOF"),
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


def test_what_was_to_be_shown_comes_before_the_engine_leaves() -> None:
    with UciProcess() as engine:
        engine.send_bytes(b"position startpos moves e2e4\neval\nd\nquit\n")
        engine.until("Final evaluation", STARTUP)
        assert "Legal moves: 20" in engine.until("Checkers")
        assert engine.wait() == 0


def test_uci_and_quit_in_one_packet_are_answered() -> None:
    with UciProcess() as engine:
        engine.send_bytes(b"uci\nquit\n")
        assert engine.wait() == 0
        assert engine.rest()[-1] == "uciok"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way")
@pytest.mark.parametrize("command", ["isready", "go movetime 100", "d", "uci"])
def test_a_broken_output_ends_it(command: str) -> None:
    ends = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli"],
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
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_signals_end_it_quietly(number: int, status: int) -> None:
    with UciProcess() as engine:
        engine.send("uci", "go infinite")
        engine.until("info depth 1 ", STARTUP)
        engine.process.send_signal(number)
        assert engine.wait() == status
        assert engine.errors() == ""


@pytest.mark.slow
def test_a_gui_that_stops_reading_does_not_stop_the_engine() -> None:
    with UciProcess() as engine:
        engine.ready(STARTUP)
        engine.send(*["uci"] * 500, "position startpos", "go depth 3")
        engine.until("bestmove")
        assert engine.lines.count("uciok") == 500


ARGUMENTS = {
    "one command in words": (["go", "depth", "3"], [r"bestmove \w{4}"]),
    "several commands": (
        ["position startpos moves e2e4", "d", "quit"],
        ["Legal moves: 20", "Checkers: "],
    ),
    "work before quit": (
        ["position startpos", "eval", "go perft 3", "go depth 3", "quit"],
        ["Final evaluation", "Nodes searched: 8902", r"bestmove \w{4}"],
    ),
    "uci": (["uci"], ["uciok"]),
    "help": (["help"], [".*"]),
    "version": (["--version"], ["Boomslang "]),
    "compiler": (["compiler"], ["Kernels "]),
    "license": (["license"], ["LICENSE, which comes with it", r"text\."]),
    "a small bench": (["bench", "8", "1", "300", "default", "nodes"], [r"Nodes/second    : \d+"]),
    "speedtest": (["speedtest", "1", "8", "1"], [r"Nodes/second    : \d+"]),
    "where": (["where"], ["kernels: "]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_commands_as_arguments(name: str) -> None:
    arguments, answers = ARGUMENTS[name]
    with UciProcess(*arguments) as engine:
        assert engine.wait(STARTUP) == 0
        lines = engine.rest()
        assert all(any(re.match(answer, line) for line in lines) for answer in answers), lines
        assert re.match(answers[-1], lines[-1])
        assert engine.errors() == ""


def test_unknown_arguments_are_an_error() -> None:
    with UciProcess("frobnicate") as engine:
        assert engine.wait(TIMEOUT) == 2
        assert "frobnicate" in engine.errors()


def test_nothing_heavy_is_imported_before_uciok() -> None:
    heavy = ("numba", "numpy", "chess", "rich", "argparse", "llvmlite")
    program = (
        "import sys, boomslang.cli.__main__;"
        "from boomslang.uci import formatting, line_reader, loop, output;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.usefixtures("kernels")
def test_the_first_search_finds_everything_imported() -> None:
    program = (
        "import sys, chess;"
        "from boomslang.engine.searcher.loading import build_searcher;"
        "from boomslang.engine.limits import Limits;"
        "player, _ = build_searcher(lambda done, total, loading=False: None); before = set(sys.modules);"
        "player.search(chess.Board(), Limits(depth=4), lambda info: None);"
        "print(sorted(set(sys.modules) - before), 'numba.cpython.setobj' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    # Nor does Numba register what can be compiled, once the kernels are in the cache.
    assert run.stdout.strip() == "[] False", run.stderr
