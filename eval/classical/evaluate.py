"""Static evaluation: material and piece squares, pawns, pieces, threats, king safety, endgames."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import (
    BLACK,
    KING,
    ONE,
    PAWN,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.movegen import pinned_pieces
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import i64, jit, kernel, void
from boomslang.eval.classical.endgame import FULL_SCALE, mop_up, scale
from boomslang.eval.classical.king import count_king
from boomslang.eval.classical.pawns import count_passed, count_pawns, pawn_attacks, step_forward
from boomslang.eval.classical.pieces import count_pieces
from boomslang.eval.classical.score import MAX_PHASE, endgame_of, game_phase, middlegame_of
from boomslang.eval.classical.terms import (
    ALL,
    COUNT,
    DANGER_COUNT,
    STRUCTURES,
    Evaluator,
    evaluator_t,
)
from boomslang.eval.classical.threats import count_threats

TEMPO = I(12)  # bonus for the side to move


@jit
def _begin(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Clear the counts of one side and note the attacks of its pawns and king, in place."""
    them = us ^ ONE
    own = position.by_colour[us]
    pawns = position.by_type[PAWN] & own
    king = lsb(position.by_type[KING] & own)
    evaluator.score[us] = 0
    if evaluator.tracing:
        for term in range(COUNT):
            evaluator.count[us, U(term)] = 0
    for term in range(DANGER_COUNT):
        evaluator.danger[us, U(term)] = 0
    for piece_type in range(7):
        evaluator.attacks[us, U(piece_type)] = ZERO
    by_pawns = pawn_attacks(pawns, us)
    by_king = rules.king_attacks[king]
    evaluator.attacks[us, PAWN] = by_pawns
    evaluator.attacks[us, KING] = by_king
    evaluator.attacks[us, ALL] = by_pawns | by_king
    evaluator.twice[us] = by_pawns & by_king
    evaluator.pinned[us] = pinned_pieces(rules, position, king, us)
    # Mobility does not count squares that enemy pawns guard, nor those of pawns that can't move.
    enemy_pawns = position.by_type[PAWN] & position.by_colour[them]
    occupied = own | position.by_colour[them]
    home = (RANK_2 | RANK_3) if us == WHITE else (RANK_7 | RANK_6)
    stuck = pawns & (step_forward(occupied, them) | home)
    guarded = pawn_attacks(enemy_pawns, them)
    evaluator.mobility_area[us] = ~(guarded | stuck | (ONE << king))


@jit
def _structure(rules: Rules, evaluator: Evaluator, position: Position) -> None:
    """Count the pawn structure of both sides, in place, or take it from the pawn table.

    The sums must still be zero. An unused entry is correct for its key 0, which means no pawns.
    """
    key = U(position.pawn_key)
    entry = evaluator.structure[key & U(STRUCTURES - 1)]
    if U(entry.key) != key or evaluator.tracing:
        for number in range(2):
            us = U(number)
            count_pawns(rules, evaluator, position, us)
            entry.score[us] = evaluator.score[us]
            entry.passed[us] = evaluator.passed[us]
        entry.key = key
    else:
        for number in range(2):
            us = U(number)
            evaluator.score[us] = entry.score[us]
            evaluator.passed[us] = entry.passed[us]


@kernel(void(rules_t, evaluator_t, position_t))
def extract(rules: Rules, evaluator: Evaluator, position: Position) -> None:
    """Add up the terms of a POSITION in `evaluator.score` and `.danger`, in place.

    With `evaluator.tracing` the counts of the terms are stored in `evaluator.count`.
    """
    _begin(rules, evaluator, position, WHITE)
    _begin(rules, evaluator, position, BLACK)
    _structure(rules, evaluator, position)
    count_pieces(rules, evaluator, position, WHITE)
    count_pieces(rules, evaluator, position, BLACK)
    for number in range(2):
        us = U(number)
        count_passed(rules, evaluator, position, us)
        count_threats(rules, evaluator, position, us)
        count_king(rules, evaluator, position, us)


@jit
def danger_middlegame(danger: np.int64) -> np.int64:
    """The penalty for king danger in the middlegame, centipawns: quadratic."""
    return max(danger, I(0)) * max(danger, I(0)) // I(1024)


@jit
def danger_endgame(danger: np.int64) -> np.int64:
    """The same in the endgame, where it is linear."""
    return max(danger, I(0)) // I(8)


@jit
def danger_to(evaluator: Evaluator, us: np.uint64) -> np.int64:
    """Weighted sum of the dangers to one side's king."""
    total = I(0)
    for term in range(DANGER_COUNT):
        total += I(evaluator.danger[us, U(term)]) * I(evaluator.danger_weight[U(term)])
    return total


@jit
def weigh(evaluator: Evaluator, position: Position) -> tuple[np.int64, np.int64]:
    """Middlegame and endgame score from the sums of `extract`, centipawns, White's view."""
    # 1. The piece-square sum is updated by every move; everything else is added up anew.
    total = position.psq + evaluator.score[WHITE] - evaluator.score[BLACK]
    middlegame = middlegame_of(total)
    endgame = endgame_of(total)

    # 2. King danger, White's against Black's.
    white, black = danger_to(evaluator, WHITE), danger_to(evaluator, BLACK)
    middlegame += danger_middlegame(black) - danger_middlegame(white)
    endgame += danger_endgame(black) - danger_endgame(white)
    return middlegame, endgame


@jit
def realise(
    evaluator: Evaluator, position: Position, middlegame: np.int64, endgame: np.int64
) -> tuple[np.int64, np.int64]:
    """Both scores, with the endgame score scaled by the realisable lead; or the mop-up score twice."""
    # 3. Scale the endgame score by the share of a lead that can be realised.
    won = mop_up(position)
    if won != I(0):
        return won, won
    part = scale(evaluator, position, WHITE if endgame > 0 else BLACK)
    if part != FULL_SCALE:
        sign = I(1) if endgame > 0 else I(-1)
        endgame = sign * (abs(endgame) * part // FULL_SCALE)
        if part == I(0):
            middlegame = I(0)
    return middlegame, endgame


@jit
def blend(position: Position, middlegame: np.int64, endgame: np.int64) -> np.int64:
    """Both scores blended by phase, plus the tempo; centipawns from the view of the side to move."""
    # 4. Blend from the view of the side to move, so that both colours round alike.
    phase = game_phase(position)
    if U(position.side) == BLACK:
        middlegame, endgame = -middlegame, -endgame
    return (middlegame * phase + endgame * (MAX_PHASE - phase)) // MAX_PHASE + TEMPO


@jit
def fade(position: Position, score: np.int64) -> np.int64:
    """Reduce the score towards 0 as the fifty-move rule approaches; centipawns."""
    return score * (I(256) - min(I(position.halfmoves), I(100))) // I(256)


@kernel(i64(rules_t, evaluator_t, position_t))
def evaluate(rules: Rules, evaluator: Evaluator, position: Position) -> np.int64:
    """Score of a POSITION in centipawns from the view of the side to move."""
    extract(rules, evaluator, position)
    middlegame, endgame = weigh(evaluator, position)
    middlegame, endgame = realise(evaluator, position, middlegame, endgame)
    return fade(position, blend(position, middlegame, endgame))
