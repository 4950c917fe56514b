"""Material in points, as chess players count it: a pawn is one."""

from __future__ import annotations

from typing import Final

import chess

POINTS: Final = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}


def balance(board: chess.Board, colour: chess.Color) -> int:
    """The material of `colour` less that of the opponent, in pawns."""
    return sum(
        points * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, points in POINTS.items()
    )
