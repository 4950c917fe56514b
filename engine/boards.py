"""Copies of python-chess boards."""

from __future__ import annotations

import chess


def copy_board(board: chess.Board) -> chess.Board:
    """A copy of a board with its history. Both share the moves, which nobody may change.

    `chess.Board.copy` copies each move too, which takes up to a millisecond late in a game.
    """
    copy = board.copy(stack=False)
    copy.move_stack = board.move_stack.copy()
    copy._stack = board._stack.copy()
    return copy
