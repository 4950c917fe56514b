"""Threats: pieces attacked by less valuable ones, hanging pieces; and space behind the own pawns."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import bishop_attacks, rook_attacks
from boomslang.core.board.constants import (
    BISHOP,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    RANK_3,
    RANK_6,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.classical.pawns import pawn_attacks, step_forward
from boomslang.eval.classical.terms import ALL, OFFSET, Evaluator, add_term

_PAWN_THREAT = OFFSET["pawn_threat"]
_MINOR_THREAT = OFFSET["minor_threat"]
_ROOK_THREAT = OFFSET["rook_threat"]
_KING_THREAT = OFFSET["king_threat"]
_ATTACKED_PAWN = OFFSET["attacked_pawn"]
_RESTRICTED = OFFSET["restricted"]
_KNIGHT_EYES_QUEEN = OFFSET["knight_eyes_queen"]
_SLIDER_EYES_QUEEN = OFFSET["slider_eyes_queen"]
_HANGING = OFFSET["hanging"]
_PUSH_THREAT = OFFSET["push_threat"]
_SPACE = OFFSET["space"]
_CENTRE_FILES = U(0x3C3C3C3C3C3C3C3C)
_WHITE_SPACE = U(0x00000000FFFFFF00)
_BLACK_SPACE = U(0x00FFFFFF00000000)


@jit
def _count_victims(
    evaluator: Evaluator, position: Position, us: np.uint64, term: np.uint64, victims: np.uint64
) -> None:
    """Count each victim under the weight of its piece type, in place."""
    while victims:
        piece_type = U(position.board[lsb(victims)]) % U(6)
        add_term(evaluator, us, term + piece_type, I(1))
        victims &= victims - ONE


@jit
def count_threats(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Count what one side threatens, in place; all attacks must be known."""
    attacks = evaluator.attacks
    them = us ^ ONE
    enemy = position.by_colour[them]
    pawns = position.by_type[PAWN]
    pieces = enemy & ~pawns
    minors = attacks[us, KNIGHT] | attacks[us, BISHOP]
    _count_victims(evaluator, position, us, _PAWN_THREAT, pieces & attacks[us, PAWN])
    _count_victims(evaluator, position, us, _MINOR_THREAT, pieces & minors)
    _count_victims(evaluator, position, us, _ROOK_THREAT, pieces & attacks[us, ROOK])
    twice = evaluator.twice
    strong = attacks[them, PAWN] | (twice[them] & ~twice[us])
    weak = enemy & attacks[us, ALL] & ~strong
    if weak & attacks[us, KING]:
        add_term(evaluator, us, _KING_THREAT, I(1))
    add_term(evaluator, us, _ATTACKED_PAWN, I(popcount(weak & pawns)))
    add_term(
        evaluator, us, _RESTRICTED, I(popcount(attacks[us, ALL] & attacks[them, ALL] & ~strong))
    )
    add_term(evaluator, us, _HANGING, I(popcount(enemy & attacks[us, ALL] & ~attacks[them, ALL])))

    queens = position.by_type[QUEEN] & enemy
    if queens:
        # Squares from which a queen could be attacked next, safely; each counts once.
        occupied = position.by_colour[us] | enemy
        knight = diagonal = straight = ZERO
        while queens:
            queen = lsb(queens)
            knight |= rules.knight_attacks[queen]
            diagonal |= bishop_attacks(rules, queen, occupied)
            straight |= rook_attacks(rules, queen, occupied)
            queens &= queens - ONE
        safe = evaluator.mobility_area[us] & ~strong
        add_term(
            evaluator, us, _KNIGHT_EYES_QUEEN, I(popcount(knight & attacks[us, KNIGHT] & safe))
        )
        slider = (diagonal & attacks[us, BISHOP]) | (straight & attacks[us, ROOK])
        add_term(evaluator, us, _SLIDER_EYES_QUEEN, I(popcount(slider & safe & twice[us])))

    own_pawns = pawns & position.by_colour[us]
    empty = ~(position.by_colour[us] | enemy)
    pushes = step_forward(own_pawns, us) & empty
    third = RANK_3 if us == WHITE else RANK_6
    pushes |= step_forward(pushes & third, us) & empty
    pushes &= ~attacks[them, PAWN] & (attacks[us, ALL] | ~attacks[them, ALL])
    threatened = pawn_attacks(pushes, us) & pieces & ~attacks[us, PAWN]
    add_term(evaluator, us, _PUSH_THREAT, I(popcount(threatened)))

    space = _WHITE_SPACE if us == WHITE else _BLACK_SPACE
    free = space & _CENTRE_FILES & ~own_pawns & ~attacks[them, PAWN]
    if free != ZERO:
        add_term(evaluator, us, _SPACE, I(popcount(free)))
