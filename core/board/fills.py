"""Attacks of whole sets of pieces, four sets at a time; for one piece see `core.board.attacks`.

The `four_...` functions take five bitboards, four sets of pieces and the empty squares. They return a pair
of bitboards for each set: the squares that its pieces attack, and those that two or more of them attack.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    ZERO,
    U,
)
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit
from boomslang.core.jit.simd import Step, four_fills

# No wrap-around: a step to the right must not end on file a, a step to the left not on file h.
_ALL: Final = (1 << 64) - 1
_NOT_A: Final = _ALL ^ int(FILE_A)
_NOT_H: Final = _ALL ^ int(FILE_H)
_NOT_AB: Final = _NOT_A & _NOT_A << 1
_NOT_GH: Final = _NOT_H & _NOT_H >> 1

_DIAGONAL: Final[list[Step]] = [(9, _NOT_A), (7, _NOT_H), (-7, _NOT_A), (-9, _NOT_H)]
_STRAIGHT: Final[list[Step]] = [(8, _ALL), (1, _NOT_A), (-1, _NOT_H), (-8, _ALL)]
_KNIGHT: Final[list[Step]] = [
    (17, _NOT_A),
    (15, _NOT_H),
    (10, _NOT_AB),
    (6, _NOT_GH),
    (-6, _NOT_AB),
    (-10, _NOT_GH),
    (-15, _NOT_A),
    (-17, _NOT_H),
]

four_diagonal = four_fills(_DIAGONAL, slides=True)
four_straight = four_fills(_STRAIGHT, slides=True)
four_knights = four_fills(_KNIGHT, slides=False)


@jit
def pawn_attacks_of(position: Position, colour: np.uint64) -> Any:
    """Squares that the pawns of a colour attack towards file a and towards file h, two bitboards."""
    return pawn_attacks_from(position.by_type[PAWN] & position.by_colour[colour], colour)


@jit
def pawn_attacks_from(pawns: np.uint64, colour: np.uint64) -> Any:
    """The same for pawns of a colour on any squares, a bitboard."""
    left, right = pawns & ~FILE_A, pawns & ~FILE_H
    if colour == WHITE:
        return left << U(7), right << U(9)
    return left >> U(9), right >> U(7)


@jit
def attacks_by_value(rules: Rules, position: Position, colour: np.uint64) -> Any:
    """The squares that the pieces of a colour attack, four bitboards; pins are ignored.

    Those attacked by pawns; by pawns or minor pieces; by these or rooks; by any piece.
    """
    by_type = position.by_type
    own = position.by_colour[colour]
    empty = ~(position.by_colour[ZERO] | position.by_colour[ONE])
    queens = by_type[QUEEN]
    leaps = four_knights(by_type[KNIGHT] & own, ZERO, ZERO, ZERO, empty)
    diagonal = four_diagonal(by_type[BISHOP] & own, queens & own, ZERO, ZERO, empty)
    straight = four_straight(by_type[ROOK] & own, queens & own, ZERO, ZERO, empty)
    left, right = pawn_attacks_of(position, colour)
    pawns = left | right
    minors = pawns | leaps[0][0] | diagonal[0][0]
    rooks = minors | straight[0][0]
    king = rules.king_attacks[lsb(by_type[KING] & own)]
    return pawns, minors, rooks, rooks | diagonal[1][0] | straight[1][0] | king
