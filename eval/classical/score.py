"""Tapered scores: a middlegame and an endgame value in one 64-bit word.

Adding two words adds both halves at once, so the piece-square sum is kept up to date with one addition
per piece. The middlegame value sits in the low 32 bits, the endgame value in the high 32.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import BISHOP, KNIGHT, QUEEN, ROOK, I, U
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import popcount
from boomslang.core.jit.jit import jit

_HALF = I(1 << 31)
_LOW = I(0xFFFFFFFF)
_SHIFT = I(32)

MAX_PHASE = I(24)


def pack(middlegame: int, endgame: int) -> int:
    """One word from two values in centipawns."""
    return (endgame << 32) + middlegame


@jit
def middlegame_of(score: np.int64) -> np.int64:
    """The middlegame half, centipawns."""
    return ((score + _HALF) & _LOW) - _HALF


@jit
def endgame_of(score: np.int64) -> np.int64:
    """The endgame half, centipawns; the borrow of a negative low half is made good."""
    return (score + _HALF) >> _SHIFT


@jit
def game_phase(position: Position) -> np.int64:
    """24 with all pieces on the board, 0 with only kings and pawns."""
    by_type = position.by_type
    weight = (
        popcount(by_type[KNIGHT])
        + popcount(by_type[BISHOP])
        + U(2) * popcount(by_type[ROOK])
        + U(4) * popcount(by_type[QUEEN])
    )
    return min(I(weight), MAX_PHASE)
