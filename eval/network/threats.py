"""Threats: what each side attacks, counted anew in every position, for the third part of a judgement.

The first layer knows where the pieces stand and must guess what they attack: whether a line is open takes
three pieces and more to tell. So some of it is counted, and weighed beside that layer: how many pieces
hang, how many are attacked by cheaper ones, and how many safe checks there are. What counts as a threat
is after hand-made evaluations, our own and Stockfish's; what it is worth the network has learnt.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.board.attacks import bishop_attacks, rook_attacks
from engine.constants import (
    BISHOP,
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
    U,
)
from engine.system.instructions import lsb, popcount
from engine.system.jit import jit

# What is counted, in this order, for each side.
NAMES: Final = (
    "hanging pawn",
    "hanging knight",
    "hanging bishop",
    "hanging rook",
    "hanging queen",
    "minor attacked by pawn",
    "rook attacked by cheaper",
    "queen attacked by cheaper",
    "safe knight check",
    "safe bishop check",
    "safe rook check",
    "safe queen check",
)


@jit
def count_threats(rules: Any, position: Any) -> Any:
    """The threats of the side to move and those of the other: THREATS counts of each.

    Pins do not matter here, nor whether a side is in check.
    """
    us = U(position.side)
    them = us ^ ONE
    ours = _attacks(rules, position, us)
    theirs = _attacks(rules, position, them)
    return _count(rules, position, us, ours, theirs), _count(rules, position, them, theirs, ours)


@jit
def _attacks(rules: Any, position: Any, side: np.uint64) -> Any:
    """Squares that a side's pawns, knights, bishops, rooks and queens attack, each kind together.

    Then those that any piece attacks, and those that two or more do; there the king counts too.
    """
    own = position.by_colour[side]
    occupied = own | position.by_colour[side ^ ONE]
    by_type = position.by_type

    pawns = by_type[PAWN] & own
    left, right = pawns & ~FILE_A, pawns & ~FILE_H  # apart, for where both attack
    if side == WHITE:
        left, right = left << U(7), right << U(9)
    else:
        left, right = left >> U(9), right >> U(7)
    pawn = left | right
    found = pawn
    twice = left & right

    king = rules.king_attacks[lsb(by_type[KING] & own)]
    twice |= found & king
    found |= king

    knight, found, twice = _reached(rules, KNIGHT, by_type[KNIGHT] & own, occupied, found, twice)
    bishop, found, twice = _reached(rules, BISHOP, by_type[BISHOP] & own, occupied, found, twice)
    rook, found, twice = _reached(rules, ROOK, by_type[ROOK] & own, occupied, found, twice)
    queen, found, twice = _reached(rules, QUEEN, by_type[QUEEN] & own, occupied, found, twice)
    return pawn, knight, bishop, rook, queen, found, twice


@jit
def _reached(
    rules: Any,
    kind: np.uint64,
    pieces: np.uint64,
    occupied: np.uint64,
    found: np.uint64,
    twice: np.uint64,
) -> Any:
    """Squares that pieces of one kind attack; and `found` and `twice` of `_attacks` with these."""
    together = ZERO
    while pieces:
        square = lsb(pieces)
        if kind == KNIGHT:
            attacks = rules.knight_attacks[square]
        else:
            attacks = ZERO
            if kind != ROOK:
                attacks |= bishop_attacks(rules, square, occupied)
            if kind != BISHOP:
                attacks |= rook_attacks(rules, square, occupied)
        twice |= found & attacks
        found |= attacks
        together |= attacks
        pieces &= pieces - ONE
    return together, found, twice


@jit
def _count(rules: Any, position: Any, us: np.uint64, ours: Any, theirs: Any) -> Any:
    """What one side threatens, in the order of NAMES; `ours` and `theirs` are `_attacks`."""
    pawn, knight, bishop, rook, queen, found, twice = ours
    their_pawn, their_knight, their_bishop, their_rook, _, guarded, guarded_twice = theirs
    by_type = position.by_type
    own, enemy = position.by_colour[us], position.by_colour[us ^ ONE]
    minors = enemy & (by_type[KNIGHT] | by_type[BISHOP])

    hanging = enemy & found & ~guarded  # attacked and not defended
    cheap = pawn | knight | bishop

    # Checks where the enemy guards nothing, or only once, with king or queen, what we attack twice.
    king = lsb(by_type[KING] & enemy)
    straight = rook_attacks(rules, king, own | enemy)
    diagonal = bishop_attacks(rules, king, own | enemy)
    well = their_pawn | their_knight | their_bishop | their_rook | guarded_twice
    safe = ~own & (~guarded | (twice & ~well))

    return (
        popcount(hanging & by_type[PAWN]),
        popcount(hanging & by_type[KNIGHT]),
        popcount(hanging & by_type[BISHOP]),
        popcount(hanging & by_type[ROOK]),
        popcount(hanging & by_type[QUEEN]),
        popcount(minors & pawn),
        popcount(enemy & by_type[ROOK] & cheap),
        popcount(enemy & by_type[QUEEN] & (cheap | rook)),
        popcount(knight & rules.knight_attacks[king] & safe),
        popcount(bishop & diagonal & safe),
        popcount(rook & straight & safe),
        popcount(queen & (straight | diagonal) & safe),
    )
