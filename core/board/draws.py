"""Draws by rule: dead positions, repetition, fifty moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    DARK_SQUARES,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import Position, position_t
from boomslang.core.jit.instructions import popcount
from boomslang.core.jit.jit import boolean, jit, kernel

FIFTY_MOVES = U(100)


@kernel(boolean(position_t))
def is_dead(position: Position) -> bool:
    """True if neither side can ever mate: bare kings, one knight, or bishops all of one square colour."""
    by_type = position.by_type
    if by_type[PAWN] | by_type[ROOK] | by_type[QUEEN]:
        return False
    knights = popcount(by_type[KNIGHT])
    bishops = by_type[BISHOP]
    if knights:
        return bool(knights == U(1) and bishops == ZERO)
    return bool(bishops & DARK_SQUARES == ZERO or bishops & ~DARK_SQUARES == ZERO)


@jit
def is_repetition(
    keys: Any, index: np.int64, ply: np.int64, halfmoves: np.int64, since_null: np.int64
) -> bool:
    """True if the position of `keys[index]`, `ply` plies below the root, counts as repeated.

    `keys` holds the Zobrist keys of the game and the current line, uint64. One earlier occurrence
    below the root is enough, since the side that wants the repetition can force it again; up to and
    including the root the rule of three counts. Only positions since the last irreversible or null
    move can be equal.
    """
    back = min(halfmoves, since_null, index)
    occurrences = I(0)
    distance = I(4)
    while distance <= back:
        if keys[U(index - distance)] == keys[U(index)]:
            if distance < ply:
                return True
            occurrences += I(1)
            if occurrences == 2:
                return True
        distance += I(2)
    return False
