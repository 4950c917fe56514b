"""King and pawn against king: a table of all positions, computed when the engine starts.

Sets of squares of the lone king are bitboards, so one step of retrograde analysis handles 64 positions at
once; the 3,072 sets are complete after some iterations. (The idea of a table for this ending is as old as
chess programs; Bramer 1980.)

White has the pawn, on the files a to d; the other half of the board is its mirror image.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import FILE_A, FILE_H, KING, ONE, PAWN, WHITE, ZERO, U
from boomslang.core.board.position import Position, position_t
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import boolean, jit, kernel, void
from boomslang.eval.classical.terms import Evaluator, evaluator_t

_PAWNS = U(24)  # squares a2..d2, a3..d3, ... of the pawn
_TO_MOVE = U(0)  # White, first index of the table
_WAITING = U(1)  # Black to move
_BACK_RANK = U(0xFF00000000000000)
_MIRROR_RANKS = U(56)
_MIRROR_FILES = U(7)


@jit
def _pawn_square(pawn: np.uint64) -> np.uint64:
    """Square of pawn number 0..23."""
    return (pawn // U(4) + ONE) * U(8) + pawn % U(4)


@jit
def _king_steps(squares: np.uint64) -> np.uint64:
    """All squares that a king on one of `squares` can step to."""
    beside = ((squares & ~FILE_A) >> ONE) | ((squares & ~FILE_H) << ONE)
    three = squares | beside
    return beside | (three << U(8)) | (three >> U(8))


@jit
def _white_wins(evaluator: Evaluator, pawn: np.uint64, king: np.uint64) -> np.uint64:
    """Squares of the lone king where White, to move, has a move that wins."""
    table = evaluator.kpk
    square = _pawn_square(pawn)
    wins = ZERO
    steps = _king_steps(ONE << king) & ~(ONE << square)
    while steps:
        wins |= table[_WAITING, pawn, lsb(steps)]
        steps &= steps - ONE
    ahead = ONE << (square + U(8))
    if king == square + U(8):
        return wins
    if ahead & _BACK_RANK:
        # The new queen wins unless it is captured at once.
        guarded = _king_steps(ONE << king) & ahead
        return wins | ~(ahead | (ZERO if guarded else _king_steps(ahead)))
    wins |= table[_WAITING, pawn + U(4), king] & ~ahead
    if square < U(16) and king != square + U(16):
        blocked = ahead | (ahead << U(8))
        wins |= table[_WAITING, pawn + U(8), king] & ~blocked
    return wins


@jit
def _black_loses(evaluator: Evaluator, pawn: np.uint64, king: np.uint64) -> np.uint64:
    """Squares of the lone king where Black, to move, is mated or has only moves that lose."""
    bit = ONE << _pawn_square(pawn)
    by_pawn = ((bit & ~FILE_A) << U(7)) | ((bit & ~FILE_H) << U(9))
    free = ~(_king_steps(ONE << king) | by_pawn | (ONE << king))  # the pawn too, if not guarded
    saved = free & ~evaluator.kpk[_TO_MOVE, pawn, king]
    can_move = _king_steps(free)
    return ~_king_steps(saved) & (can_move | by_pawn)


@kernel(void(evaluator_t))
def solve_kpk(evaluator: Evaluator) -> None:
    """Fill the table of an EVALUATOR record, in place.

    `kpk[side, pawn, king]` is the set of squares of Black's king with which White wins.
    """
    table = evaluator.kpk
    for side in range(2):
        for row in range(24):
            for column in range(64):
                table[U(side), U(row), U(column)] = ZERO
    changed = True
    while changed:
        changed = False
        for back in range(24):
            pawn = _PAWNS - ONE - U(back)  # advanced pawns first, as the others depend on them
            bit = ONE << _pawn_square(pawn)
            by_pawn = ((bit & ~FILE_A) << U(7)) | ((bit & ~FILE_H) << U(9))
            for number in range(64):
                king = U(number)
                if bit & (ONE << king):
                    continue
                possible = ~(bit | (ONE << king) | _king_steps(ONE << king))
                white = _white_wins(evaluator, pawn, king) & possible & ~by_pawn
                changed |= white != table[_TO_MOVE, pawn, king]
                table[_TO_MOVE, pawn, king] = white
                black = _black_loses(evaluator, pawn, king) & possible
                changed |= black != table[_WAITING, pawn, king]
                table[_WAITING, pawn, king] = black


@kernel(boolean(evaluator_t, position_t))
def is_won_kpk(evaluator: Evaluator, position: Position) -> bool:
    """True if the side with the pawn wins; the POSITION must be king and pawn against king."""
    square = lsb(position.by_type[PAWN])
    strong = WHITE if position.by_colour[WHITE] >> square & ONE else ONE
    flip = ZERO if strong == WHITE else _MIRROR_RANKS
    if square & U(7) > U(3):
        flip ^= _MIRROR_FILES
    kings = position.by_type[KING]
    own = lsb(kings & position.by_colour[strong]) ^ flip
    lone = lsb(kings & position.by_colour[strong ^ ONE]) ^ flip
    square ^= flip
    pawn = (square // U(8) - ONE) * U(4) + square % U(8)
    side = U(position.side) ^ strong
    return bool(evaluator.kpk[side, pawn, own] >> lone & ONE)
