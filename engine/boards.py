"""Boards of python-chess: copies, and random moves on them."""

from __future__ import annotations

import random
from typing import Final

import chess

_RANDOM_PLIES: Final = 8  # or one more


def copy_board(board: chess.Board) -> chess.Board:
    """A copy of a board with its history, a plain one also of a subclass. Both share the moves.

    Nobody may change those. `chess.Board.copy` copies each, which takes up to a millisecond late in a game,
    and needs the constructor of the subclass.
    """
    copy = chess.Board(None, chess960=board.chess960)
    chess._BoardState(board).restore(copy)
    copy.move_stack = board.move_stack.copy()
    copy._stack = board._stack.copy()
    return copy


def play_randomly(board: chess.Board, source: random.Random) -> None:
    """Play 8 or 9 random plies, fewer if the game ends."""
    for _ in range(_RANDOM_PLIES + source.randrange(2)):
        if moves := list(board.legal_moves):
            board.push(source.choice(moves))
