"""The tree search: fail-soft negamax alpha-beta with principal variation search."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.board.draws import FIFTY_MOVES, is_dead, is_repetition
from engine.board.makemove import make_move, make_null_move
from engine.board.movegen import generate
from engine.constants import (
    DRAW,
    KING,
    MATE,
    MATE_IN_MAX,
    MAX_PLY,
    NO_SCORE,
    ONE,
    PAWN,
    ZERO,
    I,
    U,
)
from engine.jit import i64, jit, u64
from engine.search.ordering import (
    KILLER,
    is_quiet,
    pick_move,
    reward_quiet,
    score_moves,
)
from engine.search.polling import count_node, is_stopped
from engine.search.quiescence import quiescence
from engine.search.state import search_t
from engine.search.table import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    bound_of,
    depth_of,
    move_of,
    prefetch_bucket,
    probe,
    score_of,
    score_to_store,
    store,
)
from eval.evaluate import evaluate

NULL_MOVE_DEPTH = I(3)
NULL_MOVE_REDUCTION = I(3)
LATE_MOVE_DEPTH = I(3)
LATE_MOVE_NUMBER = U(3)
LATER_MOVE_NUMBER = U(10)


@jit
def null_move_reduction(depth: np.int64) -> np.int64:
    """Plies to search less after passing: the deeper, the more can be trusted."""
    return NULL_MOVE_REDUCTION + depth // I(6)


@jit
def late_move_reduction(depth: np.int64, number: np.uint64) -> np.int64:
    """Plies to search a quiet move less that stands late in the order."""
    if depth < LATE_MOVE_DEPTH or number < LATE_MOVE_NUMBER:
        return I(0)
    return I(1) if number < LATER_MOVE_NUMBER else I(1) + depth // I(4)


@jit
def has_pieces(position: Any) -> bool:
    """True if the side to move has more than king and pawns: then it is hardly in zugzwang."""
    own = position.by_colour[U(position.side)]
    return bool(own & ~(position.by_type[PAWN] | position.by_type[KING]))


@jit
def update_pv(search: Any, ply: np.uint64, move: np.uint64) -> None:
    """The best line from `ply` is `move` and then the best line of the child, in place."""
    length = search.pv_length[ply + ONE]
    search.pv[ply, U(0)] = move
    for number in range(length):
        search.pv[ply, U(number + 1)] = search.pv[ply + ONE, U(number)]
    search.pv_length[ply] = length + 1


@jit(i64(search_t, u64[::1], u64, i64, i64, i64, i64, i64))
def negamax(
    search: Any,
    table: Any,
    generation: np.uint64,
    signed_ply: np.int64,
    depth: np.int64,
    alpha: np.int64,
    beta: np.int64,
    may_pass: np.int64,
) -> np.int64:
    """Fail-soft score of the position at `signed_ply`, centipawns for the side to move.

    `depth` is the number of plies to go before quiescence; `may_pass` is 0 right after a null move.
    At ply 0 the moves are `search.root_move` from `root_first` on. Returns 0 when the search is being
    stopped; then only what the root has already noted is of use.
    """
    # Step 1. In check: extend, so that the horizon never falls between a check and its answer.
    if is_stopped(search):
        return I(0)
    ply = U(signed_ply)
    position = search.position[ply]
    in_check = position.checkers != ZERO
    if in_check:
        depth += I(1)

    # Step 2. At the horizon, quiescence search takes over.
    if depth <= 0:
        return quiescence(search, table, generation, signed_ply, alpha, beta)
    search.pv_length[ply] = I(0)
    search.selective_depth = max(search.selective_depth, signed_ply)
    at_root = signed_ply == 0
    pv_node = beta > alpha + I(1)

    # Step 3. Draws by repetition, fifty moves or dead position. Mate on the hundredth ply counts.
    moves = search.moves[ply]
    if not at_root:
        halfmoves = I(position.halfmoves)
        if is_dead(position) or is_repetition(
            search.keys,
            search.root_index + signed_ply,
            signed_ply,
            halfmoves,
            I(position.since_null),
        ):
            return DRAW
        if U(position.halfmoves) >= FIFTY_MOVES:
            if in_check:
                generate(search.rules, position, moves)
                if moves.count == ZERO:
                    return -MATE + signed_ply
            return DRAW
        if signed_ply >= MAX_PLY:
            return DRAW if in_check else evaluate(search.rules, position)

    # Step 4. Transposition table: a deep enough entry answers at once, but never on the principal
    # variation, which would be cut short.
    data = probe(table, position.key)
    bound = bound_of(data)
    table_move = move_of(data)
    if bound != BOUND_NONE and not pv_node and depth_of(data) >= depth:
        score = score_of(data, signed_ply)
        if (score >= beta and bound & BOUND_LOWER) or (score <= alpha and bound & BOUND_UPPER):
            return score

    # Step 5. Null move: if passing the turn still fails high, a real move will too.
    if (
        may_pass
        and not pv_node
        and not in_check
        and depth >= NULL_MOVE_DEPTH
        and beta > -MATE_IN_MAX
        and has_pieces(position)
        and evaluate(search.rules, position) >= beta
    ):
        search.position[ply + ONE] = position
        make_null_move(search.rules, search.position[ply + ONE])
        search.keys[U(search.root_index + signed_ply + 1)] = search.position[ply + ONE].key
        count_node(search)
        reduced = depth - I(1) - null_move_reduction(depth)
        score = -negamax(
            search, table, generation, signed_ply + I(1), reduced, -beta, I(1) - beta, I(0)
        )
        if is_stopped(search):
            return I(0)
        if score >= beta:
            return beta if score >= MATE_IN_MAX else score

    # Step 6. Moves: generate them, the most promising first. The root keeps its own list.
    first = I(0)
    if at_root:
        first = search.root_first
        moves.count = U(search.root_count)
    else:
        generate(search.rules, position, moves)
        score_moves(search, ply, table_move)
    best = -MATE + signed_ply
    best_move = ZERO
    old_alpha = alpha
    search.killers[ply + ONE, U(0)] = ZERO
    search.killers[ply + ONE, U(1)] = ZERO

    for signed_number in range(first, I(moves.count)):
        number = U(signed_number)
        if at_root:
            move = U(search.root_move[number])
            moves.move[number] = move
            quiet = is_quiet(position, move)
            late = quiet
        else:
            move = pick_move(moves, number)
            quiet = is_quiet(position, move)
            late = quiet and I(moves.score[number]) < KILLER

        # Step 7. Make the move.
        search.position[ply + ONE] = position
        child = search.position[ply + ONE]
        make_move(search.rules, child, move)
        prefetch_bucket(table, child.key)
        search.keys[U(search.root_index + signed_ply + 1)] = child.key
        count_node(search)

        # Step 8. Principal variation search: the first move gets the full window; of the others we
        # only ask whether they beat it, late quiet ones at reduced depth first.
        new_depth = depth - I(1)
        score = NO_SCORE
        searched = U(signed_number - first)
        if searched > ZERO:
            reduction = I(0)
            if late and not in_check and child.checkers == ZERO:
                reduction = min(late_move_reduction(depth, searched), new_depth - I(1))
                reduction = max(reduction, I(0))
            score = -negamax(
                search,
                table,
                generation,
                signed_ply + I(1),
                new_depth - reduction,
                -alpha - I(1),
                -alpha,
                I(1),
            )
            if reduction > 0 and score > alpha and not is_stopped(search):
                score = -negamax(
                    search,
                    table,
                    generation,
                    signed_ply + I(1),
                    new_depth,
                    -alpha - I(1),
                    -alpha,
                    I(1),
                )
        if searched == ZERO or (pv_node and score > alpha and not is_stopped(search)):
            score = -negamax(
                search, table, generation, signed_ply + I(1), new_depth, -beta, -alpha, I(1)
            )
        if is_stopped(search):
            return I(0)

        # Step 9. A better move raises alpha; one that beats beta ends the node.
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if pv_node:
                    update_pv(search, ply, move)
                if at_root:
                    search.root_best = signed_number
                    search.root_score = score
                if score >= beta:
                    if quiet:
                        reward_quiet(search, ply, number, move, depth)
                    break

    # Step 10. No legal move: mate (already in `best`) or stalemate.
    if moves.count == ZERO:
        return best if in_check else DRAW

    # Step 11. Remember, but not what searchmoves or MultiPV have made of the root.
    if not (at_root and search.root_partial):
        bound = BOUND_UPPER
        if best >= beta:
            bound = BOUND_LOWER
        elif alpha > old_alpha:
            bound = BOUND_EXACT
        stored = score_to_store(best, signed_ply)
        store(table, position.key, generation, best_move, stored, NO_SCORE, depth, bound)
    return best
