"""Correction history: learn by how much the static evaluation errs in positions of a kind.

Where the search ends far from the static evaluation, the difference is remembered under the position's
pawn structure, under each side's pieces and under the last move; similar positions are corrected by
it. After Caissa's and Stockfish's correction histories (2024).
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import DECISIVE, PAWN, ZERO, I, U
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import prefetch
from boomslang.core.jit.jit import jit
from boomslang.engine.search.history import previous
from boomslang.engine.search.state import CORRECTION_SIZE, SearchState
from boomslang.engine.search.transposition import BOUND_LOWER, BOUND_UPPER

_MASK = U(CORRECTION_SIZE - 1)
_GRAIN = I(256)  # parts of a centipawn
_MAX_ENTRY = I(64 * 256)
_MAX_ERROR = I(512)  # centipawns


@jit
def prefetch_corrections(search: SearchState, position: Position) -> None:
    """Prefetch what `correct_evaluation` will read by the keys of a position about to be searched."""
    side = U(position.side)
    table = search.correction
    prefetch(table[U(0), side], U(position.pawn_key) & _MASK)
    prefetch(table[U(1), side], U(position.piece_key[U(0)]) & _MASK)
    prefetch(table[U(2), side], U(position.piece_key[U(1)]) & _MASK)


@jit
def correct_evaluation(search: SearchState, ply: np.int64, evaluation: np.int64) -> np.int64:
    """The static evaluation with what was learnt about such positions; centipawns, never a mate.

    Without pawns the evaluation is a path to mate, and must not be bent.
    """
    position = search.position[U(ply)]
    if position.by_type[PAWN] == ZERO:
        return evaluation
    side = U(position.side)
    table = search.correction
    params = search.params
    pieces = I(table[U(1), side, U(position.piece_key[U(0)]) & _MASK])
    pieces += I(table[U(2), side, U(position.piece_key[U(1)]) & _MASK])
    last_move = I(search.correction_move[side, previous(search, ply, I(1))])
    total = (
        I(table[U(0), side, U(position.pawn_key) & _MASK]) * I(100)
        + pieces * params.correction_pieces
        + last_move * params.correction_last_move
    )
    change = total * params.correction_weight // (I(20000) * _GRAIN)
    return min(max(evaluation + change, I(1) - DECISIVE), DECISIVE - I(1))


@jit
def _blend(old: np.int64, error: np.int64, weight: np.int64) -> np.int64:
    """A moving average of errors, bounded."""
    new = (old * (I(256) - weight) + error * _GRAIN * weight) // I(256)
    return min(max(new, -_MAX_ENTRY), _MAX_ENTRY)


@jit
def update_corrections(
    search: SearchState,
    ply: np.int64,
    depth: np.int64,
    score: np.int64,
    static: np.int64,
    bound: np.uint64,
) -> None:
    """Note, in place, that a search of `depth` plies found `score` where the evaluation said `static`.

    A bound teaches nothing if the evaluation may be right all the same, nor does a decisive score. And
    nothing is noted where it would not be used: without pawns, or with a weight of 0.
    """
    position = search.position[U(ply)]
    if position.by_type[PAWN] == ZERO or search.params.correction_weight == 0:
        return
    if abs(score) >= DECISIVE:
        return
    if (bound == BOUND_LOWER and score <= static) or (bound == BOUND_UPPER and score >= static):
        return
    side = U(position.side)
    error = min(max(score - static, -_MAX_ERROR), _MAX_ERROR)
    weight = min(depth + I(1), I(16))
    table = search.correction
    keys = (U(position.pawn_key), U(position.piece_key[U(0)]), U(position.piece_key[U(1)]))
    for kind in range(3):
        row, entry = U(kind), keys[kind] & _MASK
        table[row, side, entry] = _blend(I(table[row, side, entry]), error, weight)
    last = previous(search, ply, I(1))
    moves = search.correction_move
    moves[side, last] = _blend(I(moves[side, last]), error, weight)
