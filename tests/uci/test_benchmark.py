"""`bench`, `flip` and `go perft` at the prompt."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

from boomslang.engine.errors import CommandError
from boomslang.uci import parse
from boomslang.uci.parse import BenchCommand
from tests.support.process import UciProcess
from tests.support.uci_rows import START_MOVES

TOTAL = r"Nodes searched  : (\d+)$"


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("", BenchCommand()),
        ("7", BenchCommand(limit=7)),
        ("64 2", BenchCommand(64, 2)),
        ("64 2 9 current nodes", BenchCommand(64, 2, 9, "current", "nodes")),
        ("16 1 5 some/file.epd perft", BenchCommand(16, 1, 5, "some/file.epd", "perft")),
    ],
)
def test_bench_is_read_in_stockfishs_order(words: str, command: BenchCommand) -> None:
    assert parse.bench(words.split()) == command


@pytest.mark.parametrize("words", ["0", "x", "16 -1", "16 1 x", "16 1 5 default walk"])
def test_bench_without_sense_is_refused(words: str) -> None:
    with pytest.raises(CommandError, match="bench"):
        parse.bench(words.split())


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("8 1 3 current depth", "Position  1/1: "),
        ("8 1 500 current nodes", "Position  1/1: "),
        ("8 2 20 current movetime", "Position  1/1: "),
        ("8 1 3 current perft", "Position  1/1:      8902 nodes, 3 plies"),
        ("8 1 1 current eval", "Position  1/1:         1 nodes, "),
    ],
)
def test_bench_looks_in_each_way(live: UciProcess, words: str, last: str) -> None:
    live.send(f"bench {words}")
    lines = live.until("Nodes/second    : ")
    said = " ".join(lines)  # the FEN may stand in the next line
    assert said.startswith(last) and f"  {chess.STARTING_FEN}  =====" in said


@pytest.mark.jit_only
def test_bench_reads_positions_from_a_file(live: UciProcess, tmp_path: Path) -> None:
    path = tmp_path / "positions.epd"
    fens = "# some\n8/8/4k3/8/8/4K3/4P3/8 w - - 3 40\n\n8/8/4k3/8/8/4K3/4P3/8 b - - bm Kd5; id 1;\n"
    path.write_text(fens, "utf-8")
    live.send(f"bench 1 1 2 {path} perft")
    lines = live.until("Nodes/second    : ")
    assert lines[0].startswith("Position  1/2: ") and lines[1].startswith("Position  2/2: ")
    path.write_text("8/8 w - -\n", "utf-8")
    live.send(f"bench 1 1 2 {path} perft", f"bench 1 1 2 {tmp_path}/none.epd depth")
    live.until("info string error: bench: line 1 ")
    live.until("Nodes/second    : 0")
    live.until("info string error: bench: cannot read ")
    live.until("Nodes/second    : 0")


# Commands that take long, and how they end after `stop`.
LONG = {
    "bench 16 1 60": "The bench was stopped",
    "bench 16 1 31 default perft": "The bench was stopped",
    "go perft 9": "info string error: perft was stopped",
}


@pytest.mark.jit_only
@pytest.mark.parametrize("command", LONG)
def test_stop_ends_what_takes_long(live: UciProcess, command: str) -> None:
    live.send(command, "isready", "stop")
    live.until(LONG[command])
    live.until("Nodes searched: |Nodes/second")
    live.send("position startpos", "go depth 1")
    assert live.until("bestmove")[-1].split()[1] in START_MOVES


@pytest.mark.jit_only
@pytest.mark.parametrize("command", LONG)
def test_stop_reaches_it_behind_other_commands(live: UciProcess, command: str) -> None:
    live.send(command, "go depth 1", "go infinite", "stop")
    live.until(LONG[command])
    for _ in range(2):
        assert live.until("bestmove")[-1].split()[1] in START_MOVES


@pytest.mark.jit_only
def test_flip_exchanges_the_colours(live: UciProcess) -> None:
    live.send("position startpos moves e2e4", "flip", "d")
    fen = live.until("Fen: ")[-1].removeprefix("Fen: ")
    live.until("Checkers")
    board = chess.Board()
    board.push_uci("e2e4")
    assert fen == board.mirror().fen()
    assert live.best("go depth 1") in [move.uci() for move in chess.Board(fen).legal_moves]


def test_versions_processor_and_cache_are_printed() -> None:
    from boomslang.core.jit import jit
    from boomslang.uci.about import compiler

    rows = dict(line.split(maxsplit=1) for line in compiler().splitlines())
    assert {"Python", "numba", "llvmlite", "numpy", "chess", "Machine", "Processor"} <= set(rows)
    assert jit.cpu_name() in rows["Processor"]
    assert rows["Kernels"]
