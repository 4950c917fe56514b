"""Static exchange evaluation (SEE): the gain of a capture after all recaptures on its square.

Both sides always capture with their least valuable piece and may stop at any time. Pins are ignored.
The threshold form needs no list of gains: it stops as soon as the answer is known.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import attackers, bishop_attacks, rook_attacks
from boomslang.core.board.constants import BISHOP, EMPTY, KING, ONE, PAWN, QUEEN, ROOK, ZERO, I, U
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    Position,
    Rules,
    position_t,
    rules_t,
)
from boomslang.core.jit.jit import boolean, i64, kernel, u64

# Centipawns by piece type; the king is worth more than any exchange.
SEE_VALUE = np.array([100, 300, 300, 500, 900, 20000], dtype=np.int64)


@kernel(boolean(rules_t, position_t, u64, i64))
def see_at_least(rules: Rules, position: Position, move: np.uint64, threshold: np.int64) -> bool:
    """True if the exchange that `move` starts gains at least `threshold` centipawns for the mover.

    Works for quiet moves too (the moved piece may be lost). Castling gains 0.
    """
    kind = move >> U(14)
    if kind == CASTLING:
        return bool(threshold <= 0)
    origin = move & U(63)
    target = move >> U(6) & U(63)
    side = U(position.side)

    # 1. The move itself: is it enough even if the moved piece is lost for nothing?
    moved = U(position.board[origin]) - side * U(6)
    balance = -threshold
    if kind == EN_PASSANT:
        balance += SEE_VALUE[PAWN]
    elif U(position.board[target]) != EMPTY:
        balance += SEE_VALUE[U(position.board[target]) - (side ^ ONE) * U(6)]
    if kind == PROMOTION:
        moved = (move >> U(12) & U(3)) + ONE
        balance += SEE_VALUE[moved] - SEE_VALUE[PAWN]
    if balance < 0:
        return False
    balance -= SEE_VALUE[moved]
    if balance >= 0:
        return True

    # 2. The recaptures. `balance` is from the view of the side that has just lost a piece.
    occupied = (position.by_colour[U(0)] | position.by_colour[U(1)]) & ~(ONE << origin)
    occupied |= ONE << target
    if kind == EN_PASSANT:
        occupied &= ~(ONE << (target ^ U(8)))
    diagonal = position.by_type[BISHOP] | position.by_type[QUEEN]
    straight = position.by_type[ROOK] | position.by_type[QUEEN]
    takers = attackers(rules, position, target, occupied) & occupied
    mover_wins = True
    while True:
        side ^= ONE
        takers &= occupied
        own = takers & position.by_colour[side]
        if own == ZERO:
            break
        piece = PAWN
        while own & position.by_type[piece] == ZERO:
            piece += ONE
        if piece == KING and takers & ~position.by_colour[side]:
            break  # the king may not take what is defended
        mover_wins = not mover_wins
        balance = -balance - I(1) - SEE_VALUE[piece]
        if balance >= 0:
            break
        taker = own & position.by_type[piece]
        occupied ^= taker & (ZERO - taker)
        if piece in (PAWN, BISHOP, QUEEN):
            takers |= bishop_attacks(rules, target, occupied) & diagonal
        if piece in (ROOK, QUEEN):
            takers |= rook_attacks(rules, target, occupied) & straight
    return mover_wins
