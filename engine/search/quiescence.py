"""Quiescence search: play out captures until the static evaluation can be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.constants import DECISIVE, DRAW, MATE, MAX_PLY, NO_SCORE, ZERO, I, U
from boomslang.core.board.draws import is_dead
from boomslang.core.board.movegen import generate, generate_noisy
from boomslang.core.board.position import NORMAL
from boomslang.core.board.see import SEE_VALUE, see_at_least
from boomslang.core.jit.jit import i64, jit, u64
from boomslang.engine.search.correction import correct_evaluation
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.history import is_quiet, note_attacked, victim_type
from boomslang.engine.search.node import better_estimate, enter, prefetch_child, store_node
from boomslang.engine.search.ordering import GOOD_CAPTURE, next_move, score_at, score_moves
from boomslang.engine.search.polling import is_stopped
from boomslang.engine.search.state import SearchState, search_t
from boomslang.engine.search.transposition import (
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    TranspositionTable,
    bound_within,
    evaluation_of,
    is_cutoff,
    move_of,
    probe,
    score_of,
)


@jit(i64(search_t, u64[::1], i64, i64, i64))
def quiescence(
    search: SearchState, table: TranspositionTable, ply: np.int64, alpha: np.int64, beta: np.int64
) -> np.int64:
    """Fail-soft score of the position at `ply`, centipawns for the side to move.

    Only captures and promotions are tried, or all evasions in check. Returns 0 when the search is
    being stopped.
    """
    # Step 1. Leave when stopped, when the board can't be won, or when the stack ends.
    if is_stopped(search):
        return I(0)
    here = U(ply)
    position = search.position[here]
    search.pv_length[here] = I(0)
    search.selective_depth = max(search.selective_depth, ply)
    if is_dead(position):
        return DRAW
    in_check = position.checkers != ZERO
    if ply >= MAX_PLY:
        return DRAW if in_check else evaluate(search, ply)

    # Step 2. What is known already?
    data = probe(table, position.key)
    bound = bound_within(data, I(position.halfmoves))
    tt_score = score_of(data, ply)
    if beta == alpha + I(1) and is_cutoff(bound, tt_score, alpha, beta):
        return tt_score

    # Step 3. Stand pat: unless in check, some quiet move will keep at least the static evaluation.
    best = -MATE + ply
    evaluation = NO_SCORE
    futility = best
    if not in_check:
        evaluation = evaluation_of(data) if bound != BOUND_NONE else NO_SCORE
        if evaluation == NO_SCORE:
            evaluation = evaluate(search, ply)
        static = correct_evaluation(search, ply, evaluation)
        best = better_estimate(static, tt_score, bound)
        if best >= beta:
            return best
        alpha = max(alpha, best)
        # Not `best`: a score of the table may already count on the capture that is weighed.
        futility = static + search.params.quiescence_futility

    # Step 4. Captures and promotions that lose nothing; every move when in check.
    moves = search.moves[here]
    if in_check:
        generate(search.rules, position, moves)
        note_attacked(search, ply)
    else:
        generate_noisy(search.rules, position, moves)
    score_moves(search, ply, move_of(data))
    best_move = ZERO
    tried = I(0)
    for number in range(moves.count):
        move = next_move(search, ply, U(number))
        if best > -DECISIVE:
            if in_check:
                if is_quiet(position, move):
                    break  # one way out is enough to know that it is not mate
            else:
                if score_at(moves, U(number)) < GOOD_CAPTURE:
                    break
                if tried >= search.params.quiescence_moves:
                    break
                # Even with the piece won, is it too little?
                if move >> U(14) == NORMAL:
                    hope: Any = futility + SEE_VALUE[victim_type(position, move)]
                    if hope <= alpha:
                        best = max(best, hope)
                        continue
                    # And does it win anything, where standing still is too little?
                    if futility <= alpha and not see_at_least(search.rules, position, move, I(1)):
                        best = max(best, futility)
                        continue
        prefetch_child(search, table, ply, move)
        enter(search, ply, move)
        tried += I(1)
        score = -quiescence(search, table, ply + I(1), -beta, -alpha)
        if is_stopped(search):
            return I(0)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if score >= beta:
                    break

    # Step 5. Remember.
    bound = BOUND_LOWER if best >= beta else BOUND_UPPER
    store_node(search, table, ply, best_move, best, evaluation, I(0), bound)
    return best
