"""What single terms of the evaluation count."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.eval.classical.evaluate import extract
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.terms import DANGER, NAMES
from boomslang.eval.classical.weights import PIECE_SQUARE

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture(scope="module")
def evaluator(kernels: None) -> Any:
    made = new_evaluator()
    made.tracing = 1
    return made


def look(evaluator: Any, fen: str) -> None:
    board = chess.Board(fen)
    rules, position = bridge.new_rules(None, PIECE_SQUARE), new_record(POSITION)
    bridge.set_castling(rules, board)
    bridge.to_position(rules, board, position)
    extract(rules, evaluator, position)


@pytest.mark.parametrize(
    ("term", "part", "fen", "white", "black"),
    [
        ("candidate", 3, "4k3/8/2p5/8/1PP5/8/8/4K3 w - - 0 1", 1, 0),
        ("candidate", 3, "4k3/8/p1p5/8/1P6/8/8/4K3 w - - 0 1", 0, 0),  # nobody helps
        ("weak_on_open_file", 0, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", 1, 0),
        ("weak_on_open_file", 0, "4k3/p7/8/8/P7/8/8/4K3 w - - 0 1", 0, 0),
        ("passed_safe_step", 3, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", 1, 0),
        ("passed_safe_step", 3, "4k3/8/1b6/8/P7/8/8/4K3 w - - 0 1", 0, 0),
        ("bishop_long_diagonal", 0, "4k3/8/8/8/8/8/6B1/4K3 w - - 0 1", 1, 0),
        ("bishop_long_diagonal", 0, "4k3/6b1/8/8/8/4P3/3P1B2/4K3 w - - 0 1", 0, 1),
        ("knight_king_distance", 1, "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 1, 0),
        ("bishop_king_distance", 4, "4k3/8/8/8/4b3/8/8/4K3 w - - 0 1", 0, 1),
        ("king_threat", 0, "4k3/8/8/8/8/8/3n4/4K3 w - - 0 1", 1, 0),
        ("king_threat", 0, "4k3/8/8/8/8/2p5/3n4/4K3 w - - 0 1", 0, 0),  # a pawn guards it
        ("attacked_pawn", 0, "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", 1, 0),
        ("restricted", 0, "4k3/8/8/8/8/r7/8/4K2R w - - 0 1", 1, 1),
        ("knight_eyes_queen", 0, "3qk3/8/8/8/5N2/8/8/4K3 w - - 0 1", 1, 0),
        ("slider_eyes_queen", 0, "3qk3/8/8/8/8/8/8/R3K2R w - - 0 1", 1, 0),
    ],
)
def test_a_term_counts(
    evaluator: Any, term: str, part: int, fen: str, white: int, black: int
) -> None:
    look(evaluator, fen)
    offset = next(offset for name, offset, _ in NAMES if name == term)
    assert evaluator.count[:, offset + part].tolist() == [white, black]


@pytest.mark.parametrize(
    ("danger", "fen", "white", "black"),
    [
        ("knight_guard", "4k3/8/5n2/8/8/8/8/4K3 w - - 0 1", 0, 1),
        ("knight_guard", "4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1", 0, 0),  # it cannot move
        ("escapes", "4k3/8/8/8/8/8/8/K7 w - - 0 1", 3, 5),
        ("near_storm", "6k1/8/8/6P1/8/8/8/K7 w - - 0 1", 0, 1),
        ("near_storm", "6k1/8/8/8/8/6P1/8/K7 w - - 0 1", 0, 0),
        ("many_checks", "k7/8/8/8/8/8/8/K6R w - - 0 1", 0, 1),  # h8
        ("unsafe_check", "k7/8/6n1/8/8/8/8/K6R w - - 0 1", 0, 1),
        ("flank_attack", "k7/8/8/8/8/8/8/KR6 w - - 0 1", 0, 5),  # b4 to b8
        ("flank_twice", "k7/8/8/8/8/8/1R6/KR6 w - - 0 1", 0, 5),
        ("flank_defence", "k7/8/8/8/8/8/8/K7 w - - 0 1", 3, 3),
    ],
)
def test_a_danger_counts(evaluator: Any, danger: str, fen: str, white: int, black: int) -> None:
    look(evaluator, fen)
    assert evaluator.danger[:, int(DANGER[danger])].tolist() == [white, black]
