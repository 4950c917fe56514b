"""Threat counts of each side, taken anew in every position, for the third part of the evaluation.

Some attacks are counted, whatever the square, and weighted by stage of the game beside the first layer:
hanging pieces, pieces attacked by less valuable ones, and safe checks. The definitions follow hand-made
evaluations, this engine's own and Stockfish's; the weights are learnt.
(`eval.network.threatened_pieces` is another thing: inputs of the first layer for each threatened piece
on its square.)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.attacks import bishop_attacks, rook_attacks
from boomslang.core.board.constants import BISHOP, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK, ZERO, U
from boomslang.core.board.fills import four_diagonal, four_knights, four_straight, pawn_attacks_of
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit

# The counts, in this order, for each side.
NAMES: Final = (
    *("hanging pawn", "hanging knight", "hanging bishop", "hanging rook", "hanging queen"),
    *("minor attacked by pawn", "rook attacked by cheaper", "queen attacked by cheaper"),
    *("safe knight check", "safe bishop check", "safe rook check", "safe queen check"),
)


@jit
def count_threats(rules: Rules, position: Position) -> Any:
    """The threats of the side to move and of the other side, and the squares that each of them attacks.

    Three tuples: THREATS uint64 counts of the one and of the other, as in NAMES; and a pair of the results of
    `_attacks`, from which `threatened_pieces` goes on. Pins and checks are ignored.
    """
    us = U(position.side)
    them = us ^ ONE
    own, enemy = position.by_colour[us], position.by_colour[them]
    empty = ~(own | enemy)
    by_type = position.by_type
    knights, kings = by_type[KNIGHT], by_type[KING]
    bishops, rooks, queens = by_type[BISHOP], by_type[ROOK], by_type[QUEEN]

    # The lanes of the kings give the squares from which a knight would check.
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
        (ours, theirs),
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
    """Squares that a side's pawns, knights, bishops, rooks and queens attack, by kind.

    Then those attacked by any piece, and those attacked by two or more; these two include the king. The last
    five arguments are pairs: the squares attacked, and those attacked twice.
    """
    by_type = position.by_type
    own = position.by_colour[side]

    left, right = pawn_attacks_of(position, side)  # separate, to find squares attacked by both
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
    """Squares attacked, and squares attacked twice, by two groups of pieces together."""
    return some[0] | others[0], some[1] | others[1] | (some[0] & others[0])


@jit
def _count(
    rules: Rules, position: Position, us: np.uint64, ours: Any, theirs: Any, leaps: np.uint64
) -> Any:
    """The threats of one side, in the order of NAMES; `ours` and `theirs` are results of `_attacks`.

    `leaps` are the squares from which a knight would give check.
    """
    pawn, knight, bishop, rook, queen, found, twice = ours
    their_pawn, their_knight, their_bishop, their_rook, _, guarded, guarded_twice = theirs
    by_type = position.by_type
    own, enemy = position.by_colour[us], position.by_colour[us ^ ONE]
    minors = enemy & (by_type[KNIGHT] | by_type[BISHOP])

    hanging = enemy & found & ~guarded  # attacked and not defended
    cheap = pawn | knight | bishop

    # Safe checks: on unguarded squares, or on squares attacked twice and guarded once, by king or queen.
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
