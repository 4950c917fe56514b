"""The textbook's searches on the compiled core, to compare them with each other and the real search.

Nothing here is used in play. `engine.textbook` has the same algorithms in their readable form; these
are for trees of millions of nodes. All positions that are looked at are counted in `search.nodes`, and
the best move at ply 0 is left in `search.root_best`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.core.board.constants import DRAW, INFINITE, MAX_PLY, NO_SCORE, ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate_noisy
from boomslang.core.board.see import see_at_least
from boomslang.core.jit.jit import i64, jit, u64
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.history import note_attacked, piece_target, update_histories
from boomslang.engine.search.node import result, store_node
from boomslang.engine.search.ordering import GOOD_CAPTURE, next_move, score_at, score_moves
from boomslang.engine.search.state import SearchState, search_t
from boomslang.engine.search.transposition import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    TranspositionTable,
    bound_of,
    depth_of,
    move_of,
    probe,
    score_of,
)

# What `negamax_with` adds to negamax; sums of these.
ALPHA_BETA: Final = 1  # alpha-beta
# Captures by SEE and MVV-LVA, killers, counter-moves, history, safe checks and threats.
ORDERING: Final = 2
QUIESCENCE: Final = 4  # check extension and quiescence search
TRANSPOSITIONS: Final = 8  # transposition table

_ALPHA_BETA = I(ALPHA_BETA)
_ORDERING = I(ORDERING)
_QUIESCENCE = I(QUIESCENCE)
_TRANSPOSITIONS = I(TRANSPOSITIONS)


@jit
def enter(search: SearchState, signed_ply: np.int64, move: np.uint64) -> None:
    """Make a move from the position at `signed_ply`, in place: it leads to the one above."""
    ply = U(signed_ply)
    search.position[ply + ONE] = search.position[ply]
    search.played[ply] = piece_target(search.position[ply], move)
    make_move(search.rules, search.position[ply + ONE], move)
    search.keys[U(search.root_index + signed_ply + I(1))] = search.position[ply + ONE].key


@jit(i64(search_t, i64, i64, i64))
def minimax(
    search: SearchState, signed_ply: np.int64, depth: np.int64, maximising: np.int64
) -> np.int64:
    """Score for the side to move at ply 0; `maximising` is 1 if that side is to move."""
    search.nodes += I(1)
    sign = maximising * I(2) - I(1)
    score = result(search, signed_ply)
    if score != NO_SCORE:
        return sign * score
    ply = U(signed_ply)
    if depth == I(0):
        return sign * evaluate(search, signed_ply)
    best = -sign * INFINITE
    for number in range(search.moves[ply].count):
        move = U(search.moves[ply].move[U(number)])
        enter(search, signed_ply, move)
        score = minimax(search, signed_ply + I(1), depth - I(1), I(1) - maximising)
        if sign * score > sign * best:
            best = score
            if signed_ply == 0:
                search.root_best = I(move)
    return best


@jit(i64(search_t, i64, i64, i64))
def plain_quiescence(
    search: SearchState, signed_ply: np.int64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """Quiescence search, fail-soft: captures that lose nothing, promotions, and all evasions."""
    search.nodes += I(1)
    best = result(search, signed_ply)
    if best != NO_SCORE:
        return best
    ply = U(signed_ply)
    position = search.position[ply]
    in_check = position.checkers != ZERO
    if signed_ply >= MAX_PLY:
        return DRAW if in_check else evaluate(search, signed_ply)
    best = -INFINITE
    if not in_check:
        best = evaluate(search, signed_ply)
        if best >= beta:
            return best
        generate_noisy(search.rules, position, search.moves[ply])
    if in_check:
        note_attacked(search, signed_ply)
    score_moves(search, signed_ply, ZERO)
    for number in range(search.moves[ply].count):
        move = next_move(search, signed_ply, U(number))
        # Not by the order alone: what it has learnt must not change the value.
        bad = score_at(search.moves[ply], U(number)) < GOOD_CAPTURE
        if not in_check and bad and not see_at_least(search.rules, position, move, I(0)):
            continue
        enter(search, signed_ply, move)
        best = max(best, -plain_quiescence(search, signed_ply + I(1), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


@jit(i64(search_t, u64[::1], i64, i64, i64, i64, i64))
def negamax_with(
    search: SearchState,
    table: TranspositionTable,
    signed_ply: np.int64,
    depth: np.int64,
    alpha: np.int64,
    beta: np.int64,
    features: np.int64,
) -> np.int64:
    """Score for the side to move, fail-soft; `features` is a sum of the constants above.

    An entry of the table counts only if it was searched to the same depth, so that it changes the
    number of nodes and not the score (but for repetitions, which the table cannot see).
    """
    ply = U(signed_ply)
    position = search.position[ply]
    if features & _QUIESCENCE and signed_ply < MAX_PLY:
        if position.checkers != ZERO:
            depth += I(1)
        if depth <= I(0):
            return plain_quiescence(search, signed_ply, alpha, beta)
    search.nodes += I(1)
    best = result(search, signed_ply)
    if best != NO_SCORE:
        return best
    if depth <= I(0) or signed_ply >= MAX_PLY:
        return evaluate(search, signed_ply)

    tt_move = ZERO
    if features & _TRANSPOSITIONS:
        data = probe(table, position.key)
        tt_move = move_of(data)
        bound = bound_of(data)
        if bound != BOUND_NONE and depth_of(data) == depth and signed_ply > 0:
            score = score_of(data, signed_ply)
            if bound == BOUND_EXACT:
                return score
            if (score >= beta and bound == BOUND_LOWER) or (
                score <= alpha and bound == BOUND_UPPER
            ):
                return score

    if features & _ORDERING:
        note_attacked(search, signed_ply)
        score_moves(search, signed_ply, tt_move)
    best = -INFINITE
    best_move = ZERO
    old_alpha = alpha
    for number in range(search.moves[ply].count):
        move = U(search.moves[ply].move[U(number)])
        if features & _ORDERING:
            move = next_move(search, signed_ply, U(number))
        enter(search, signed_ply, move)
        score = -negamax_with(
            search, table, signed_ply + I(1), depth - I(1), -beta, -alpha, features
        )
        if score > best:
            best = score
            best_move = move
            if signed_ply == 0:
                search.root_best = I(move)
        if features & _ALPHA_BETA:
            alpha = max(alpha, best)
            if best >= beta:
                if features & _ORDERING:
                    update_histories(search, signed_ply, U(number), move, depth)
                break

    if features & _TRANSPOSITIONS:
        bound = BOUND_UPPER
        if best >= beta:
            bound = BOUND_LOWER
        elif best > old_alpha:
            bound = BOUND_EXACT
        store_node(search, table, signed_ply, best_move, best, NO_SCORE, depth, bound)
    return best
