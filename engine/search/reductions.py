"""How much less deep to look: small pure functions, one for each rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boomslang.core.board.constants import I, U
from boomslang.core.jit.jit import jit
from boomslang.engine.search.state import SearchState

QUIET = U(0)
NOISY = U(1)  # captures and promotions
_LAST = U(63)

PLY = I(100)  # reductions are counted in hundredths of a ply


def fill_reductions(search: SearchState) -> None:
    """Fill `search.reduction` from its parameters, in place: base + log(depth) * log(number)."""
    params = search.params
    rules = (
        (int(params.reduction_base), int(params.reduction_divisor)),
        (int(params.reduction_capture_base), int(params.reduction_capture_divisor)),
    )
    logs = [math.log(number) for number in range(1, 64)]
    for kind, (base, divisor) in enumerate(rules):
        search.reduction[kind, 1:, 1:] = [
            [int(base + depth * number * 10000 / divisor) for number in logs] for depth in logs
        ]


@jit
def late_move_reduction(
    search: SearchState, kind: np.uint64, depth: np.int64, number: np.uint64
) -> np.int64:
    """Hundredths of a ply to save on the move that is `number`-th in the order, from 0."""
    return I(search.reduction[kind, min(U(depth), _LAST), min(number, _LAST)])


@jit
def null_move_reduction(search: SearchState, depth: np.int64, surplus: np.int64) -> np.int64:
    """Plies to save after passing: more when deep, and when `surplus` centipawns above beta."""
    params = search.params
    return (
        params.null_move_base
        + depth // params.null_move_divisor
        + min(surplus // params.null_move_margin, I(3))
    )


@jit
def probcut_depth(search: SearchState, depth: np.int64, surplus: np.int64) -> np.int64:
    """Plies of a ProbCut search: fewer where the evaluation is `surplus` centipawns above its beta."""
    usual = depth - I(4)
    less = min(max(surplus // search.params.probcut_divisor, I(0)), I(2))
    return max(usual - less, min(usual, I(1)))


@jit
def node_reduction(
    search: SearchState, pv_node: Any, cut_node: np.int64, improving: np.int64, gives_check: Any
) -> np.int64:
    """Hundredths of a ply more where little is expected, less where much is at stake."""
    params = search.params
    reduction = I(0)
    if pv_node:
        reduction -= params.reduction_pv
    if cut_node:
        reduction += params.reduction_cut
    if not improving:
        reduction += params.reduction_not_improving
    if gives_check:
        reduction -= params.reduction_check
    return reduction


@jit
def history_reduction(search: SearchState, quiet: bool, history: np.int64) -> np.int64:
    """Hundredths of a ply less for a move that did well before, more (negative) for one that did not."""
    weight = I(1) if quiet else I(2)
    return history * PLY // (weight * search.params.reduction_history)


@jit
def correction_reduction(search: SearchState, evaluation: np.int64, static: np.int64) -> np.int64:
    """Hundredths of a ply less where experience corrects the evaluation to `static` by much.

    Both are centipawns, or NO_SCORE in check.
    """
    return abs(static - evaluation) * search.params.reduction_correction // I(100)


@jit
def deeper_or_shallower(
    search: SearchState, best: np.int64, score: np.int64, depth: np.int64
) -> np.int64:
    """Plies more, or less, for the re-search of a move whose reduced search beat alpha.

    A score far above the best one deserves a deeper look, one hardly above it a shallower one. After
    Stockfish.
    """
    if score > best + search.params.deeper_margin + I(2) * depth:
        return I(1)
    return I(-1) if score < best + depth else I(0)
