"""Probabilities of win, draw and loss from the score of a search and the material on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boomslang.eval.wdl import conversion

if TYPE_CHECKING:
    import chess

    from boomslang.engine.limits import Score


def win_draw_loss(value: Score, board: chess.Board) -> tuple[int, int, int]:
    """Probabilities of win, draw and loss for the side to move, per mille."""
    if value.mate is not None:
        return (1000, 0, 0) if value.mate > 0 else (0, 0, 1000)
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    material = conversion.material(pieces.bit_count() for pieces in kinds)
    return conversion.win_draw_loss(value.centipawns or 0, material)
