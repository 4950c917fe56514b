"""Searching, stopping and pondering by UCI."""

from __future__ import annotations

import re

import chess
import pytest

from tests.support.process import UciProcess
from tests.support.uci_rows import (
    BESTMOVE,
    CHECKMATED,
    MATE_IN_ONE,
    ONE_MOVE,
    STALEMATED,
    START_MOVES,
    check_answer,
    full_lines,
    search,
    value,
)

pytestmark = pytest.mark.jit_only

# Each is answered by itself, once, by a legal move of the start position after a full info line.
EVERY_GO = [
    *("depth 3", "nodes 300", "movetime 20", "wtime 100 btime 100", "nodes 1", "movetime 1"),
    # Several limits, bad values and unknown words.
    *("depth 99 nodes 2000", "nodes 99999999 movetime 20", "btime 100 winc 0 depth 2 wtime 100"),
    "wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9",
    *("depth 0", "depth -3", "depth abc", "movetime 0", "movetime x", "nodes -1", "mate 0"),
    *("foo 3 depth 2 bar", "depth 99999999999999999999999 nodes 100", "mate 1 movetime 100"),
    "wtime 99999999999999999999 btime 99999999999999999999 nodes 200",
    # Incomplete clocks.
    *("wtime 100", "btime 100", "winc 100", "binc 50 winc 50", "wtime 100 binc 100"),
    *("wtime 100 btime 100 movestogo 1", "wtime 100 btime 100 movestogo 0"),
    *("wtime 100 btime 100 movestogo 40 winc 0 binc 0", "wtime 0 btime 0 winc 50 binc 50"),
    # Clocks that have run out.
    *("wtime 0 btime 0", "wtime -30 btime -30", "wtime -1", "wtime 1 btime 100000"),
]


@pytest.mark.parametrize("go", EVERY_GO)
def test_every_go_is_answered_once(live: UciProcess, go: str) -> None:
    lines = search(live, f"go {go}")
    check_answer(lines, chess.Board())
    assert any(line.startswith("info string error: go: no number") for line in lines) == (
        "abc" in go or "x" in go
    )
    assert live.ready() == ["readyok"]  # nothing after bestmove


DEAD_DRAWN = "8/8/4k3/8/8/4K3/8/8 w - - 0 1"


@pytest.mark.parametrize("fen", [CHECKMATED, STALEMATED, ONE_MOVE, MATE_IN_ONE, DEAD_DRAWN])
@pytest.mark.parametrize("go", ["infinite", "ponder wtime 100 btime 100", "infinite depth 1"])
def test_no_bestmove_before_stop(live: UciProcess, fen: str, go: str) -> None:
    live.send(f"position fen {fen}", f"go {go}")
    live.until("info depth ")
    for _ in range(2):
        assert not any(line.startswith("bestmove") for line in live.ready())
    live.send("stop")
    assert re.match(BESTMOVE, live.until("bestmove")[-1])


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, "rnb1kbnr/pppp1ppp/8/4p3/4P3/2N2N2/PPPPRPqP/R1BQ3K w kq - 0 1"]
)
def test_go_alone_thinks_on(live: UciProcess, fen: str) -> None:
    """Also where there is only one move."""
    live.send(f"position fen {fen}", "go")
    live.until("info depth 4 ")
    assert not any(line.startswith("bestmove") for line in live.ready())
    live.send("stop")
    live.until("bestmove")


@pytest.mark.parametrize("algorithm", ["mcts", "alphabeta"])
@pytest.mark.parametrize("go", ["go", "go searchmoves a1a8", "go ponder"])
def test_go_alone_ends_with_the_greatest_depth(live: UciProcess, algorithm: str, go: str) -> None:
    live.send(f"setoption name Search Algorithm value {algorithm}", f"position fen {MATE_IN_ONE}")
    live.send(go, *["ponderhit"] * ("ponder" in go))
    assert live.until("bestmove")[-1].startswith("bestmove a1a8")


def test_movetime_ends_in_the_middle_of_an_iteration(live: UciProcess) -> None:
    # With nodes for milliseconds the time is exact on a busy machine too.
    live.send("setoption name nodestime value 100", "setoption name MultiPV value 20")
    nodes = value(full_lines(search(live, "go movetime 200"))[-1], "nodes")
    live.send("setoption name nodestime value 0", "setoption name MultiPV value 1")
    assert 20_000 <= nodes <= 20_000 + 512


def test_depth_nodes_and_mate_are_kept(live: UciProcess) -> None:
    assert value(full_lines(search(live, "go depth 4"))[-1], "depth") == 4
    assert value(full_lines(search(live, "go nodes 5000"))[-1], "nodes") <= 5000 + 512
    live.send(f"position fen {MATE_IN_ONE}")
    lines = search(live, "go mate 3")
    assert " score mate 1 " in full_lines(lines)[-1]
    assert lines[-1].startswith("bestmove a1a8")
    live.send("position startpos")
    assert value(full_lines(search(live, "go mate 2 depth 3"))[-1], "depth") == 3


SEARCHMOVES = {
    "at the end": ("depth 2 searchmoves a2a3 h2h3", {"a2a3", "h2h3"}),
    "in front": ("searchmoves a2a3 h2h3 depth 2", {"a2a3", "h2h3"}),
    "with illegal ones": ("searchmoves e2e5 a2a3 a7a6 depth 2", {"a2a3"}),
    "only 0000": ("searchmoves 0000 depth 2", set(START_MOVES)),
    "only illegal": ("depth 2 searchmoves e2e5", set(START_MOVES)),
    "nothing": ("depth 2 searchmoves", set(START_MOVES)),
    "capitals": ("depth 2 searchmoves A2A3", {"a2a3"}),
}


@pytest.mark.parametrize("name", SEARCHMOVES)
def test_searchmoves(live: UciProcess, name: str) -> None:
    go, moves = SEARCHMOVES[name]
    assert live.best(f"go {go}") in moves


@pytest.mark.parametrize(("fen", "score"), [(CHECKMATED, "mate 0"), (STALEMATED, "cp 0")])
@pytest.mark.parametrize("go", ["depth 3", "movetime 10", "wtime 100 btime 100", "nodes 1"])
def test_no_legal_move(live: UciProcess, fen: str, score: str, go: str) -> None:
    lines = search(live, f"position fen {fen}", f"go {go}")
    assert lines == [f"info depth 0 score {score}", "bestmove (none)"]


@pytest.mark.parametrize("limit", ["wtime 300 btime 300", "movetime 20", "depth 3", "nodes 500"])
def test_ponderhit_makes_the_limits_count(live: UciProcess, limit: str) -> None:
    live.send("position startpos moves e2e4 e7e5", f"go ponder {limit}")
    live.until("info depth 2 ")
    assert not any(line.startswith("bestmove") for line in live.ready())
    live.send("ponderhit")
    live.until("bestmove")


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        MATE_IN_ONE,
        ONE_MOVE,
        "8/8/8/8/8/5k2/6p1/6K1 b - - 0 1",
        "8/8/8/8/8/1k6/1p6/1K6 w - - 99 80",
        "4k3/8/4K3/8/8/8/8/7R w - - 97 90",
    ],
)
def test_the_move_to_ponder_on_can_be_played_and_answered(live: UciProcess, fen: str) -> None:
    for depth in (1, 4, 7):
        words = search(live, f"position fen {fen}", f"go depth {depth}")[-1].split()
        board = chess.Board(fen)
        if words[1] == "(none)":
            assert not any(board.legal_moves)
            continue
        board.push_uci(words[1])
        if len(words) > 2:
            assert words[2] == "ponder" and not board.is_game_over(claim_draw=False)
            board.push_uci(words[3])
            assert any(board.legal_moves)
        elif fen == chess.STARTING_FEN and depth > 1:
            raise AssertionError("nothing to ponder on")
