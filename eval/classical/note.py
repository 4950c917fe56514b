"""Adding a term to the score of one side."""

from __future__ import annotations

import numpy as np

from boomslang.engine.core.system.jit import jit
from boomslang.eval.classical.terms import Evaluator


@jit
def note(evaluator: Evaluator, us: np.uint64, term: np.uint64, times: np.int64) -> None:
    """Count `term` so many times more for one side, in place.

    The search wants nothing but the sum of the weights; only the tuner and the `eval` command look at
    the counts.
    """
    evaluator.score[us] += times * evaluator.weight[term]
    if evaluator.tracing:
        evaluator.count[us, term] += times
