"""The terms of the evaluation, and their indices in the arrays of an EVALUATOR.

A linear term is counted for each side and multiplied by a pair of weights, middlegame and endgame.
King danger is counted for each king; its weighted sum is then squared, because two attackers are far
more than twice as dangerous as one.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import U
from boomslang.core.jit.jit import jit, record_type

# Name and number of weights: one for each rank, distance or number of squares, else one.
TERM_SIZES: Final = (
    ("bishop_pair", 1),
    ("isolated", 1),
    ("doubled", 1),
    ("backward", 1),
    ("weak_on_open_file", 1),
    ("phalanx", 8),
    ("supported", 8),
    ("candidate", 8),
    ("passed", 8),
    ("passed_blocked", 8),
    ("passed_free", 8),
    ("passed_safe_step", 8),
    ("passed_own_king", 8),
    ("passed_enemy_king", 8),
    ("passed_rook_behind", 1),
    ("knight_mobility", 9),
    ("bishop_mobility", 14),
    ("rook_mobility", 15),
    ("queen_mobility", 28),
    ("knight_outpost", 1),
    ("bishop_outpost", 1),
    ("minor_behind_pawn", 1),
    ("knight_king_distance", 8),
    ("bishop_king_distance", 8),
    ("bishop_long_diagonal", 1),
    ("bishop_own_pawns", 1),
    ("rook_open_file", 1),
    ("rook_half_open_file", 1),
    ("rook_seventh", 1),
    ("pawn_threat", 6),
    ("minor_threat", 6),
    ("rook_threat", 6),
    ("king_threat", 1),
    ("hanging", 1),
    ("attacked_pawn", 1),
    ("restricted", 1),
    ("knight_eyes_queen", 1),
    ("slider_eyes_queen", 1),
    ("push_threat", 1),
    ("shelter", 8),
    ("storm", 8),
    ("king_open_file", 1),
    ("space", 1),
)

DANGERS: Final = (
    *("knight_attacker", "bishop_attacker", "rook_attacker", "queen_attacker", "ring_attack"),
    *("weak_ring", "knight_check", "bishop_check", "rook_check", "queen_check", "many_checks"),
    *("unsafe_check", "flank_attack", "flank_twice", "flank_defence", "knight_guard", "escapes"),
    *("near_storm", "no_queen", "open_file", "always"),
)


def _layout() -> list[tuple[str, int, int]]:
    names, offset = [], 0
    for name, size in TERM_SIZES:
        names.append((name, offset, size))
        offset += size
    return names


NAMES: Final = _layout()  # (name, offset, size)
COUNT: Final = NAMES[-1][1] + NAMES[-1][2]
DANGER_COUNT: Final = len(DANGERS)
OFFSET: Final = {name: U(offset) for name, offset, _ in NAMES}
DANGER: Final = {name: U(index) for index, name in enumerate(DANGERS)}

# The results of `count_pawns` for one pawn structure. A search meets the same few structures again and again.
STRUCTURE: Final = np.dtype(
    [
        ("key", "u8"),  # Zobrist key of the pawns
        ("score", "i8", (2,)),  # weighted sum, tapered, by colour
        ("passed", "u8", (2,)),
    ],
    align=True,
)
STRUCTURES: Final = 4096

ALL: Final = U(6)  # in `attacks`: every piece type together

EVALUATOR: Final = np.dtype(
    [
        ("weight", "i8", (COUNT,)),  # weight of each term, tapered
        ("score", "i8", (2,)),  # weighted sum of the terms, tapered, by colour
        ("danger", "i4", (2, DANGER_COUNT)),  # to the king of each colour
        ("danger_weight", "i4", (DANGER_COUNT,)),
        ("attacks", "u8", (2, 7)),  # squares attacked, by colour and piece type, or ALL
        ("twice", "u8", (2,)),  # squares attacked by two pieces
        ("mobility_area", "u8", (2,)),
        ("pinned", "u8", (2,)),
        ("passed", "u8", (2,)),  # passed pawns
        ("front", "u8", (2, 64)),  # squares ahead on the same file
        ("front_wide", "u8", (2, 64)),  # the same with the files beside it
        ("ring", "u8", (2, 64)),  # squares round a king, by colour
        ("structure", STRUCTURE, (STRUCTURES,)),
        ("kpk", "u8", (2, 24, 64)),  # see eval.classical.kpk
        ("tracing", "i8"),  # 1 if the counts are wanted too
        ("count", "i4", (2, COUNT)),  # count of each term, by colour, if so
    ],
    align=True,
)

evaluator_t: Any = record_type(EVALUATOR)
Evaluator: TypeAlias = Any  # a record of EVALUATOR


@jit
def add_term(evaluator: Evaluator, us: np.uint64, term: np.uint64, times: np.int64) -> None:
    """Add `times` times the weight of `term` to the score of one side, in place.

    The search needs only this sum; the tuner and the `eval` command also use the counts.
    """
    evaluator.score[us] += times * evaluator.weight[term]
    if evaluator.tracing:
        evaluator.count[us, term] += times
