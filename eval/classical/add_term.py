"""Adding a term to the score of one side."""

from __future__ import annotations

import numpy as np

from boomslang.core.jit.jit import jit
from boomslang.eval.classical.terms import Evaluator


@jit
def add_term(evaluator: Evaluator, us: np.uint64, term: np.uint64, times: np.int64) -> None:
    """Add `times` times the weight of `term` to the score of one side, in place.

    The search needs only this sum; the tuner and the `eval` command also use the counts.
    """
    evaluator.score[us] += times * evaluator.weight[term]
    if evaluator.tracing:
        evaluator.count[us, term] += times
