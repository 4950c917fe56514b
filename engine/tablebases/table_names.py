"""Material: the name of a table, such as KRPvKR, and the number under which kernels find it."""

from __future__ import annotations

import re
from typing import Final

from boomslang.core.board.constants import PAWN
from boomslang.engine.tablebases.geometry import MAX_PIECES

LETTERS: Final = "PNBRQK"  # in the order of the core's piece types
KING: Final = 5
_NAME: Final = re.compile(r"K([QRBNP]*)vK([QRBNP]*)")
_BITS: Final = 4  # a piece is counted in so many


def pieces_of(name: str) -> tuple[list[int], list[int]] | None:
    """The piece types of White and Black in the table of that name; None if it is none."""
    match = _NAME.fullmatch(name)
    if not match:
        return None
    white, black = ([KING, *map(LETTERS.index, letters)] for letters in match.groups())
    piece_count = len(white) + len(black)
    ordered = white == sorted(white, reverse=True) and black == sorted(black, reverse=True)
    return (white, black) if 3 <= piece_count <= MAX_PIECES and ordered else None


def key_of(white: list[int], black: list[int]) -> int:
    """The number of a material: how many there are of each piece, kings left out, in four bits each."""
    kinds = [piece for piece in white if piece != KING]
    kinds += [KING + piece for piece in black if piece != KING]
    return sum(1 << _BITS * kind for kind in kinds)


def has_pawns(white: list[int], black: list[int]) -> bool:
    """True if there are pawns of either colour."""
    return int(PAWN) in white + black
