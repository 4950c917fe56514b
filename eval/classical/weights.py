"""The numbers of the evaluation, in centipawns, for the middlegame and the endgame.

Learnt from the engine's own games by a command that is not kept; the comments are by hand.

Data:     933138 positions of 11822 games, SHA-256 of the records
          e65b5dac31e46948bebb5d5e69353911bf99328097d8817a9f187abeb0cf3ea9
Loss:     0.509808 before, 0.507880 after
Kept aside: 0.498064 before, 0.496454 after
Games:    boomslang datagen --nodes 2500 --seed 101 --out games-1.bin, of the weights by hand
          boomslang datagen --nodes 2500 --seed 202 --out games-2.bin, of those learnt from games-1.bin
Command:  boomslang tune-eval games-1.bin games-2.bin --out eval/classical/weights.py --epochs 30
          --results 0.4 --decay 1e-9 --rate 6
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.eval.classical.score import pack

MATERIAL_MIDDLEGAME: Final = (94, 334, 356, 470, 1042, 0)
MATERIAL_ENDGAME: Final = (146, 301, 333, 591, 1038, 0)

# fmt: off
PAWN_MIDDLEGAME: Final = (
       0,    0,    0,    0,
      68,   21,   54,  114,
       2,    5,   11,   10,
     -16,   -7,   -1,   10,
     -30,  -27,  -14,   -7,
     -32,  -15,  -22,  -26,
     -33,   -4,  -22,  -44,
       0,    0,    0,    0,
)
PAWN_ENDGAME: Final = (
       0,    0,    0,    0,
      67,  108,   85,   60,
      24,    3,   -7,   -1,
      -7,  -29,  -30,  -54,
     -20,  -29,  -24,  -38,
     -22,  -26,  -13,   -7,
     -22,  -28,   -1,   10,
       0,    0,    0,    0,
)
KNIGHT_MIDDLEGAME: Final = (
     -78,  -57,  -61,   -2,
     -18,   -8,   41,   40,
     -21,   35,   24,   51,
      23,   25,   41,   38,
      12,    7,   29,   18,
      -8,   11,    7,   14,
     -26,  -18,    0,   -3,
     -40,  -24,  -19,  -24,
)
KNIGHT_ENDGAME: Final = (
     -61,   -4,    2,    8,
      -2,   28,    9,   15,
      -7,   10,   25,   12,
      -7,    7,   23,   27,
      -5,    4,   29,   38,
     -23,  -11,   11,   23,
     -34,    2,  -14,    7,
     -70,  -17,  -15,   -5,
)
BISHOP_MIDDLEGAME: Final = (
       6,  -46,  -64,  -32,
     -12,   -1,  -12,  -12,
       5,   12,   10,   32,
      -5,    6,   14,    3,
      10,    8,   14,    9,
       0,   15,   13,   13,
      -8,   15,   17,    5,
     -10,   15,   -9,  -17,
)
BISHOP_ENDGAME: Final = (
      -8,  -10,   40,    6,
      11,    1,   14,   19,
       8,   -3,   -7,    9,
       2,    5,   12,   11,
       2,   16,   11,    6,
     -12,   -8,   -9,    6,
       9,  -29,  -13,   -6,
     -40,  -31,   -8,  -10,
)
ROOK_MIDDLEGAME: Final = (
      19,    0,   13,   -3,
      29,    7,   42,   44,
      10,   -4,   24,   40,
     -21,   15,   12,  -10,
     -26,  -33,  -20,   -4,
     -25,   -4,   -8,  -16,
     -33,  -15,  -15,   11,
     -14,  -11,    2,    6,
)
ROOK_ENDGAME: Final = (
      10,   22,   16,   29,
     -18,   -6,  -18,  -23,
      14,   17,   10,   -4,
      21,    7,    4,    8,
       7,   18,   13,    2,
       1,    5,   -4,   -2,
     -14,  -15,  -12,  -25,
     -18,  -17,  -17,  -23,
)
QUEEN_MIDDLEGAME: Final = (
       3,   -8,   23,    4,
      17,   -6,    7,   -7,
      12,   13,    8,    0,
       6,   -8,    7,   -3,
      -1,   -5,    2,  -11,
     -19,    7,   -4,   -3,
      -4,    2,   13,   -4,
     -14,  -16,  -15,    1,
)
QUEEN_ENDGAME: Final = (
      15,    6,   -6,   20,
      -9,   36,   18,   35,
      13,   41,   40,   49,
       7,   45,   26,   41,
     -18,   13,   11,   42,
     -19,  -12,   15,    8,
     -46,  -38,  -52,  -16,
     -64,  -70,  -65,  -58,
)
KING_MIDDLEGAME: Final = (
     -38,   -1,  -30,  -54,
      -5,   -2,  -18,  -32,
      -3,  -27,  -17,  -43,
     -29,  -36,  -52,  -74,
     -64,  -28,  -63,  -81,
     -25,  -18,  -32,  -59,
      15,    7,  -16,  -49,
      38,   34,   -3,   -2,
)
KING_ENDGAME: Final = (
    -128,    7,   -5,   13,
     -50,   14,   31,   18,
       1,    7,   21,   39,
     -17,   16,   33,   41,
      -3,    2,   26,   33,
     -12,   -2,   15,   26,
     -26,   -6,    4,   10,
     -50,  -30,  -11,  -27,
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
    "bishop_pair": (37, 60),
    "isolated": (-5, -10),
    "doubled": (-8, -19),
    "backward": (0, -13),
    "weak_on_open_file": (-6, -2),
    "phalanx": ((0, 5, 6, 11, 19, 64, 63, 0), (0, 2, 3, 10, 35, 60, 110, 0)),
    "supported": ((0, 0, 13, 15, 22, 31, 72, 0), (0, 0, 5, 3, 23, 50, 81, 0)),
    "candidate": ((0, 3, 1, 6, 0, -6, 0, 0), (0, -2, 2, 7, 6, 11, 0, 0)),
    "passed": ((0, -10, -12, -11, -8, -2, 58, 0), (0, 24, 20, 31, 69, 101, 113, 0)),
    "passed_blocked": ((0, -4, -13, -6, -2, 6, -37, 0), (0, -11, -1, 0, -8, -34, -62, 0)),
    "passed_free": ((0, 0, 0, -84, -80, -26, 4, 0), (0, 0, 0, 36, 39, 60, 107, 0)),
    "passed_safe_step": ((0, 3, 7, 1, 4, 36, -33, 0), (0, -4, 7, 0, 16, 27, 16, 0)),
    "passed_own_king": ((2, -19, -4, 1, 3, 8, 7, -30), (59, 73, 32, 6, -13, -21, -16, -3)),
    "passed_enemy_king": ((-40, 12, 19, 12, -8, -10, -4, -14), (-24, -35, -24, 5, 41, 55, 56, 70)),
    "passed_rook_behind": (14, 25),
    "knight_mobility": ((-27, -18, -9, 0, 3, 9, 12, 20, 25), (12, -2, 25, 30, 43, 43, 42, 42, 26)),
    "bishop_mobility": (
        (-28, -17, -7, -2, -2, 4, 7, 12, 11, 19, 13, 20, 35, -12),
        (-19, -4, -9, 13, 32, 35, 45, 41, 45, 44, 36, 39, 29, 33),
    ),
    "rook_mobility": (
        (-63, -28, -14, -13, -13, -12, -8, -5, -1, 1, 5, 10, 4, 3, 38),
        (-33, 1, 44, 52, 64, 79, 80, 85, 91, 99, 101, 105, 113, 112, 95),
    ),
    "queen_mobility": (
        (-2, 0, 16, 22, 25, 29, 29, 31, 30, 35, 40, 38, 36, 37, 34, 33, 35, 33, 38, 40, 45, 72, 60,
         55, 44, 32, 33, 18),
        (-31, 27, -29, -4, -21, -6, 32, 34, 59, 66, 69, 79, 95, 109, 114, 123, 114, 104, 97, 96, 77,
         56, 9, 21, 0, 19, 42, 24),
    ),
    "knight_outpost": (22, 15),
    "bishop_outpost": (18, 7),
    "minor_behind_pawn": (4, 16),
    "knight_king_distance": ((0, 2, 3, 3, -8, -6, -9, -27), (0, 28, 24, 26, 31, 28, 23, 15)),
    "bishop_king_distance": ((0, -5, -3, -7, -6, -11, -1, -28), (0, 37, 32, 36, 34, 35, 24, 32)),
    "bishop_long_diagonal": (16, 8),
    "bishop_own_pawns": (-2, -3),
    "rook_open_file": (33, 3),
    "rook_half_open_file": (9, 23),
    "rook_seventh": (0, 30),
    "pawn_threat": ((0, 65, 58, 65, 43, 0), (0, 20, 48, 17, 9, 0)),
    "minor_threat": ((0, 20, 33, 52, 36, 0), (0, 25, 32, 10, 35, 0)),
    "rook_threat": ((0, 16, 19, 3, 45, 0), (0, 19, 8, 40, 10, 0)),
    "king_threat": (20, 11),
    "hanging": (13, 26),
    "attacked_pawn": (0, 19),
    "restricted": (4, -1),
    "knight_eyes_queen": (7, -13),
    "slider_eyes_queen": (12, -6),
    "push_threat": (16, 21),
    "shelter": ((-21, 25, 15, 3, -4, -11, -13, 0), (12, -8, -6, -5, -6, -4, 21, 0)),
    "storm": ((-9, 18, -29, -3, 1, 1, -1, 0), (-5, 75, 12, -15, -14, -13, -19, 0)),
    "king_open_file": (9, -25),
    "space": (-2, 11),
}  # fmt: skip

# King danger, in units whose square over 1024 is centipawns.
DANGERS: Final = {
    "knight_attacker": 20,
    "bishop_attacker": 12,
    "rook_attacker": 11,
    "queen_attacker": 13,
    "ring_attack": 20,
    "weak_ring": 16,
    "knight_check": 79,
    "bishop_check": 49,
    "rook_check": 102,
    "queen_check": 71,
    "many_checks": 44,
    "unsafe_check": 23,
    "flank_attack": 7,
    "flank_twice": 3,
    "flank_defence": -3,
    "knight_guard": -12,
    "escapes": 4,
    "near_storm": 17,
    "no_queen": -190,
    "open_file": 3,
    "always": 6,
}  # fmt: skip
