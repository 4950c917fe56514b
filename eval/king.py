"""King safety: the pawns before the king, and the enemy pieces round it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.board.attacks import bishop_attacks, rook_attacks
from engine.constants import BISHOP, FILE_A, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK, WHITE, ZERO, I, U
from engine.jit import jit, lsb, msb, popcount
from eval.note import note
from eval.pawns import relative_rank
from eval.pieces import ALL
from eval.terms import DANGER, OFFSET

_SHELTER = OFFSET["shelter"]
_STORM = OFFSET["storm"]
_KING_OPEN_FILE = OFFSET["king_open_file"]
_WEAK_RING = DANGER["weak_ring"]
_KNIGHT_CHECK = DANGER["knight_check"]
_BISHOP_CHECK = DANGER["bishop_check"]
_ROOK_CHECK = DANGER["rook_check"]
_QUEEN_CHECK = DANGER["queen_check"]
_NO_QUEEN = DANGER["no_queen"]
_OPEN_FILE = DANGER["open_file"]
_ALWAYS = DANGER["always"]


@jit
def count_king(rules: Any, evaluator: Any, position: Any, us: np.uint64) -> None:
    """Count shelter, storm and danger of one side's king, in place; all attacks must be known."""
    danger = evaluator.danger
    them = us ^ ONE
    own = position.by_colour[us]
    enemy = position.by_colour[them]
    pawns = position.by_type[PAWN]
    king = lsb(position.by_type[KING] & own)

    # 1. On the king's file and beside it: our foremost guard, their foremost attacker.
    centre = min(max(king & U(7), U(1)), U(6))
    rank_and_beyond = evaluator.front_wide[us, king] | (U(0xFF) << (king & U(56)))
    for step in range(3):
        file = FILE_A << (centre + U(step) - U(1))
        guards = pawns & own & file & rank_and_beyond
        storm = pawns & enemy & file & rank_and_beyond
        note(evaluator, us, _SHELTER + _nearest_rank(us, guards), I(1))
        note(evaluator, us, _STORM + _nearest_rank(us, storm), I(1))
        if file & pawns & own == ZERO:
            danger[us, _OPEN_FILE] += 1
            if file & pawns == ZERO:
                note(evaluator, us, _KING_OPEN_FILE, I(1))

    # 2. Squares round the king that only king or queen defend.
    attacks = evaluator.attacks
    defended_well = evaluator.twice[us] | attacks[us, PAWN] | attacks[us, KNIGHT]
    defended_well |= attacks[us, BISHOP] | attacks[us, ROOK]
    weak = attacks[them, ALL] & ~defended_well
    danger[us, _WEAK_RING] += I(popcount(weak & evaluator.ring[us, king]))

    # 3. Checks that the enemy could give next without losing the piece.
    occupied = own | enemy
    safe = ~enemy & (~attacks[us, ALL] | (weak & evaluator.twice[them]))
    straight = rook_attacks(rules, king, occupied)
    diagonal = bishop_attacks(rules, king, occupied)
    knight = rules.knight_attacks[king] & attacks[them, KNIGHT] & safe
    danger[us, _KNIGHT_CHECK] += I(knight != ZERO)
    danger[us, _BISHOP_CHECK] += I(diagonal & attacks[them, BISHOP] & safe != ZERO)
    danger[us, _ROOK_CHECK] += I(straight & attacks[them, ROOK] & safe != ZERO)
    danger[us, _QUEEN_CHECK] += I((straight | diagonal) & attacks[them, QUEEN] & safe != ZERO)
    if position.by_type[QUEEN] & enemy == ZERO:
        danger[us, _NO_QUEEN] += 1
    danger[us, _ALWAYS] += 1


@jit
def _nearest_rank(us: np.uint64, pawns: np.uint64) -> np.uint64:
    """Rank, as `us` sees it, of the pawn nearest to our back rank; 0 if there is none."""
    if pawns == ZERO:
        return ZERO
    return relative_rank(us, lsb(pawns) if us == WHITE else msb(pawns))
