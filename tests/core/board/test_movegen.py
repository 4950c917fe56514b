"""Legal moves: ours are those of python-chess, everywhere."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from tests.support.oracle import (
    fixed_positions,
    moves_of,
    position_of,
    random_game,
    random_placement,
)

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


@st.composite
def placements(draw: st.DrawFn) -> chess.Board:
    """Valid positions of up to twelve pieces beside the kings."""
    board = chess.Board(None)
    kings = draw(st.lists(st.sampled_from(chess.SQUARES), min_size=2, max_size=2, unique=True))
    piece = st.builds(chess.Piece, st.sampled_from(KINDS), st.booleans())
    pieces = draw(st.dictionaries(st.sampled_from(chess.SQUARES), piece, max_size=12))
    for square, chosen in pieces.items():
        if chosen.piece_type != chess.PAWN or 0 < chess.square_rank(square) < 7:
            board.set_piece_at(square, chosen)
    for square, colour in zip(kings, chess.COLORS, strict=True):
        board.set_piece_at(square, chess.Piece(chess.KING, colour))
    board.turn = draw(st.booleans())
    board.ep_square = draw(st.none() | st.sampled_from(chess.SQUARES))
    if not board.is_valid():
        board.ep_square = None
    if not board.is_valid():
        board.turn = not board.turn
    assume(board.is_valid())
    return board


pytestmark = pytest.mark.usefixtures("kernels")


def check_moves(board: chess.Board) -> None:
    """Compare all that the generators say about one position."""
    position = position_of(board)
    ours = moves_of(position)
    expected = {bridge.from_move(move, board) for move in board.legal_moves}
    assert len(ours) == len(set(ours)), board.fen()
    assert set(ours) == expected, board.fen()
    noisy = moves_of(position, noisy=True)
    lively = [move for move in board.legal_moves if board.is_capture(move) or move.promotion]
    assert len(noisy) == len(set(noisy)), board.fen()
    assert set(noisy) == {bridge.from_move(move, board) for move in lively}, board.fen()


def test_positions_of_one_rule_each() -> None:
    for board in fixed_positions():
        check_moves(board)


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960: bool) -> None:
    for seed in range(1 if DISABLED else 6):
        for board in random_game(seed, 120, chess960):
            check_moves(board)


@given(placements())
def test_any_placement(board: chess.Board) -> None:
    check_moves(board)


def test_random_placements() -> None:
    for seed in range(5 if DISABLED else 100):
        check_moves(random_placement(random.Random(seed)))


@given(start=st.integers(0, 959), choices=st.lists(st.integers(0, 1 << 30), max_size=80))
def test_any_sequence_of_moves(start: int, choices: list[int]) -> None:
    board = chess.Board.from_chess960_pos(start)
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    check_moves(board)


def test_the_position_with_the_most_moves() -> None:
    board = chess.Board("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(moves_of(position_of(board))) == 218
