"""Material and piece-square values, in centipawns, for the middlegame and the endgame.

Written by hand from plain chess sense: knights belong in the centre, rooks on the seventh rank,
passed or not, pawns grow with each step, kings hide first and come out later. A board is given as its
left half, files a to d, the eighth rank on top; the right half mirrors it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from eval.score import pack

MATERIAL_MIDDLEGAME: Final = (85, 340, 355, 475, 1020, 0)
MATERIAL_ENDGAME: Final = (110, 300, 325, 560, 1000, 0)

# fmt: off
PAWN_MIDDLEGAME: Final = (
      0,   0,   0,   0,
     60,  70,  70,  75,
     15,  25,  40,  45,
      0,   5,  10,  25,
    -10,   0,   8,  20,
    -12,   0,   0,   5,
    -12,   8,  -5, -15,
      0,   0,   0,   0,
)
PAWN_ENDGAME: Final = (
      0,   0,   0,   0,
    120, 115, 105, 100,
     70,  70,  60,  50,
     30,  25,  18,  10,
     15,  12,   5,   0,
      5,   5,   0,   5,
      8,   5,   8,  10,
      0,   0,   0,   0,
)
KNIGHT_MIDDLEGAME: Final = (
   -120, -60, -30, -20,
    -40, -20,  20,  20,
    -20,  20,  40,  50,
     -5,  10,  30,  40,
     -8,   5,  18,  22,
    -20,  -2,  10,  16,
    -28, -20,  -5,   2,
    -60, -25, -25, -18,
)
KNIGHT_ENDGAME: Final = (
    -70, -40, -20, -15,
    -30, -12, -10,   0,
    -18,  -5,  12,  15,
     -8,   8,  20,  25,
    -10,   2,  16,  22,
    -20,  -5,   2,  12,
    -30, -18,  -8,  -4,
    -45, -35, -20, -15,
)
BISHOP_MIDDLEGAME: Final = (
    -25, -15, -30, -30,
    -20,   0,  -5, -10,
     -5,  15,  20,  18,
     -5,   5,  12,  25,
      0,   6,   8,  18,
      4,  14,  12,  10,
      8,  16,  14,   4,
    -12,   4,  -8, -10,
)
BISHOP_ENDGAME: Final = (
    -12, -10,  -8,  -5,
     -6,  -2,   2,   0,
      0,   2,   4,   5,
     -2,   6,   8,  12,
     -5,   3,   8,  10,
     -6,   0,   6,   8,
    -10,  -8,  -3,   2,
    -16,  -8, -10,  -4,
)
ROOK_MIDDLEGAME: Final = (
     15,  15,  10,  20,
     15,  18,  35,  40,
     -5,  12,  15,  20,
    -18,  -5,   5,  12,
    -25, -15, -10,  -2,
    -28, -15, -12,  -8,
    -30, -12, -10,  -4,
    -12, -10,   2,  10,
)
ROOK_ENDGAME: Final = (
     14,  12,  12,  10,
     14,  14,  10,   6,
     10,   8,   6,   4,
      6,   4,   6,   2,
      4,   2,   2,   0,
     -4,  -2,  -5,  -4,
     -6,  -6,  -2,  -2,
     -8,  -4,  -2,  -4,
)
QUEEN_MIDDLEGAME: Final = (
    -15,   5,  15,  20,
    -15, -30,   0,   5,
     -5,  -8,  10,  18,
    -15, -14,  -8,  -5,
     -8, -12,  -6,  -6,
    -10,   0,  -5,  -3,
    -18,  -5,   8,   4,
     -8, -14, -10,   6,
)
QUEEN_ENDGAME: Final = (
      0,  12,  20,  25,
     -5,  20,  32,  40,
     -5,  12,  25,  45,
     10,  25,  30,  45,
      0,  20,  22,  40,
    -12,  -5,  15,  15,
    -22, -22, -20, -10,
    -30, -28, -22, -20,
)
KING_MIDDLEGAME: Final = (
    -40, -30, -40, -60,
    -30, -20, -30, -40,
    -25, -15, -25, -40,
    -30, -25, -35, -50,
    -40, -30, -40, -55,
    -15, -12, -30, -45,
      8,  10, -15, -40,
     15,  35,   0, -15,
)
KING_ENDGAME: Final = (
    -60, -30, -15, -12,
    -15,  15,  18,  18,
      5,  25,  28,  22,
     -2,  22,  28,  30,
    -14,   4,  20,  28,
    -18,   0,  12,  20,
    -26,  -8,   4,  10,
    -48, -30, -16, -22,
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


def _mobility(size: int, low: int, high: int) -> tuple[int, ...]:
    """Values rising ever more slowly from `low` to `high`."""
    return tuple(round(low + (high - low) * (n / (size - 1)) ** 0.6) for n in range(size))


# Linear terms: middlegame and endgame, each one value or as many as the term has.
TERMS: Final = {
    "bishop_pair": (25, 60),
    "isolated": (-9, -13),
    "doubled": (-6, -16),
    "backward": (-8, -9),
    "phalanx": ((0, 3, 6, 10, 25, 50, 80, 0), (0, 0, 3, 10, 30, 60, 100, 0)),
    "supported": ((0, 0, 8, 8, 14, 30, 60, 0), (0, 0, 4, 6, 14, 40, 60, 0)),
    "passed": ((0, -6, -8, -8, 10, 25, 40, 0), (0, 4, 6, 22, 40, 70, 90, 0)),
    "passed_blocked": ((0, 0, 0, -5, -10, -20, -30, 0), (0, -4, -6, -12, -20, -40, -70, 0)),
    "passed_free": ((0, 0, 0, 0, 5, 15, 40, 0), (0, 0, 0, 6, 15, 40, 80, 0)),
    "passed_own_king": ((0,) * 8, (22, 18, 8, 0, -4, -6, -8, -10)),
    "passed_enemy_king": ((0,) * 8, (-20, -24, -6, 8, 16, 20, 24, 26)),
    "passed_rook_behind": (5, 15),
    "knight_mobility": (_mobility(9, -45, 25), _mobility(9, -60, 25)),
    "bishop_mobility": (_mobility(14, -35, 30), _mobility(14, -50, 40)),
    "rook_mobility": (_mobility(15, -30, 25), _mobility(15, -60, 60)),
    "queen_mobility": (_mobility(28, -30, 25), _mobility(28, -60, 60)),
    "knight_outpost": (25, 15),
    "bishop_outpost": (22, 8),
    "minor_behind_pawn": (6, 5),
    "bishop_own_pawns": (-2, -4),
    "rook_open_file": (26, 8),
    "rook_half_open_file": (11, 8),
    "rook_seventh": (5, 15),
    "pawn_threat": ((0, 50, 50, 60, 55, 0), (0, 30, 40, 20, 20, 0)),
    "minor_threat": ((0, 20, 24, 45, 38, 0), (0, 20, 22, 30, 30, 0)),
    "rook_threat": ((0, 18, 18, 5, 40, 0), (0, 20, 20, 5, 30, 0)),
    "hanging": (12, 10),
    "push_threat": (14, 8),
    "shelter": ((-14, 18, 10, 0, -4, -6, -8, 0), (0,) * 8),
    "storm": ((4, 0, -24, -10, -2, 0, 2, 0), (0,) * 8),
    "king_open_file": (-14, 4),
    "space": (3, 0),
}

# King danger, in units whose square over 1024 is centipawns.
DANGERS: Final = {
    "knight_attacker": 55,
    "bishop_attacker": 35,
    "rook_attacker": 50,
    "queen_attacker": 55,
    "ring_attack": 22,
    "weak_ring": 45,
    "knight_check": 160,
    "bishop_check": 110,
    "rook_check": 200,
    "queen_check": 150,
    "no_queen": -350,
    "open_file": 30,
    "always": -40,
}
