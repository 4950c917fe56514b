"""Tablebases inside the search: when they are asked, and what a result is worth.

The conditions are those of Stockfish: few enough pieces, no castling rights, a capture or pawn move
just made, so that the fifty-move rule can be judged without distances, and with the greatest number of
pieces a minimum depth.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import (
    BLACK,
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_SCORE,
    TABLE_WIN,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import position_t, rules_t
from boomslang.core.jit.instructions import function_at, popcount
from boomslang.core.jit.jit import i64, jit
from boomslang.engine.search.node import store_node
from boomslang.engine.search.state import SearchState
from boomslang.engine.search.transposition import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_UPPER,
    TranspositionTable,
)
from boomslang.engine.tablebases.probe_record import UNKNOWN, probe_t

# `engine.tablebases.probe.probe_wdl`, compiled only where there are tables.
_probe_wdl = function_at(i64(rules_t, position_t, probe_t))


@jit
def probe_tb_result(search: SearchState, ply: np.int64, depth: np.int64) -> np.int64:
    """-2 lost, -1 lost but for the fifty-move rule, 0 drawn, 1 and 2 likewise won; or UNKNOWN."""
    position = search.position[U(ply)]
    piece_count = I(popcount(position.by_colour[WHITE] | position.by_colour[BLACK]))
    if piece_count > search.tb_pieces or (
        piece_count == search.tb_pieces and depth < search.tb_depth
    ):
        return UNKNOWN
    if U(position.halfmoves) != ZERO or U(position.castling) != ZERO:
        return UNKNOWN
    return _probe_wdl(search.tb_probe, search.rules, position, search.probe)


@jit
def tb_bounds(search: SearchState, ply: np.int64, depth: np.int64) -> tuple[np.int64, np.int64]:
    """The least and the greatest score of the position at `ply`, as far as the tablebases tell.

    Behind a win or a loss there may be a mate. A cursed win is a little more than a draw.
    """
    worst, best = -MATE + ply, INFINITE
    found = probe_tb_result(search, ply, depth)
    if found == UNKNOWN:
        return worst, best
    search.tb_hits += I(1)
    if found > search.tb_draw:
        return TABLE_WIN - ply, best
    if found < -search.tb_draw:
        return worst, ply - TABLE_WIN
    return DRAW + I(2) * found, DRAW + I(2) * found


@jit
def store_tb_bounds(
    search: SearchState,
    table: TranspositionTable,
    ply: np.int64,
    depth: np.int64,
    lowest: np.int64,
    highest: np.int64,
) -> np.int64:
    """Remember, in place, a result that ends a node, for more depth than was wanted; returns its score."""
    bound, score = BOUND_EXACT, lowest
    if highest == INFINITE:
        bound = BOUND_LOWER
    elif lowest < highest:
        bound, score = BOUND_UPPER, highest
    deep = min(depth + I(6), I(MAX_PLY))
    store_node(search, table, ply, ZERO, score, NO_SCORE, deep, bound)
    return score
