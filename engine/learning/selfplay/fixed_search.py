"""The search of one self-play move, without leaving the kernel."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import BLACK, INFINITE, MATE_IN_MAX, ONE, PLIES, ZERO, I, U
from boomslang.core.jit.instructions import clock_ns
from boomslang.core.jit.jit import jit
from boomslang.engine.search.deepening import bring_to_front
from boomslang.engine.search.negamax import negamax
from boomslang.engine.search.polling import is_stopped
from boomslang.engine.search.state import (
    FIRST_NODES,
    NO_DEADLINE,
    NO_LIMIT,
    NOTHING,
    POLL_INTERVAL,
    SearchState,
)
from boomslang.engine.search.transposition import TranspositionTable

HARD_FACTOR = I(4)  # an iteration is aborted at this multiple of the wanted nodes
MAX_DEPTH = I(63)  # plies: no depth limit
UNTIMED = I(0)  # nanoseconds: the search is limited by nodes

_bring_to_front = jit(bring_to_front)


@jit
def _prepare(search: SearchState, nodes: np.int64, time: np.int64) -> None:
    """Set up the search of the root position, whose moves are in `moves[0]`, in place."""
    moves = search.moves[ZERO]
    for number in range(moves.count):
        search.root_move[U(number)] = moves.move[U(number)]
        search.root_nodes[U(number)] = 0
    search.root_count = I(moves.count)
    search.root_first = I(0)
    search.root_partial = I(0)
    search.root_score = I(0)
    search.generation = (U(search.generation) + ONE) & U(63)
    for number in range(PLIES):
        search.killers[U(number)] = 0
        search.excluded[U(number)] = 0
        search.extensions[U(number)] = 0
        search.played[U(number)] = NOTHING
    search.stop = I(0)
    search.nodes = I(0)
    search.node_limit = HARD_FACTOR * nodes
    search.deadline = NO_DEADLINE
    if time != UNTIMED:
        search.node_limit = NO_LIMIT
        search.thread_clock = I(1)
        search.deadline = clock_ns(search.thread_clock) + time
    search.next_poll = min(POLL_INTERVAL, search.node_limit)


@jit
def think(
    search: SearchState, table: TranspositionTable, depth: np.int64, nodes: np.int64, time: np.int64
) -> np.int64:
    """Score of the root for the side to move, centipawns; the best move becomes the first.

    `engine.search.deepening` without leaving the kernel. The search is limited to `depth` plies and begins no
    iteration after `nodes` nodes; or it stops, like `go movetime`, after `time` nanoseconds of this thread's
    processor time, so that other programs do not count. The legal moves must be in `moves[0]`.
    """
    _prepare(search, nodes, time)
    params = search.params
    found = I(0)
    for number in range(1, depth + I(1)):
        reached = I(number)
        search.root_depth = reached
        search.stoppable_from = I(0) if reached > 1 else FIRST_NODES
        search.selective_depth = I(0)
        delta = params.aspiration_delta
        alpha, beta = -INFINITE, INFINITE
        if reached >= params.aspiration_depth and abs(found) < MATE_IN_MAX:
            alpha, beta = found - delta, found + delta
        while True:
            search.root_best = I(-1)
            score = negamax(search, table, I(0), reached, alpha, beta, I(0))
            if search.root_best >= 0:
                found = search.root_score
                _bring_to_front(search)
            if is_stopped(search):
                return found
            delta += delta // I(2)
            if score <= alpha:
                beta = (alpha + beta) // I(2)
                alpha = score - delta if score - delta > -MATE_IN_MAX else -INFINITE
            elif score >= beta:
                beta = score + delta if score + delta < MATE_IN_MAX else INFINITE
            else:
                break
        if time == UNTIMED and search.nodes >= nodes:
            break
    return found


@jit
def white_view(search: SearchState, score: np.int64) -> np.int64:
    """The score of the root from White's view instead of the side to move's."""
    return -score if U(search.position[ZERO].side) == BLACK else score
