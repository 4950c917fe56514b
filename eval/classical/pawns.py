"""Pawn structure, and the advancement of passed pawns."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import FILE_A, FILE_H, KING, ONE, PAWN, ROOK, WHITE, ZERO, I, U
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.classical.terms import ALL, OFFSET, Evaluator, add_term

_ISOLATED = OFFSET["isolated"]
_DOUBLED = OFFSET["doubled"]
_BACKWARD = OFFSET["backward"]
_WEAK_ON_OPEN_FILE = OFFSET["weak_on_open_file"]
_CANDIDATE = OFFSET["candidate"]
_PHALANX = OFFSET["phalanx"]
_SUPPORTED = OFFSET["supported"]
_PASSED = OFFSET["passed"]
_BLOCKED = OFFSET["passed_blocked"]
_FREE = OFFSET["passed_free"]
_SAFE_STEP = OFFSET["passed_safe_step"]
_OWN_KING = OFFSET["passed_own_king"]
_ENEMY_KING = OFFSET["passed_enemy_king"]
_ROOK_BEHIND = OFFSET["passed_rook_behind"]
_EVERY_RANK = U(7)


@jit
def relative_rank(colour: np.uint64, square: np.uint64) -> np.uint64:
    """Rank 0..7 as the owner sees it."""
    return (square >> U(3)) ^ (_EVERY_RANK * colour)


@jit
def pawn_attacks(pawns: np.uint64, colour: np.uint64) -> np.uint64:
    """Squares that a set of pawns attacks."""
    if colour == WHITE:
        return ((pawns & ~FILE_A) << U(7)) | ((pawns & ~FILE_H) << U(9))
    return ((pawns & ~FILE_A) >> U(9)) | ((pawns & ~FILE_H) >> U(7))


@jit
def step_forward(squares: np.uint64, colour: np.uint64) -> np.uint64:
    """The squares one step further for `colour`."""
    return squares << U(8) if colour == WHITE else squares >> U(8)


@jit
def distance(first: np.uint64, second: np.uint64) -> np.uint64:
    """King moves between two squares on an empty board."""
    files = abs(I(first & U(7)) - I(second & U(7)))
    ranks = abs(I(first >> U(3)) - I(second >> U(3)))
    return U(max(files, ranks))


@jit
def count_pawns(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Count the structure of one side's pawns, in place, and note which are passed."""
    them = us ^ ONE
    own = position.by_type[PAWN] & position.by_colour[us]
    enemy = position.by_type[PAWN] & position.by_colour[them]
    guarded = pawn_attacks(own, us)
    taken = pawn_attacks(enemy, them)
    passed = ZERO
    pawns = own
    while pawns:
        square = lsb(pawns)
        bit = ONE << square
        pawns &= pawns - ONE
        rank = relative_rank(us, square)
        wide = evaluator.front_wide[us, square]
        back = evaluator.front_wide[them, square]
        file = FILE_A << (square & U(7))
        beside = (wide | back) & ~file
        level = ((bit & ~FILE_A) >> ONE) | ((bit & ~FILE_H) << ONE)
        neighbours = own & (beside | level)
        if evaluator.front[us, square] & own:
            add_term(evaluator, us, _DOUBLED, I(1))
        weak = False
        if neighbours == ZERO:
            add_term(evaluator, us, _ISOLATED, I(1))
            weak = True
        elif (
            own & (level | (back & ~file)) == ZERO
            and (step_forward(bit, us) & (taken | enemy)) != ZERO
        ):
            add_term(evaluator, us, _BACKWARD, I(1))
            weak = True
        facing = evaluator.front[us, square] & (own | enemy)
        if weak and facing == ZERO:
            add_term(evaluator, us, _WEAK_ON_OPEN_FILE, I(1))
        if level & own:
            add_term(evaluator, us, _PHALANX + rank, I(1))
        if guarded & bit:
            add_term(evaluator, us, _SUPPORTED + rank, I(1))
        if wide & enemy == ZERO and evaluator.front[us, square] & own == ZERO:
            passed |= bit
            add_term(evaluator, us, _PASSED + rank, I(1))
        elif facing == ZERO:
            # Are there at least as many supporting pawns as enemy pawns that guard its path?
            helpers = popcount(own & (level | (back & ~file)))
            if helpers >= popcount(enemy & wide):
                add_term(evaluator, us, _CANDIDATE + rank, I(1))
    evaluator.passed[us] = passed


@jit
def count_passed(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Count the support and the obstacles of one side's passed pawns, in place; attacks must be known."""
    them = us ^ ONE
    occupied = position.by_colour[us] | position.by_colour[them]
    own_king = lsb(position.by_type[KING] & position.by_colour[us])
    enemy_king = lsb(position.by_type[KING] & position.by_colour[them])
    rooks = position.by_type[ROOK] & position.by_colour[us]
    pawns = evaluator.passed[us]
    while pawns:
        square = lsb(pawns)
        pawns &= pawns - ONE
        rank = relative_rank(us, square)
        stop = step_forward(ONE << square, us)
        if stop & occupied:
            add_term(evaluator, us, _BLOCKED + rank, I(1))
        elif stop & evaluator.attacks[them, ALL] == ZERO:
            add_term(evaluator, us, _SAFE_STEP + rank, I(1))
        if rank >= U(3):
            if evaluator.front[us, square] & (occupied | evaluator.attacks[them, ALL]) == ZERO:
                add_term(evaluator, us, _FREE + rank, I(1))
            add_term(evaluator, us, _OWN_KING + distance(own_king, lsb(stop)), I(1))
            add_term(evaluator, us, _ENEMY_KING + distance(enemy_king, lsb(stop)), I(1))
        if evaluator.front[them, square] & rooks:
            add_term(evaluator, us, _ROOK_BEHIND, I(1))
