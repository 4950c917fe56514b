"""Copies of boards are those of python-chess."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.boards import copy_board
from tests.support.oracle import random_game


@pytest.mark.parametrize("chess960", [False, True])
def test_a_copy_is_that_of_python_chess(chess960: bool) -> None:
    *_, board = random_game(seed=3, plies=60, chess960=chess960)
    kept = board.fen(), list(board.move_stack)
    copy, usual = copy_board(board), board.copy()
    assert copy == usual and copy.move_stack == usual.move_stack
    assert copy.chess960 == chess960
    for _ in range(len(copy.move_stack)):
        assert copy.pop() == usual.pop()
        assert copy == usual
    assert (board.fen(), board.move_stack) == kept
    copy.push(next(iter(copy.legal_moves)))
    assert (board.fen(), board.move_stack) == kept
    assert copy_board(chess.Board()) == chess.Board()
