"""Making an EVALUATOR: its tables of squares and its weights."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from boomslang.core.board.position import new_record
from boomslang.eval.classical import weights
from boomslang.eval.classical.kpk import solve_kpk
from boomslang.eval.classical.score import pack
from boomslang.eval.classical.terms import DANGERS, EVALUATOR, NAMES, Evaluator


@cache
def _solve_kpk() -> Any:
    """The table of king and pawn against king, uint64[2, 24, 64]."""
    evaluator = new_record(EVALUATOR)
    solve_kpk(evaluator)
    return evaluator.kpk.copy()


def fill_evaluator(evaluator: Evaluator, numbers: Any = weights) -> None:
    """Fill tables and weights of an EVALUATOR record, in place, and clear its pawn table.

    `numbers` is a module with the names of `eval.classical.weights`. Kernels must be loaded.
    """
    evaluator.structure[:] = np.zeros_like(evaluator.structure)
    evaluator.kpk[:] = _solve_kpk()
    for square in range(64):
        file, rank = square & 7, square >> 3
        for colour in range(2):
            ranks = range(rank + 1, 8) if colour == 0 else range(rank)
            front = sum(1 << (r * 8 + file) for r in ranks)
            beside = [f for f in (file - 1, file + 1) if 0 <= f < 8]
            wide = front | sum(1 << (r * 8 + f) for r in ranks for f in beside)
            evaluator.front[colour, square] = front
            evaluator.front_wide[colour, square] = wide
            king_file, king_rank = min(max(file, 1), 6), min(max(rank, 1), 6)
            evaluator.ring[colour, square] = sum(
                1 << (r * 8 + f)
                for r in range(king_rank - 1, king_rank + 2)
                for f in range(king_file - 1, king_file + 2)
            )
    for name, offset, size in NAMES:
        middlegame, endgame = numbers.TERMS[name]
        pairs: Any = np.zeros((size, 2), np.int64)
        pairs[:, 0], pairs[:, 1] = middlegame, endgame
        evaluator.weight[offset : offset + size] = [pack(int(m), int(e)) for m, e in pairs]
    for index, name in enumerate(DANGERS):
        evaluator.danger_weight[index] = numbers.DANGERS[name]


def new_evaluator() -> Any:
    """An EVALUATOR record, ready for use."""
    evaluator = new_record(EVALUATOR)
    fill_evaluator(evaluator)
    return evaluator
