"""Boards of python-chess: copies, and random moves on them."""

from __future__ import annotations

import random
from typing import Final

import chess

_RANDOM_PLIES: Final = 8  # or one more


def copy_board(board: chess.Board) -> chess.Board:
    """A copy of a board with its history. Both share the moves, which nobody may change.

    `chess.Board.copy` copies each move too, which takes up to a millisecond late in a game.
    """
    copy = board.copy(stack=False)
    copy.move_stack = board.move_stack.copy()
    copy._stack = board._stack.copy()
    return copy


def play_randomly(board: chess.Board, source: random.Random) -> None:
    """Play 8 or 9 random plies, fewer if the game ends."""
    for _ in range(_RANDOM_PLIES + source.randrange(2)):
        if moves := list(board.legal_moves):
            board.push(source.choice(moves))
