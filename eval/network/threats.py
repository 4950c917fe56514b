"""Threats: what each side attacks, counted anew in every position, for the third part of a evaluation.

The first layer knows where the pieces stand and must guess what they attack: whether a line is open takes
three pieces and more to tell. So some of it is counted, and weighed beside that layer: how many pieces
hang, how many are attacked by cheaper ones, and how many safe checks there are. What counts as a threat
is after hand-made evaluations, our own and Stockfish's; what it is worth the network has learnt.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.engine.core.board.attacks import bishop_attacks, rook_attacks
from boomslang.engine.core.board.fills import (
    four_diagonal,
    four_knights,
    four_straight,
    pawn_attacks_of,
)
from boomslang.engine.core.board.position import Position, Rules
from boomslang.engine.core.constants import BISHOP, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK, ZERO, U
from boomslang.engine.core.system.instructions import lsb, popcount
from boomslang.engine.core.system.jit import jit

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
def count_threats(rules: Rules, position: Position) -> Any:
    """The threats of the side to move and those of the other: a pair of THREATS uint64 counts, as in NAMES.

    Pins do not matter here, nor whether a side is in check.
    """
    us = U(position.side)
    them = us ^ ONE
    own, enemy = position.by_colour[us], position.by_colour[them]
    empty = ~(own | enemy)
    by_type = position.by_type
    knights, kings = by_type[KNIGHT], by_type[KING]
    bishops, rooks, queens = by_type[BISHOP], by_type[ROOK], by_type[QUEEN]

    # The lanes of kings say from where a knight would give check.
    leaps = four_knights(knights & own, knights & enemy, kings & own, kings & enemy, empty)
    diagonal = four_diagonal(bishops & own, bishops & enemy, queens & own, queens & enemy, empty)
    straight = four_straight(rooks & own, rooks & enemy, queens & own, queens & enemy, empty)
    ours = _attacks(
        rules, position, us, leaps[0], diagonal[0], straight[0], diagonal[2], straight[2]
    )
    theirs = _attacks(
        rules, position, them, leaps[1], diagonal[1], straight[1], diagonal[3], straight[3]
    )
    return (
        _count(rules, position, us, ours, theirs, leaps[3][0]),
        _count(rules, position, them, theirs, ours, leaps[2][0]),
    )


@jit
def _attacks(
    rules: Rules,
    position: Position,
    side: np.uint64,
    knights: Any,
    bishops: Any,
    rooks: Any,
    queens_diagonal: Any,
    queens_straight: Any,
) -> Any:
    """Squares that a side's pawns, knights, bishops, rooks and queens attack, each kind together.

    Then those that any piece attacks, and those that two or more do; there the king counts too. The last
    five arguments are pairs: the squares that are attacked, and those that are attacked twice.
    """
    by_type = position.by_type
    own = position.by_colour[side]

    left, right = pawn_attacks_of(position, side)  # apart, for where both attack
    pawn = left | right

    every = (pawn, left & right)
    every = _both(every, (rules.king_attacks[lsb(by_type[KING] & own)], ZERO))
    every = _both(every, knights)
    every = _both(every, bishops)
    every = _both(every, rooks)
    queens = _both(queens_diagonal, queens_straight)
    found, twice = _both(every, queens)
    return pawn, knights[0], bishops[0], rooks[0], queens[0], found, twice


@jit
def _both(some: Any, others: Any) -> Any:
    """Squares that two groups of pieces attack, and those that they attack twice, from those of each."""
    return some[0] | others[0], some[1] | others[1] | (some[0] & others[0])


@jit
def _count(
    rules: Rules, position: Position, us: np.uint64, ours: Any, theirs: Any, leaps: np.uint64
) -> Any:
    """What one side threatens, in the order of NAMES; `ours` and `theirs` are `_attacks`.

    `leaps` are the squares from which a knight would give check.
    """
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
        popcount(knight & leaps & safe),
        popcount(bishop & diagonal & safe),
        popcount(rook & straight & safe),
        popcount(queen & (straight | diagonal) & safe),
    )
