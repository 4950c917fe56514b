"""The static evaluation: symmetric, tapered, readable."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.core.board.constants import I
from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.eval.classical.evaluate import TEMPO, evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.score import endgame_of, game_phase, middlegame_of, pack
from boomslang.eval.classical.weights import PIECE_SQUARE

pytestmark = pytest.mark.usefixtures("kernels")
HALF = st.integers(-100_000, 100_000)


@pytest.fixture(scope="module")
def rules(kernels: None) -> Any:
    return bridge.new_rules(None, PIECE_SQUARE)


def score_of(rules: Any, board: chess.Board) -> int:
    position = new_record(POSITION)
    bridge.set_castling(rules, board)
    bridge.to_position(rules, board, position)
    return int(evaluate(rules, new_evaluator(), position))


@given(HALF, HALF, HALF, HALF)
def test_packed_halves_add_up(a: int, b: int, c: int, d: int) -> None:
    total = I(pack(a, b) + pack(c, d))
    assert middlegame_of(total) == a + c
    assert endgame_of(total) == b + d
    assert middlegame_of(-total) == -(a + c)
    assert endgame_of(-total) == -(b + d)


def test_the_start_position_is_worth_the_move(rules: Any) -> None:
    assert score_of(rules, chess.Board()) == TEMPO


def test_a_queen_more_is_seen_by_both(rules: Any) -> None:
    fen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq - 0 1"
    assert score_of(rules, chess.Board(fen.format("w"))) > 800
    assert score_of(rules, chess.Board(fen.format("b"))) < -800


def test_phase(rules: Any) -> None:
    position = new_record(POSITION)
    for fen, phase in ((chess.STARTING_FEN, 24), ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 2)):
        bridge.to_position(rules, chess.Board(fen), position)
        assert game_phase(position) == phase


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "8/8/5K2/3k4/8/8/8/R7 w - - 0 1"),  # at the edge
        ("8/8/8/3k4/5K2/8/8/Q7 w - - 0 1", "8/8/8/3k4/8/8/7K/Q7 w - - 0 1"),  # the king helps
        ("k7/8/1K6/8/8/4N3/4B3/8 w - - 0 1", "7k/8/6K1/8/8/4N3/4B3/8 w - - 0 1"),  # its corner
        ("3k4/8/8/1r6/4Q3/4K3/8/8 w - - 0 1", "8/8/8/1r1k4/7Q/4K3/8/8 w - - 0 1"),
    ],
)
def test_mopping_up_has_a_direction(rules: Any, better: str, worse: str) -> None:
    assert score_of(rules, chess.Board(better)) > score_of(rules, chess.Board(worse)) > 300
