"""The static evaluation of the search: the network, and where it must not guess, exact knowledge."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import DECISIVE, I, U
from boomslang.core.jit.instructions import record_at
from boomslang.core.jit.jit import i64, kernel
from boomslang.engine.search.state import SearchState, search_t
from boomslang.eval.classical.evaluate import evaluate as evaluate_classical
from boomslang.eval.classical.evaluate import fade
from boomslang.eval.network.features import is_known_ending
from boomslang.eval.network.forward import network_evaluation
from boomslang.eval.network.shape import NETWORK

_LIMIT = DECISIVE - I(1)

network_at = record_at(NETWORK)


@kernel(i64(search_t, i64))
def evaluate(search: SearchState, ply: np.int64) -> np.int64:
    """Static evaluation of the position at `ply`, centipawns for the side to move.

    In known endings the classical evaluation is used, whichever is chosen.
    """
    here = U(ply)
    position = search.position[here]
    if search.classical or is_known_ending(position):
        return evaluate_classical(search.rules, search.evaluator, position)
    network = network_at(search.network)
    score = fade(
        position,
        network_evaluation(network, search.rules, search.accumulators, search.position, here),
    )
    return min(max(score, -_LIMIT), _LIMIT)
