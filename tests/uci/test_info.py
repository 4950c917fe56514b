"""The `info` lines of UCI."""

from __future__ import annotations

import re

import chess
import pytest

from tests.support.process import UciProcess
from tests.support.uci_rows import (
    FULL,
    MATE_IN_ONE,
    ONE_MOVE,
    check_answer,
    full_lines,
    pv,
    search,
    value,
)

pytestmark = pytest.mark.jit_only

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = {
    "a middle game": KIWIPETE,
    "a late count": "8/5k2/8/8/8/2R5/5K2/8 w - - 90 80",
    "a drawn ending": "8/8/8/4k3/4p3/4K3/8/8 w - - 0 1",
    "a mate": "7k/8/5K2/8/8/8/8/1R6 w - - 0 1",
    "being mated": "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "promotions": "8/PPP2k2/8/8/8/8/2K2ppp/8 w - - 0 1",
}


@pytest.fixture(scope="module")
def told(warm_uci: UciProcess) -> dict[str, list[str]]:
    """The answers to a search of each position, chances included."""
    warm_uci.send("ucinewgame", "setoption name UCI_ShowWDL value true")
    answers = {
        name: search(warm_uci, f"position fen {fen}", "go depth 10")
        for name, fen in POSITIONS.items()
    }
    warm_uci.send("setoption name UCI_ShowWDL value false")
    return answers


@pytest.mark.parametrize("name", POSITIONS)
def test_the_fields_have_the_order_that_guis_parse(told: dict[str, list[str]], name: str) -> None:
    lines = full_lines(told[name])
    assert lines and all(re.match(FULL, line) for line in lines)


@pytest.mark.parametrize("name", POSITIONS)
def test_lines_are_legal_and_end_with_the_game(told: dict[str, list[str]], name: str) -> None:
    for line in full_lines(told[name]):
        board = chess.Board(POSITIONS[name])
        for move in pv(line):
            assert not board.is_checkmate() and not board.is_stalemate()
            assert not board.is_repetition(3) and not board.is_fifty_moves(), line
            board.push_uci(move)  # raises if it is illegal


@pytest.mark.parametrize("name", POSITIONS)
def test_the_best_move_is_the_first_of_the_last_line(told: dict[str, list[str]], name: str) -> None:
    check_answer(told[name], chess.Board(POSITIONS[name]))


@pytest.mark.parametrize("name", ["a mate", "being mated"])
def test_lines_of_mates_go_on_to_the_mate(told: dict[str, list[str]], name: str) -> None:
    mates = [line for line in full_lines(told[name]) if " score mate " in line]
    assert mates
    for line in mates:
        board, moves = chess.Board(POSITIONS[name]), value(line, "mate")
        assert len(pv(line)) == (2 * moves - 1 if moves > 0 else -2 * moves), line
        for move in pv(line):
            board.push_uci(move)
        assert board.is_checkmate()
    assert len({value(line, "mate") > 0 for line in mates}) == 1


@pytest.mark.parametrize(("fen", "lines"), [(chess.STARTING_FEN, 4), (ONE_MOVE, 1), (KIWIPETE, 4)])
def test_the_lines_of_a_depth_come_together(live: UciProcess, fen: str, lines: int) -> None:
    live.send("setoption name MultiPV value 4", f"position fen {fen}")
    for go in ("go depth 3", "go nodes 3000"):
        answer = search(live, go)
        check_answer(answer, chess.Board(fen))
        ranks = [value(line, "multipv") for line in full_lines(answer)]
        assert ranks == list(range(1, lines + 1)) * (len(ranks) // lines)
        groups = [full_lines(answer)[at : at + lines] for at in range(0, len(ranks), lines)]
        for group in groups:
            assert len({value(line, "depth") for line in group}) == 1
            assert len({pv(line)[0] for line in group}) == lines
            assert not any("bound" in line for line in group)
    live.send("setoption name MultiPV value 1")


def test_wdl_is_printed_when_it_is_requested(told: dict[str, list[str]], live: UciProcess) -> None:
    for name in POSITIONS:
        for line in full_lines(told[name]):
            chances = re.findall(r" wdl (\d+) (\d+) (\d+) ", line)
            assert chances and sum(map(int, chances[0])) == 1000
            if " score mate " in line:
                assert chances[0] == (
                    ("0", "0", "1000") if "mate -" in line else ("1000", "0", "0")
                )
    assert not any(" wdl " in line for line in search(live, "go depth 2"))


def test_the_last_line_is_full_and_exact(live: UciProcess) -> None:
    for go in ("go nodes 1", "go nodes 20000", "go movetime 30", "go depth 5"):
        lines = search(live, go)
        last = [line for line in lines if line.startswith("info")][-1]
        assert re.match(FULL, last) and "bound" not in last
        assert 0 <= value(last, "hashfull") <= 1000
        assert value(last, "nps") < 10**9 and value(last, "nodes") > 0
    lines = search(live, f"position fen {MATE_IN_ONE}", "go movetime 20")
    assert re.match(FULL, [line for line in lines if line.startswith("info")][-1])
