"""Iterative deepening: search one ply deeper each time, the best move of the last time first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.constants import INFINITE, I, U
from engine.search.negamax import negamax


@dataclass(frozen=True, slots=True)
class Line:
    """One principal variation: 16-bit moves, score in centipawns for the side to move at the root."""

    depth: int
    selective_depth: int
    rank: int  # 1 for the best line
    score: int
    nodes: int
    moves: tuple[int, ...]


def deepen(
    search: Any,
    table: npt.NDArray[np.uint64],
    generation: int,
    depth_limit: int,
    line_count: int,
) -> Iterator[list[Line]]:
    """Yield the best `line_count` lines of depth 1, 2, ... until the search is stopped.

    `search` is a SEARCH record whose root position, root moves and limits are set. Depth 1 cannot be
    stopped, so there is always an answer. A stopped iteration yields its best move so far if there is
    only one line to find.
    """
    count = min(line_count, int(search.root_count))
    for depth in range(1, depth_limit + 1):
        search.stoppable = depth > 1
        lines = []
        stopped = False
        search.selective_depth = 0
        for rank in range(1, count + 1):
            search.root_first = rank - 1
            line = _search_line(search, table, generation, depth, rank)
            stopped = bool(search.stop and search.stoppable)
            if line is None or (stopped and count > 1):
                return
            lines.append(line)
        lines.sort(key=lambda found: -found.score)
        yield [replace(line, rank=rank) for rank, line in enumerate(lines, start=1)]
        if stopped:
            return


def _search_line(
    search: Any, table: npt.NDArray[np.uint64], generation: int, depth: int, rank: int
) -> Line | None:
    """The best line among the root moves from `root_first` on; its move becomes the first of them."""
    search.root_best = -1
    negamax(search, table, U(generation), I(0), I(depth), -INFINITE, INFINITE, I(0))
    if search.root_best < 0:
        return None
    first, best = int(search.root_first), int(search.root_best)
    search.root_move[first : best + 1] = np.roll(search.root_move[first : best + 1], 1)
    moves = tuple(int(move) for move in search.pv[0][: int(search.pv_length[0])])
    return Line(
        depth=depth,
        selective_depth=int(search.selective_depth),
        rank=rank,
        score=int(search.root_score),
        nodes=int(search.nodes),
        moves=moves,
    )
