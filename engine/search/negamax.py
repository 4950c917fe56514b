"""The tree search: fail-soft negamax alpha-beta with principal variation search."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import DECISIVE, DRAW, INFINITE, MATE, NO_SCORE, ONE, ZERO, I, U
from boomslang.core.board.movegen import generate, generate_noisy
from boomslang.core.board.see import see_at_least
from boomslang.core.jit.jit import i64, jit, u64
from boomslang.engine.search.correction import correct_evaluation, update_corrections
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.history import (
    TRIED,
    UNTRIED,
    is_quiet,
    note_attacked,
    update_after_fail_low,
    update_after_research,
    update_by_evaluation_difference,
    update_histories,
)
from boomslang.engine.search.node import (
    better_estimate,
    can_null_move,
    enter,
    enter_null,
    has_pieces,
    is_decisive,
    is_improving,
    may_be_singular,
    prefetch_child,
    store_node,
    update_pv,
    value_at_end,
    value_at_horizon,
)
from boomslang.engine.search.ordering import history_of, next_move, pick_move, score_moves
from boomslang.engine.search.polling import is_stopped
from boomslang.engine.search.pruning import (
    is_direct_check,
    is_futile,
    is_futile_capture,
    is_pruned_by_history,
    is_pruned_by_see,
    is_reverse_futile,
    late_move_count,
)
from boomslang.engine.search.quiescence import quiescence
from boomslang.engine.search.reductions import (
    NOISY,
    PLY,
    QUIET,
    correction_reduction,
    deeper_or_shallower,
    history_reduction,
    late_move_reduction,
    node_reduction,
    null_move_reduction,
    probcut_depth,
)
from boomslang.engine.search.state import SearchState, search_t
from boomslang.engine.search.tb_bounds import store_tb_bounds, tb_bounds
from boomslang.engine.search.transposition import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_NONE,
    BOUND_UPPER,
    TranspositionTable,
    bound_within,
    depth_of,
    evaluation_of,
    is_cutoff,
    move_of,
    probe,
    score_of,
)


@jit(i64(search_t, u64[::1], i64, i64, i64, i64, i64))
def negamax(
    search: SearchState,
    table: TranspositionTable,
    ply: np.int64,
    depth: np.int64,
    alpha: np.int64,
    beta: np.int64,
    cut_node: np.int64,
) -> np.int64:
    """Fail-soft score of the position at `ply`, centipawns for the side to move.

    `depth` is the number of plies to go before quiescence; `cut_node` is 1 where a fail high is
    expected. At ply 0 the moves are `search.root_move` from `root_first` on. Returns 0 when the search
    is being stopped; then only what the root has already noted is of use.
    """
    if is_stopped(search):
        return I(0)
    here = U(ply)
    below = ply + I(1)
    params = search.params
    rules = search.rules
    position = search.position[here]
    in_check = position.checkers != ZERO
    search.pv_length[here] = I(0)
    search.selective_depth = max(search.selective_depth, ply)
    at_root = ply == 0
    pv_node = beta > alpha + I(1)
    moves = search.moves[here]
    excluded = U(search.excluded[here])

    if not at_root:
        # Step 1. The end of a game by repetition, fifty moves or dead position, or that of the stack.
        value = value_at_end(search, ply)
        if value != NO_SCORE:
            return value

        # Step 2. At the horizon, quiescence search takes over (or nothing, if minimax is asked for).
        if depth <= 0:
            if params.quiescence:
                return quiescence(search, table, ply, alpha, beta)
            return value_at_horizon(search, ply)

        # Step 3. Mate distance: a shorter mate has been found elsewhere, so nothing here matters.
        alpha = max(alpha, -MATE + ply)
        beta = min(beta, MATE - ply - I(1))
        if alpha >= beta:
            return alpha

    # Step 4. Transposition table: a deep enough entry answers at once, but never on the principal
    # variation, which would be cut short, nor when the fifty-move counter is high: entries do not know it.
    data = probe(table, position.key)
    bound = bound_within(data, I(position.halfmoves))
    tt_move = move_of(data)
    tt_score = score_of(data, ply)
    tt_depth = depth_of(data)
    trusted = tt_depth >= depth and I(position.halfmoves) < params.table_rule50_limit
    if trusted and not pv_node and excluded == ZERO and is_cutoff(bound, tt_score, alpha, beta):
        return tt_score

    # Step 5. Tablebases: a result that settles the window ends the node; elsewhere it narrows the window.
    lowest, highest = -MATE + ply, INFINITE
    if search.tb_pieces > 0 and not at_root and excluded == ZERO:
        lowest, highest = tb_bounds(search, ply, depth)
        if lowest == highest or lowest >= beta or highest <= alpha:
            return store_tb_bounds(search, table, ply, depth, lowest, highest)
        alpha = max(alpha, lowest)

    # Step 6. Static evaluation, corrected by experience; the table's score may know more.
    evaluation = NO_SCORE
    static = NO_SCORE
    estimate = NO_SCORE
    if not in_check:
        if bound != BOUND_NONE:
            evaluation = evaluation_of(data)
        if evaluation == NO_SCORE:
            evaluation = evaluate(search, ply)
        static = correct_evaluation(search, ply, evaluation)
        estimate = better_estimate(static, tt_score, bound)
    search.static[here] = static
    if excluded == ZERO:
        update_by_evaluation_difference(search, ply, static)
    improving = is_improving(search, ply, static)
    search.killers[here + ONE] = ZERO
    search.excluded[here + ONE] = ZERO
    search.extensions[here + ONE] = search.extensions[here]

    may_prune = not (pv_node or in_check) and excluded == ZERO
    if may_prune:
        # Step 7. Reverse futility: so far above beta that the opponent will not catch up.
        if is_reverse_futile(search, depth, improving, estimate, beta):
            return beta + (estimate - beta) * params.reverse_futility_return // I(100)

        # Step 8. Null move: if passing the turn still fails high, a real move will too.
        if can_null_move(search, ply, depth, estimate, static, beta):
            enter_null(search, table, ply)
            reduced = depth - null_move_reduction(search, depth, estimate - beta)
            score = -negamax(search, table, below, reduced, -beta, I(1) - beta, I(0))
            if is_stopped(search):
                return I(0)
            if score >= beta:
                score = beta if is_decisive(score) else score
                if depth < params.null_verify_from or search.null_from > 0:
                    return score
                # In zugzwang the pass misleads: deep nodes ask again, at first without it (Stockfish).
                search.null_from = ply + I(3) * reduced // I(4)
                proof = negamax(search, table, ply, reduced, beta - I(1), beta, I(0))
                search.null_from = I(0)
                if is_stopped(search):
                    return I(0)
                if proof >= beta:
                    return score

    # Step 9. Internal iterative reduction: without a table move the order is poor; come back later.
    if depth >= params.iir_depth and tt_move == ZERO and excluded == ZERO and (pv_node or cut_node):
        depth -= I(1)

    # Step 10. ProbCut: a capture that beats beta by far at low depth will beat it at full depth.
    probcut_beta = beta + params.probcut_margin
    refuted = bound != BOUND_NONE and tt_depth >= depth - I(3) and tt_score < probcut_beta
    if may_prune and depth >= params.probcut_depth and not (refuted or is_decisive(beta)):
        generate_noisy(rules, position, moves)
        score_moves(search, ply, tt_move)
        reduced = probcut_depth(search, depth, static - probcut_beta)
        for index in range(moves.count):
            move = pick_move(moves, U(index))
            if not see_at_least(rules, position, move, probcut_beta - static):
                continue
            prefetch_child(search, table, ply, move)
            enter(search, ply, move)
            low, high = -probcut_beta, I(1) - probcut_beta
            score = -quiescence(search, table, below, low, high)
            if score >= probcut_beta:
                score = -negamax(search, table, below, reduced, low, high, I(1) - cut_node)
            if is_stopped(search):
                return I(0)
            if score >= probcut_beta:
                store_node(search, table, ply, move, score, evaluation, reduced + I(1), BOUND_LOWER)
                return score

    # Step 11. Singular extension: is the table move the only good one? Search the others a little
    # below its score. If all fail low, look deeper; if they too beat beta, several moves do
    # (multi-cut); if the table move fails high anyway, it needs no full look.
    extension = I(0)
    if not at_root and excluded == ZERO and may_be_singular(search, ply, depth, data, bound):
        singular_beta = tt_score - params.singular_margin * depth
        half = (depth - I(1)) // I(2)
        search.excluded[here] = tt_move
        score = negamax(search, table, ply, half, singular_beta - I(1), singular_beta, cut_node)
        search.excluded[here] = ZERO
        if is_stopped(search):
            return I(0)
        if score < singular_beta:
            twice = not pv_node and score < singular_beta - params.double_margin
            extension = I(2) if twice and search.extensions[here] < 6 else I(1)
        elif singular_beta >= beta:
            decisive = is_decisive(score) or is_decisive(beta)
            return singular_beta if decisive else (score + beta) // I(2)
        elif tt_score >= beta:
            extension = I(-1)
        search.killers[here + ONE] = ZERO
        search.pv_length[here] = I(0)

    # Step 12. Moves: generate them, the most promising first. The root keeps its own list.
    first = I(0)
    if at_root:
        first = search.root_first
        moves.count = U(search.root_count)
        for reported in range(first):
            moves.order[U(reported)] = UNTRIED
    else:
        generate(rules, position, moves)
        score_moves(search, ply, tt_move)
    note_attacked(search, ply)
    best = lowest
    best_move = ZERO
    old_alpha = alpha
    searched = ZERO
    skip_quiets = False
    quiet_limit = late_move_count(search, depth, improving)

    for signed_number in range(first, I(moves.count)):
        number = U(signed_number)
        if at_root:
            move = U(search.root_move[number])
            moves.move[number] = move
        elif skip_quiets:
            move = U(moves.move[number])  # what is left needs no order
        else:
            move = next_move(search, ply, number)
        quiet = is_quiet(position, move)
        too_late = depth <= params.late_move_depth and I(searched) >= quiet_limit
        if move == excluded or (
            skip_quiets and quiet and (too_late or not is_direct_check(rules, position, move))
        ):
            moves.order[number] = UNTRIED
            continue
        kind = QUIET if quiet else NOISY
        reduction = late_move_reduction(search, kind, depth, searched)
        history = history_of(search, ply, number, move, quiet)
        moves.order[number] = UNTRIED
        prefetch_child(search, table, ply, move)

        # Step 13. Prune late moves of shallow nodes, once one move is known not to lose at once.
        # Checks are spared much of it: a sacrifice that mates looks futile until the end.
        if not at_root and best > -DECISIVE and has_pieces(position):
            reduced_depth = max(depth - I(1) - reduction // PLY, I(0))
            if quiet:
                futile = is_futile(search, static, evaluation, reduced_depth, alpha)
                failed = futile or is_pruned_by_history(search, history, reduced_depth)
                if too_late or (failed and not is_direct_check(rules, position, move)):
                    skip_quiets = bool(skip_quiets or too_late or futile)
                    continue
            elif is_futile_capture(
                search, position, move, history, static, reduced_depth, alpha
            ) and not is_direct_check(rules, position, move):
                continue
            if is_pruned_by_see(search, position, move, quiet, depth, reduced_depth):
                continue

        # Step 14. Make the move. The only answer to a check gets a ply more: a row of such checks would
        # push what follows over the horizon. Not that of king and pawns: driving a king takes many checks.
        moves.order[number] = TRIED
        nodes_before = search.nodes
        enter(search, ply, move)
        gives_check = search.position[here + ONE].checkers != ZERO
        new_depth = depth - I(1)
        search.extensions[here + ONE] = search.extensions[here]
        if move == tt_move and not at_root:
            new_depth += extension
            if extension > I(1):
                search.extensions[here + ONE] += I(1)
        if in_check and moves.count == ONE and not at_root and has_pieces(position):
            new_depth += params.one_reply_extension

        # Step 15. Principal variation search: the first move gets the full window; of the others we
        # only ask whether they beat it, late ones at reduced depth first.
        score = NO_SCORE
        if searched > ZERO:
            target = new_depth
            if depth >= params.reduction_depth and (searched > ONE or not pv_node):
                reduction += node_reduction(search, pv_node, cut_node, improving, gives_check)
                reduction -= history_reduction(search, quiet, history)
                reduction -= correction_reduction(search, evaluation, static)
                target = min(max(new_depth - reduction // PLY, I(1)), new_depth)
            child_cuts = I(1) if target < new_depth else I(1) - cut_node
            score = -negamax(search, table, below, target, -alpha - I(1), -alpha, child_cuts)
            if target < new_depth and score > alpha:
                new_depth += deeper_or_shallower(search, best, score, new_depth)
            if target < new_depth and score > alpha and not is_stopped(search):
                score = -negamax(
                    search, table, below, new_depth, -alpha - I(1), -alpha, I(1) - cut_node
                )
                if quiet and not alpha < score < beta and not is_stopped(search):
                    update_after_research(search, ply, move, new_depth, bool(score >= beta))
        if searched == ZERO or (pv_node and score > alpha and not is_stopped(search)):
            child_cuts = I(0) if pv_node else I(1) - cut_node
            score = -negamax(search, table, below, new_depth, -beta, -alpha, child_cuts)
        if is_stopped(search):
            return I(0)
        searched += ONE
        if at_root:
            search.root_nodes[number] += search.nodes - nodes_before

        # Step 16. A better move raises alpha; one that beats beta ends the node.
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if pv_node:
                    update_pv(search, here, move)
                if at_root:
                    search.root_best = signed_number
                    search.root_score = score
                if score >= beta:
                    update_histories(search, ply, number, move, depth)
                    break

    # Step 17. No move: mate (already in `best`) or stalemate; or only the excluded one was there.
    if searched == ZERO:
        if excluded != ZERO:
            return alpha
        return best if in_check else DRAW

    best = min(best, highest)
    bound = BOUND_UPPER
    if best >= beta:
        bound = BOUND_LOWER
    elif alpha > old_alpha:
        bound = BOUND_EXACT

    # Step 18. Learn: where all moves failed low, that the move before was good; and how far off the
    # static evaluation was, where a quiet move decided.
    if bound == BOUND_UPPER and depth > 2 and not at_root and excluded == ZERO:
        update_after_fail_low(search, ply, depth)
    if excluded == ZERO and not (at_root and search.root_partial):
        if not in_check and (best_move == ZERO or is_quiet(position, best_move)):
            update_corrections(search, ply, depth, best, static, bound)

        # Step 19. Remember, but not what searchmoves or MultiPV have made of the root.
        store_node(search, table, ply, best_move, best, evaluation, depth, bound)
    return best
