"""Constants of the whole core: colours, piece types, squares, scores."""

from __future__ import annotations

from typing import Final

import numpy as np

U = np.uint64
I = np.int64  # noqa: E741 - beside U it reads like the type it is

# Colours and piece types are uint64 because they index arrays: a signed index costs a wrap-around test.
WHITE: Final = U(0)
BLACK: Final = U(1)

PAWN: Final = U(0)
KNIGHT: Final = U(1)
BISHOP: Final = U(2)
ROOK: Final = U(3)
QUEEN: Final = U(4)
KING: Final = U(5)

# A piece on the board is colour * 6 + type.
EMPTY: Final = U(12)

ZERO: Final = U(0)
ONE: Final = U(1)
FULL: Final = U(0xFFFFFFFFFFFFFFFF)

# Squares: a1 = 0, b1 = 1 ... h8 = 63, as in python-chess.
NO_SQUARE: Final = U(64)

FILE_A: Final = U(0x0101010101010101)
FILE_H: Final = U(0x8080808080808080)
RANK_1: Final = U(0x00000000000000FF)
RANK_2: Final = U(0x000000000000FF00)
RANK_3: Final = U(0x0000000000FF0000)
RANK_6: Final = U(0x0000FF0000000000)
RANK_7: Final = U(0x00FF000000000000)
RANK_8: Final = U(0xFF00000000000000)
DARK_SQUARES: Final = U(0xAA55AA55AA55AA55)

# Scores in centipawns. A mate in n plies is MATE - n for the side that gives it.
MAX_PLY: Final = 128
PLIES: Final = MAX_PLY + 4  # levels of the stack of a search
DRAW: Final = I(0)
MATE: Final = I(32000)
MATE_IN_MAX: Final = I(32000 - 2 * MAX_PLY)  # scores beyond are mates
# A win by the tablebases that is n plies away is TABLE_WIN - n; such scores and mates are decisive.
TABLE_WIN: Final = I(31000)
DECISIVE: Final = I(31000 - 2 * MAX_PLY)
INFINITE: Final = I(32001)
NO_SCORE: Final = I(32002)
