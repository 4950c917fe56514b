"""Quiescence search: play out captures until the static evaluation can be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.board.draws import is_dead
from engine.board.makemove import make_move
from engine.board.movegen import generate, generate_noisy
from engine.constants import DRAW, MATE, MAX_PLY, NO_SCORE, ONE, ZERO, I, U
from engine.jit import i64, jit, u64
from engine.search.ordering import GOOD_CAPTURE, pick_move, score_moves
from engine.search.polling import count_node, is_stopped
from engine.search.state import search_t
from engine.search.table import (
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    bound_of,
    move_of,
    prefetch_bucket,
    probe,
    score_of,
    score_to_store,
    store,
)
from eval.evaluate import evaluate


@jit(i64(search_t, u64[::1], u64, i64, i64, i64))
def quiescence(
    search: Any,
    table: Any,
    generation: np.uint64,
    signed_ply: np.int64,
    alpha: np.int64,
    beta: np.int64,
) -> np.int64:
    """Fail-soft score of the position at `signed_ply`, centipawns for the side to move.

    Only captures and promotions are tried, or all evasions in check. Returns 0 when the search is
    being stopped.
    """
    # Step 1. Leave when told to, when the board can't be won, or when the stack ends.
    if is_stopped(search):
        return I(0)
    ply = U(signed_ply)
    position = search.position[ply]
    search.pv_length[ply] = I(0)
    search.selective_depth = max(search.selective_depth, signed_ply)
    if is_dead(position):
        return DRAW
    in_check = position.checkers != ZERO
    if signed_ply >= MAX_PLY:
        return DRAW if in_check else evaluate(search.rules, position)

    # Step 2. What is known already?
    data = probe(table, position.key)
    bound = bound_of(data)
    if bound != BOUND_NONE and beta == alpha + I(1):
        score = score_of(data, signed_ply)
        if (score >= beta and bound & BOUND_LOWER) or (score <= alpha and bound & BOUND_UPPER):
            return score

    # Step 3. Stand pat: some quiet move will keep at least the static evaluation, unless in check.
    best = -MATE + signed_ply
    if not in_check:
        best = evaluate(search.rules, position)
        if best >= beta:
            return best
        alpha = max(alpha, best)

    # Step 4. Captures and promotions that lose nothing; every move when in check.
    moves = search.moves[ply]
    if in_check:
        generate(search.rules, position, moves)
    else:
        generate_noisy(search.rules, position, moves)
    score_moves(search, ply, move_of(data))
    best_move = ZERO
    for number in range(moves.count):
        move = pick_move(moves, U(number))
        if not in_check and I(moves.score[U(number)]) < GOOD_CAPTURE:
            break
        search.position[ply + ONE] = position
        make_move(search.rules, search.position[ply + ONE], move)
        prefetch_bucket(table, search.position[ply + ONE].key)
        count_node(search)
        score = -quiescence(search, table, generation, signed_ply + I(1), -beta, -alpha)
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
    stored = score_to_store(best, signed_ply)
    store(table, position.key, generation, best_move, stored, NO_SCORE, I(0), bound)
    return best
