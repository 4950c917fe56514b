"""What not to look at: the rules of forward pruning and their margins."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.attacks import checking_squares
from boomslang.core.board.constants import DECISIVE, NO_SCORE, ONE, I, U
from boomslang.core.board.position import NORMAL, Position, Rules
from boomslang.core.board.see import SEE_VALUE, see_at_least
from boomslang.core.jit.jit import jit
from boomslang.engine.search.history import victim_type
from boomslang.engine.search.state import SearchState


@jit
def is_reverse_futile(
    search: SearchState, depth: np.int64, improving: np.int64, estimate: np.int64, beta: np.int64
) -> bool:
    """True if a position stands so far above beta that `depth` more plies will hardly bring it down."""
    params = search.params
    if depth > params.reverse_futility_depth or abs(beta) >= DECISIVE:
        return False
    return bool(estimate - params.reverse_futility_margin * (depth - improving) >= beta)


@jit
def late_move_count(search: SearchState, depth: np.int64, improving: np.int64) -> np.int64:
    """Quiet moves to look at before the rest of a shallow node is given up."""
    params = search.params
    more = depth * depth * params.late_move_slope // I(100)
    return (params.late_move_base + more) // (I(2) - improving)


@jit
def is_futile(
    search: SearchState, static: np.int64, evaluation: np.int64, depth: np.int64, alpha: np.int64
) -> bool:
    """True if a quiet move, `depth` plies before the horizon, will hardly lift `static` to alpha.

    The margin is wider where experience has corrected the `evaluation` by much.
    """
    params = search.params
    if static == NO_SCORE or depth > params.futility_depth or abs(alpha) >= DECISIVE:
        return False
    margin = params.futility_base + params.futility_margin * depth
    margin += abs(static - evaluation) * params.futility_correction // I(100)
    return bool(static + margin <= alpha)


@jit
def is_futile_capture(
    search: SearchState,
    position: Position,
    move: np.uint64,
    history: np.int64,
    static: np.int64,
    depth: np.int64,
    alpha: np.int64,
) -> bool:
    """True if what a capture takes will hardly lift `static` to alpha, `depth` plies before the horizon.

    `history` is the history of the capture. Promotions and captures in passing are always looked at.
    """
    params = search.params
    if static == NO_SCORE or depth > params.capture_futility_depth or abs(alpha) >= DECISIVE:
        return False
    if move >> U(14) != NORMAL:
        return False
    gain: Any = SEE_VALUE[victim_type(position, move)]
    margin = params.capture_futility_base + params.capture_futility_margin * depth
    return bool(static + gain + margin + history // params.capture_futility_history <= alpha)


@jit
def is_pruned_by_history(search: SearchState, history: np.int64, depth: np.int64) -> bool:
    """True if the histories of a quiet move are bad enough to leave it out near the horizon."""
    params = search.params
    if depth > params.history_prune_depth:
        return False
    return bool(history < -params.history_prune_margin * (depth + I(1)))


@jit
def is_direct_check(rules: Rules, position: Position, move: np.uint64) -> bool:
    """True if the piece that a move moves will attack the king: no evaluation knows better."""
    squares = checking_squares(rules, position, U(position.board[move & U(63)]) % U(6))
    return bool(squares >> (move >> U(6) & U(63)) & ONE)


@jit
def is_pruned_by_see(
    search: SearchState,
    position: Position,
    move: np.uint64,
    quiet: bool,
    depth: np.int64,
    reduced_depth: np.int64,
) -> bool:
    """True if the exchange that the move starts costs more than shallow search could win back."""
    params = search.params
    if depth > params.see_prune_depth:
        return False
    margin = params.see_quiet_margin * reduced_depth if quiet else params.see_capture_margin * depth
    return not see_at_least(search.rules, position, move, -margin)
