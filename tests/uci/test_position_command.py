"""Positions and games that come in by UCI."""

from __future__ import annotations

import pytest

from tests.support.process import UciProcess
from tests.support.uci_rows import START_MOVES, full_lines, search

pytestmark = pytest.mark.jit_only

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_the_fifty_moves_count_from_the_fen_on(live: UciProcess) -> None:
    live.send("position fen 8/8/8/3k4/8/8/8/R3K3 w - - 96 90 moves e1d1 d5d4")
    assert " score cp 0 " in full_lines(search(live, "go depth 6"))[-1]


def test_positions_of_the_game_count_for_repetition(live: UciProcess) -> None:
    again = "b1b2 e8e7 b2b1 e7e8 " * 2
    live.send(f"position fen 4k3/8/8/8/8/8/8/QK6 w - - 0 1 moves {again}")
    assert " score cp 0 " in full_lines(search(live, "go depth 6 searchmoves b1b2"))[-1]
    assert " score cp 0 " not in full_lines(search(live, "go depth 6 searchmoves a1e5"))[-1]


@pytest.mark.parametrize("plies", [600, 6000])
def test_long_games(live: UciProcess, plies: int) -> None:
    moves = " ".join(SHUFFLE * (plies // 4))
    live.send(f"position startpos moves {moves}", "d")
    assert live.until("Fen: ")[-1].split()[-1] == str(plies // 2 + 1)
    live.until("Checkers")
    assert live.best(f"position startpos moves {moves}", "go depth 1") in START_MOVES
