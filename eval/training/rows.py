"""Which rows of the first layer a position's pieces choose, and which stage of the game it is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.constants import KING, ONE, ZERO, U
from engine.system.instructions import lsb
from engine.system.jit import jit, types
from eval.network.shape import ROW

indices_t: Any = types.uint64[::1]

INDICES: Final = 64  # uint64 of room: rows as the side to move sees them, and as the other does
OTHER_VIEW: Final = U(32)  # where the latter begin

_ROW: Final = U(ROW)


@jit
def _flip(colour: np.uint64, king: np.uint64) -> np.uint64:
    """What a side sees of a square is the square XOR this."""
    ranks = U(56) if colour else ZERO
    files = U(7) if king & U(7) < U(4) else ZERO
    return ranks ^ files


@jit
def bucket_of(count: np.uint64) -> np.uint64:
    """The stage of a position with so many pieces."""
    return (count - ONE) >> U(2)


@jit
def find_rows(record: Any, rows: Any) -> np.uint64:
    """Write where the rows of the pieces begin in the vector, in place; returns how many pieces."""
    occupied = U(record.occupied)
    own = U(record.side)
    number = ZERO
    own_king = ZERO
    other_king = ZERO
    while occupied:
        square = lsb(occupied)
        piece = (U(record.pieces[number >> ONE]) >> (U(4) * (number & ONE))) & U(15)
        colour = ONE if piece >= U(6) else ZERO
        kind = piece - colour * U(6)
        if kind == KING:
            if colour == own:
                own_king = square
            else:
                other_king = square
        # Own pieces come first for the one side, the opponent's for the other.
        mine = colour ^ own
        rows[number] = (mine * U(6) + kind) << U(6) | square
        rows[number + OTHER_VIEW] = ((mine ^ ONE) * U(6) + kind) << U(6) | square
        number += ONE
        occupied &= occupied - ONE
    own_flip = _flip(own, own_king)
    other_flip = _flip(own ^ ONE, other_king)
    for index in range(number):
        place = U(index)
        rows[place] = (rows[place] ^ own_flip) * _ROW
        place += OTHER_VIEW
        rows[place] = (rows[place] ^ other_flip) * _ROW
    return number
