"""Endgames that material alone misevaluates: drawish material, and mop-up."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    BLACK,
    DARK_SQUARES,
    FILE_A,
    FILE_H,
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
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.classical.kpk import is_won_kpk
from boomslang.eval.classical.pawns import distance
from boomslang.eval.classical.terms import Evaluator

FULL_SCALE = I(64)


@jit
def _piece_value(position: Position, side: np.uint64) -> np.int64:
    """Value of the pieces without pawns, roughly in pawns."""
    own = position.by_colour[side]
    by_type = position.by_type
    minors = popcount((by_type[KNIGHT] | by_type[BISHOP]) & own)
    return I(
        U(3) * minors + U(5) * popcount(by_type[ROOK] & own) + U(9) * popcount(by_type[QUEEN] & own)
    )


@jit
def scale(evaluator: Evaluator, position: Position, strong: np.uint64) -> np.int64:
    """The share of the endgame score that the leading side can realise, 0..64."""
    by_type = position.by_type
    if by_type[PAWN] and popcount(position.by_colour[WHITE] | position.by_colour[BLACK]) == U(3):
        return FULL_SCALE if is_won_kpk(evaluator, position) else I(0)
    weak = strong ^ ONE
    pawns = by_type[PAWN] & position.by_colour[strong]
    force = _piece_value(position, strong)
    resistance = _piece_value(position, weak)
    bishops = by_type[BISHOP]
    if pawns == ZERO:
        # Without pawns it takes more than a minor piece; two knights are not enough either.
        if force <= I(3):
            return I(0)
        knights_only = by_type[KNIGHT] & position.by_colour[strong]
        if force == I(6) and popcount(knights_only) == U(2) and resistance == I(0):
            return I(0)
        if force - resistance <= I(3):
            return I(8)
    elif force == I(3) and resistance == I(0) and bishops & position.by_colour[strong]:
        # The wrong bishop can't drive the king from the corner where its rook pawn promotes.
        for file in (FILE_A, FILE_H):
            if pawns & ~file == ZERO:
                corner = (file & U(0xFF)) if strong else (file & (U(0xFF) << U(56)))
                same = (corner & DARK_SQUARES != ZERO) == (bishops & DARK_SQUARES != ZERO)
                king = lsb(by_type[KING] & position.by_colour[weak])
                if not same and distance(king, lsb(corner)) <= U(1):
                    return I(0)
    if (
        popcount(bishops & position.by_colour[strong]) == U(1)
        and popcount(bishops & position.by_colour[weak]) == U(1)
        and popcount(bishops & DARK_SQUARES) == U(1)
    ):
        # Opposite bishops: the defender holds the squares that the attacker can't.
        return I(32) if force == I(3) and resistance == I(3) else I(52)
    return FULL_SCALE


@jit
def mop_up(position: Position) -> np.int64:
    """White's centipawns in endgames without pawns where one side has a winning advantage, else 0.

    Only driving the king to the edge, or into the bishop's corner, with the own king near counts there (Slate
    and Atkin's Chess 4.x): all other terms would mislead.
    """
    by_type = position.by_type
    if by_type[PAWN] != ZERO:
        return I(0)
    lead = _piece_value(position, WHITE) - _piece_value(position, BLACK)
    strong = WHITE if lead > 0 else BLACK
    own = position.by_colour[strong]
    bare = position.by_colour[strong ^ ONE] & ~by_type[KING] == ZERO
    minors = (by_type[KNIGHT] | by_type[BISHOP]) & own
    knights = by_type[KNIGHT] & own
    if abs(lead) <= I(3) or (bare and abs(lead) == I(6) and knights == minors):
        return I(0)
    hunted = lsb(by_type[KING] & position.by_colour[strong ^ ONE])
    hunter = lsb(by_type[KING] & own)
    file, rank = I(hunted & U(7)), I(hunted >> U(3))
    apart = abs(file - I(hunter & U(7))) + abs(rank - I(hunter >> U(3)))
    score = I(100) * abs(lead) + I(20) * (I(14) - apart)
    if bare:
        score += I(300)
    edge = abs(I(2) * file - I(7)) + abs(I(2) * rank - I(7))
    if bare and abs(lead) == I(6) and knights:
        # From the wrong corner along the edge to one of the bishop's colour.
        dark = by_type[BISHOP] & own & DARK_SQUARES
        score += I(160) * (abs(I(7) - file - rank) if dark else abs(file - rank)) + I(10) * edge
    else:
        score += I(20) * edge
    return score if strong == WHITE else -score
