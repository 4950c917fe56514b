"""King safety: the pawns in front of the king, and the enemy pieces around it."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import bishop_attacks, rook_attacks
from boomslang.core.board.constants import (
    BISHOP,
    FILE_A,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb, msb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.classical.pawns import relative_rank
from boomslang.eval.classical.terms import ALL, DANGER, OFFSET, Evaluator, add_term

_SHELTER = OFFSET["shelter"]
_STORM = OFFSET["storm"]
_KING_OPEN_FILE = OFFSET["king_open_file"]
_WEAK_RING = DANGER["weak_ring"]
_KNIGHT_CHECK = DANGER["knight_check"]
_BISHOP_CHECK = DANGER["bishop_check"]
_ROOK_CHECK = DANGER["rook_check"]
_QUEEN_CHECK = DANGER["queen_check"]
_MANY_CHECKS = DANGER["many_checks"]
_UNSAFE_CHECK = DANGER["unsafe_check"]
_FLANK_ATTACK = DANGER["flank_attack"]
_FLANK_TWICE = DANGER["flank_twice"]
_FLANK_DEFENCE = DANGER["flank_defence"]
_KNIGHT_GUARD = DANGER["knight_guard"]
_ESCAPES = DANGER["escapes"]
_NEAR_STORM = DANGER["near_storm"]
_NO_QUEEN = DANGER["no_queen"]
_OPEN_FILE = DANGER["open_file"]
_ALWAYS = DANGER["always"]
_WHITE_CAMP = U(0x000000FFFFFFFFFF)  # five ranks
_BLACK_CAMP = U(0xFFFFFFFFFF000000)
_QUEEN_FLANK = U(0x0F0F0F0F0F0F0F0F)
_CENTRE = U(0x3C3C3C3C3C3C3C3C)
_KING_FLANK = U(0xF0F0F0F0F0F0F0F0)


@jit
def count_king(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Count shelter, storm and danger of one side's king, in place; all attacks must be known."""
    danger = evaluator.danger
    them = us ^ ONE
    own = position.by_colour[us]
    enemy = position.by_colour[them]
    pawns = position.by_type[PAWN]
    king = lsb(position.by_type[KING] & own)

    # 1. On the king's file and beside it: our pawn nearest to it, and their most advanced pawn.
    centre = min(max(king & U(7), U(1)), U(6))
    rank_and_beyond = evaluator.front_wide[us, king] | (U(0xFF) << (king & U(56)))
    for step in range(3):
        file = FILE_A << (centre + U(step) - U(1))
        guards = pawns & own & file & rank_and_beyond
        storm = pawns & enemy & file & rank_and_beyond
        storm_rank = _nearest_rank(us, storm)
        if storm and storm_rank <= U(4):
            danger[us, _NEAR_STORM] += 1
        add_term(evaluator, us, _SHELTER + _nearest_rank(us, guards), I(1))
        add_term(evaluator, us, _STORM + storm_rank, I(1))
        if file & pawns & own == ZERO:
            danger[us, _OPEN_FILE] += 1
            if file & pawns == ZERO:
                add_term(evaluator, us, _KING_OPEN_FILE, I(1))

    # 2. Squares round the king that only king or queen defend.
    attacks = evaluator.attacks
    defended_well = evaluator.twice[us] | attacks[us, PAWN] | attacks[us, KNIGHT]
    defended_well |= attacks[us, BISHOP] | attacks[us, ROOK]
    weak = attacks[them, ALL] & ~defended_well
    danger[us, _WEAK_RING] += I(popcount(weak & evaluator.ring[us, king]))

    # 3. Safe checks of the enemy.
    occupied = own | enemy
    safe = ~enemy & (~attacks[us, ALL] | (weak & evaluator.twice[them]))
    straight = rook_attacks(rules, king, occupied)
    diagonal = bishop_attacks(rules, king, occupied)
    knight = rules.knight_attacks[king] & attacks[them, KNIGHT] & ~enemy
    bishop = diagonal & attacks[them, BISHOP] & ~enemy
    rook = straight & attacks[them, ROOK] & ~enemy
    queen = (straight | diagonal) & attacks[them, QUEEN] & safe
    danger[us, _KNIGHT_CHECK] += I(knight & safe != ZERO)
    danger[us, _BISHOP_CHECK] += I(bishop & safe != ZERO)
    danger[us, _ROOK_CHECK] += I(rook & safe != ZERO)
    danger[us, _QUEEN_CHECK] += I(queen != ZERO)
    checks = (knight | bishop | rook) & safe
    danger[us, _MANY_CHECKS] += I(popcount(checks | queen))
    danger[us, _UNSAFE_CHECK] += I(popcount((knight | bishop | rook) & ~safe))

    # 4. Attacks on the king's side of the board, and its defenders.
    camp = _WHITE_CAMP if us == WHITE else _BLACK_CAMP
    camp &= _QUEEN_FLANK if king & U(7) < U(3) else _KING_FLANK if king & U(7) > U(4) else _CENTRE
    danger[us, _FLANK_ATTACK] += I(popcount(attacks[them, ALL] & camp))
    danger[us, _FLANK_TWICE] += I(popcount(evaluator.twice[them] & camp))
    danger[us, _FLANK_DEFENCE] += I(popcount(attacks[us, ALL] & camp))
    danger[us, _KNIGHT_GUARD] += I(attacks[us, KNIGHT] & rules.king_attacks[king] != ZERO)
    danger[us, _ESCAPES] += I(popcount(rules.king_attacks[king] & ~own & ~attacks[them, ALL]))
    if position.by_type[QUEEN] & enemy == ZERO:
        danger[us, _NO_QUEEN] += 1
    danger[us, _ALWAYS] += 1


@jit
def _nearest_rank(us: np.uint64, pawns: np.uint64) -> np.uint64:
    """Rank, as `us` sees it, of the pawn nearest to our back rank; 0 if there is none."""
    if pawns == ZERO:
        return ZERO
    return relative_rank(us, lsb(pawns) if us == WHITE else msb(pawns))
