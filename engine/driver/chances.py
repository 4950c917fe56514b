"""Probabilities of win, draw and loss from the score of a search and the material on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boomslang.engine.limits import Info, Score
from boomslang.eval.wdl import conversion

if TYPE_CHECKING:
    import chess


def as_displayed(info: Info, board: chess.Board) -> Info:
    """A line of this engine's search with its score as it is displayed, and the chances."""
    return replace(info, score=displayed(info.score), wdl=win_draw_loss(info.score, board))


def displayed(score: Score) -> Score:
    """A score of this engine's search on the scale on which it is displayed."""
    cp = score.centipawns
    return score if cp is None else Score(conversion.to_cp(cp))


def win_draw_loss(value: Score, board: chess.Board) -> tuple[int, int, int]:
    """Probabilities of win, draw and loss for the side to move, per mille."""
    if value.mate is not None:
        return (1000, 0, 0) if value.mate > 0 else (0, 0, 1000)
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    material = conversion.material(pieces.bit_count() for pieces in kinds)
    return conversion.win_draw_loss(value.centipawns or 0, material)
