"""Static evaluation: material plus tapered piece-square values."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.board.position import position_t, rules_t
from engine.constants import BLACK, I, U
from engine.jit import i64, kernel
from eval.score import game_phase, taper

TEMPO = I(12)  # having the move is worth something


@kernel(i64(rules_t, position_t))
def evaluate(rules: Any, position: Any) -> np.int64:
    """Score of a POSITION in centipawns from the view of the side to move."""
    white_view = position.psq
    if U(position.side) == BLACK:
        return taper(-white_view, game_phase(position)) + TEMPO
    return taper(white_view, game_phase(position)) + TEMPO
