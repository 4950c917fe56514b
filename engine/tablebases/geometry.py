"""The arithmetic of positions: how squares and sets of squares are numbered, by counting.

Pieces of one kind are not told apart, so k of them on n squares make "n choose k" sets, numbered in the
combinatorial number system. What comes first in a table, kings or pawns, is numbered so that of positions
that differ only by a symmetry of the board one is counted. Tables have names, such as KRPvKR, and a number of
their material under which kernels find them.
"""

from __future__ import annotations

import re
from functools import cache
from math import comb
from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import PAWN
from boomslang.core.board.position import new_record

MAX_PIECES: Final = 7
_MAX_PAWNS: Final = MAX_PIECES - 2
_SQUARES: Final = range(64)

# The triangle a1-d1-d4: by mirroring and turning the board every square comes to lie in it.
_HALF: Final = 4
TRIANGLE: Final = 10

# Positions of three different pieces and of two kings, up to symmetry, see `index`.
THREE_PIECES: Final = 31332
TWO_KINGS: Final = 462

GEOMETRY: Final = np.dtype(
    [
        ("combinations", "u8", (MAX_PIECES + 1, 64)),  # by k and n
        # Number of a square of the triangle: first those off the diagonal.
        ("triangle", "u8", (64,)),
        ("below", "u8", (64,)),  # number of a square below the diagonal a1-h8, rank by rank
        ("kings", "u8", (TRIANGLE, 64)),  # by number in the triangle, and the other king's square
        # The square a2 is 47, h2 is 46, a3 is 45 ... e7 is 0: the leading pawn is highest.
        ("pawn", "u8", (64,)),
        # What is counted before a leading pawn on that square with so many others of its colour.
        ("leading_pawn", "u8", (_MAX_PAWNS, 64)),
    ],
    align=True,
)


@cache
def geometry() -> Any:
    """The GEOMETRY record."""
    record = new_record(GEOMETRY)
    for k in range(MAX_PIECES + 1):
        record.combinations[k] = [comb(n, k) for n in _SQUARES]
    record.triangle[_triangle()] = range(TRIANGLE)
    record.below[[square for square in _SQUARES if _side(square) < 0]] = range(28)
    for (number, other), count in _king_pairs().items():
        record.kings[number, other] = count
    for square in range(8, 56):
        record.pawn[square] = pawn_number(square)
        for others in range(_MAX_PAWNS):
            record.leading_pawn[others, square] = _before(others, square)
    return record


def pawn_number(square: int) -> int:
    """Squares from the a and h files inwards, each file from its own side of the board upwards."""
    file = square % 8
    return 47 - 12 * min(file, 7 - file) - 2 * (square // 8 - 1) - (file >= _HALF)


def leading_pawns(pawns: int, file: int) -> int:
    """The ways to place the leading of so many pawns on a file, a to d, and the others behind it."""
    return sum(comb(pawn_number(8 * rank + file), pawns - 1) for rank in range(1, 7))


def _before(others: int, square: int) -> int:
    """The ways that are counted before this one: the leading pawn lower on the same file."""
    file, ranks = square % 8, range(1, square // 8)
    return sum(comb(pawn_number(8 * rank + file), others) for rank in ranks)


def _side(square: int) -> int:
    """Above the diagonal a1-h8 positive, below it negative, on it 0."""
    return square // 8 - square % 8


def _triangle() -> list[int]:
    """Squares of the triangle: those below the diagonal, then those on it."""
    corner = [square for square in _SQUARES if square // 8 < _HALF and square % 8 < _HALF]
    below = [square for square in corner if _side(square) < 0]
    return below + [square for square in corner if not _side(square)]


def _king_pairs() -> dict[tuple[int, int], int]:
    """Pairs of kings that do not touch, by number of the first in the triangle and square of the second.

    With the first on the diagonal the second is not above it; pairs with both on it are counted last.
    """
    straight, diagonal = list[tuple[int, int]](), list[tuple[int, int]]()
    for number, first in enumerate(_triangle()):
        for second in _SQUARES:
            apart = max(abs(first // 8 - second // 8), abs(first % 8 - second % 8)) > 1
            if not apart or (not _side(first) and _side(second) > 0):
                continue
            both = not _side(first) and not _side(second)
            (diagonal if both else straight).append((number, second))
    return {pair: count for count, pair in enumerate(straight + diagonal)}


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
