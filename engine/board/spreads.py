"""Attacks of whole sets of pieces, four sets at a time; for one piece see `engine.board.attacks`.

Each function takes four sets of pieces and the empty squares, bitboards all, and returns four pairs of
bitboards: the squares that the pieces of a set attack, and those that two or more of them attack.
"""

from __future__ import annotations

from typing import Final

from engine.constants import FILE_A, FILE_H
from engine.system.lanes import Step, four_spreads

# A step to the right must not end on the file a, one to the left not on the file h, and so on.
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

four_diagonal = four_spreads(_DIAGONAL, slides=True)
four_straight = four_spreads(_STRAIGHT, slides=True)
four_knights = four_spreads(_KNIGHT, slides=False)
