"""The numbers of the evaluation, in centipawns, for the middlegame and the endgame.

Learnt from the engine's own games; the comments are by hand.

Data:     535428 positions of 6888 games, SHA-256 of the records
          c9c31048e0b66cdb0ab863a13a48f14ce472b9e2e20cb84c6c6dd61bfd2c6cf3
Loss:     0.502991 before, 0.499042 after
Kept aside: 0.488553 before, 0.485293 after
Games:    boomslang datagen --nodes 2500 --seed 101 --out games-1.bin, of the weights by hand
Command:  boomslang tune-eval games-1.bin --out eval/weights.py --epochs 12 --results 0.4 --decay 1e-8
"""

from __future__ import annotations

from typing import Final

import numpy as np

from eval.score import pack

MATERIAL_MIDDLEGAME: Final = (98, 334, 357, 476, 1020, 0)
MATERIAL_ENDGAME: Final = (144, 296, 326, 569, 1009, 0)

# fmt: off
PAWN_MIDDLEGAME: Final = (
       0,    0,    0,    0,
      42,   46,   61,   80,
      -9,   13,   15,   11,
     -17,  -11,   -4,   11,
     -30,  -25,  -12,   -5,
     -29,  -11,  -16,  -13,
     -35,   -5,  -19,  -34,
       0,    0,    0,    0,
)
PAWN_ENDGAME: Final = (
       0,    0,    0,    0,
      81,   97,   76,   63,
      26,    9,    0,   16,
     -10,  -23,  -26,  -45,
     -22,  -23,  -29,  -34,
     -24,  -32,  -24,  -24,
     -21,  -29,  -10,    1,
       0,    0,    0,    0,
)
KNIGHT_MIDDLEGAME: Final = (
    -114,  -55,  -31,  -14,
     -25,  -10,   30,   28,
     -11,   37,   31,   47,
      11,   22,   35,   40,
       6,   16,   33,   25,
      -6,   15,   11,   26,
     -28,  -12,    1,    3,
     -49,  -20,  -12,  -16,
)
KNIGHT_ENDGAME: Final = (
     -64,  -33,  -12,   -4,
      -5,   15,    4,   14,
     -11,    4,   27,   19,
       0,   13,   32,   33,
      -7,   -2,   32,   36,
     -17,    0,   11,   18,
     -24,   -1,  -11,    5,
     -48,  -23,  -12,    1,
)
BISHOP_MIDDLEGAME: Final = (
     -12,  -27,  -35,  -33,
     -12,    6,   -7,  -12,
       7,    1,   14,   22,
      -5,   -2,    8,   16,
      12,    1,    7,   17,
      -6,   16,   21,   11,
      -2,   19,   14,    3,
      -7,    7,  -11,  -20,
)
BISHOP_ENDGAME: Final = (
     -12,  -20,    8,    3,
      -1,   -5,    1,    9,
       7,    4,   -7,    6,
       1,    0,   16,   13,
      -3,   13,   15,   13,
      -4,   -8,    1,    7,
      -2,  -13,  -15,    0,
     -20,  -16,    4,   -9,
)
ROOK_MIDDLEGAME: Final = (
      14,   16,   15,   20,
      20,    3,   35,   47,
       0,    1,   18,   31,
     -19,    4,   12,    5,
     -22,  -24,  -10,   -4,
     -36,  -17,  -11,  -10,
     -31,  -24,  -17,    4,
     -18,  -18,   -1,    7,
)
ROOK_ENDGAME: Final = (
      10,   12,   14,   17,
       1,   11,    2,  -10,
      15,   19,   17,    3,
      14,   11,    4,    0,
       3,    7,    5,   -1,
      -4,    3,  -10,   -8,
     -13,  -20,  -11,  -17,
     -16,  -16,  -20,  -25,
)
QUEEN_MIDDLEGAME: Final = (
      -2,    5,   19,   18,
       3,  -25,   -2,    3,
       2,    9,   15,    6,
       2,   -3,    5,   -5,
      -1,   -4,    0,   -8,
     -12,   10,   -4,   -4,
     -14,    2,   19,    3,
     -12,  -18,  -13,    4,
)
QUEEN_ENDGAME: Final = (
       0,    4,    6,   13,
      -8,   22,   24,   32,
      -2,   20,   27,   39,
      11,   31,   24,   39,
      -9,   22,   13,   22,
     -25,   -5,   16,    6,
     -35,  -30,  -51,  -24,
     -43,  -42,  -44,  -46,
)
KING_MIDDLEGAME: Final = (
     -39,  -22,  -38,  -58,
     -31,  -12,  -27,  -43,
     -22,  -19,  -25,  -36,
     -32,  -29,  -38,  -48,
     -45,  -30,  -44,  -65,
     -19,  -13,  -31,  -46,
       7,    4,  -18,  -43,
      30,   30,   -2,   -3,
)
KING_ENDGAME: Final = (
     -49,    5,    0,    8,
     -14,   26,   28,   20,
       2,    8,    6,   28,
     -11,   13,   26,   31,
      -1,    2,   13,   23,
     -17,   -7,    4,   14,
     -25,   -9,    0,    4,
     -49,  -33,  -20,  -32,
)
# fmt: on

_TABLES = (
    (PAWN_MIDDLEGAME, PAWN_ENDGAME),
    (KNIGHT_MIDDLEGAME, KNIGHT_ENDGAME),
    (BISHOP_MIDDLEGAME, BISHOP_ENDGAME),
    (ROOK_MIDDLEGAME, ROOK_ENDGAME),
    (QUEEN_MIDDLEGAME, QUEEN_ENDGAME),
    (KING_MIDDLEGAME, KING_ENDGAME),
)


def _piece_square_values() -> np.ndarray:
    """Material plus place of every piece on every square as packed scores, White's view."""
    table = np.zeros((13, 64), dtype=np.int64)
    for piece, (middlegame, endgame) in enumerate(_TABLES):
        for square in range(64):
            file, rank = square & 7, square >> 3
            index = (7 - rank) * 4 + min(file, 7 - file)
            value = pack(
                MATERIAL_MIDDLEGAME[piece] + middlegame[index],
                MATERIAL_ENDGAME[piece] + endgame[index],
            )
            table[piece, square] = value
            table[piece + 6, square ^ 56] = -value
    return table


PIECE_SQUARE: Final = _piece_square_values()  # int64, shape (13, 64); row EMPTY is 0


# Linear terms: middlegame and endgame, each one value or as many as the term has.
TERMS: Final = {
    "bishop_pair": (37, 59),
    "isolated": (-7, -9),
    "doubled": (-8, -20),
    "backward": (-5, -13),
    "phalanx": ((0, 5, 4, 11, 14, 57, 76, 0), (0, 0, 3, 10, 40, 57, 98, 0)),
    "supported": ((0, 0, 9, 13, 22, 29, 63, 0), (0, 0, 3, 6, 23, 46, 72, 0)),
    "passed": ((0, -7, -10, -10, 2, 18, 46, 0), (0, 12, 19, 26, 61, 88, 102, 0)),
    "passed_blocked": ((0, -1, -4, -2, -6, -3, -32, 0), (0, -8, -12, -4, -14, -39, -65, 0)),
    "passed_free": ((0, 0, 0, -21, -18, 15, 37, 0), (0, 0, 0, 18, 32, 65, 91, 0)),
    "passed_own_king": ((2, 5, -6, -3, -1, -1, 3, -10), (45, 51, 27, 8, -11, -17, -14, -13)),
    "passed_enemy_king": ((-29, 3, 14, 12, -4, -10, 1, 1), (-40, -36, -17, 2, 36, 46, 48, 63)),
    "passed_rook_behind": (14, 16),
    "knight_mobility": (
        (-30, -20, -11, -3, 3, 11, 16, 22, 31),
        (-18, -24, 3, 13, 25, 26, 23, 28, 11),
    ),
    "bishop_mobility": (
        (-34, -17, -9, -4, 1, 6, 9, 12, 15, 26, 16, 33, 25, 25),
        (-47, -19, -22, -5, 11, 17, 29, 31, 29, 33, 31, 20, 30, -9),
    ),
    "rook_mobility": (
        (-52, -17, -3, -5, -2, -1, 1, 6, 10, 12, 16, 20, 15, 13, 42),
        (-65, -36, -2, 2, 12, 28, 31, 36, 43, 53, 52, 58, 65, 67, 51),
    ),
    "queen_mobility": (
        (-27, -21, -9, -9, -4, 1, 2, 2, 4, 9, 13, 12, 9, 16, 11, 12, 11, 14, 20, 20, 18, 22, 15, 19,
         18, 15, 23, 21),
        (-58, -38, -37, -28, -27, -21, -11, -14, 8, 10, 14, 26, 30, 39, 44, 55, 48, 44, 46, 47, 41,
         26, 25, 28, 29, 24, 51, 47),
    ),
    "knight_outpost": (18, 17),
    "bishop_outpost": (19, 13),
    "minor_behind_pawn": (4, 16),
    "bishop_own_pawns": (-4, -1),
    "rook_open_file": (31, 9),
    "rook_half_open_file": (10, 31),
    "rook_seventh": (7, 11),
    "pawn_threat": ((0, 64, 55, 56, 46, 0), (0, 22, 36, 15, 15, 0)),
    "minor_threat": ((0, 22, 31, 50, 37, 0), (0, 22, 24, 12, 30, 0)),
    "rook_threat": ((0, 17, 20, 7, 43, 0), (0, 8, -2, 11, 25, 0)),
    "hanging": (13, 38),
    "push_threat": (16, 19),
    "shelter": ((-20, 23, 14, 2, -3, -12, -8, 0), (14, -4, -5, -4, -8, -5, 9, 0)),
    "storm": ((-6, 29, -38, -7, -3, 2, 1, 0), (0, 39, 12, -11, -9, -9, -13, 0)),
    "king_open_file": (4, -25),
    "space": (0, 4),
}  # fmt: skip

# King danger, in units whose square over 1024 is centipawns.
DANGERS: Final = {
    "knight_attacker": 46,
    "bishop_attacker": 25,
    "rook_attacker": 42,
    "queen_attacker": 33,
    "ring_attack": 22,
    "weak_ring": 36,
    "knight_check": 156,
    "bishop_check": 89,
    "rook_check": 177,
    "queen_check": 134,
    "no_queen": -310,
    "open_file": 14,
    "always": -30,
}  # fmt: skip
