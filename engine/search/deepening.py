"""Iterative deepening: search one ply deeper each time, the best move of the last time first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import DECISIVE, INFINITE, NO_SCORE, ONE, I, U
from boomslang.engine.search.negamax import negamax
from boomslang.engine.search.state import FIRST_NODES, SearchState, fields_of


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One principal variation: 16-bit moves, score in centipawns for the side to move at the root."""

    depth: int
    selective_depth: int
    rank: int  # 1 for the best line
    score: int
    nodes: int
    moves: tuple[int, ...]
    bound: str = ""  # "lowerbound" if the search was broken off after a fail high


def deepen(
    search: SearchState,
    table: npt.NDArray[np.uint64],
    depth_limit: int,
    line_count: int,
    first_depth: int = 1,
) -> Iterator[list[SearchLine]]:
    """Yield the best `line_count` lines of `first_depth`, one deeper, ... until stopped.

    `search` is a SEARCH record whose root position, root moves and limits are set. A stopped iteration
    yields its best move so far if there is only one line to find. With a `first_depth` of 1 there
    always is an answer: that depth is finished, or yields what there is after FIRST_NODES.
    """
    fields = fields_of(search)
    count = min(line_count, fields.root_count)
    scores: dict[int, int] = {}
    for depth in range(first_depth, depth_limit + 1):
        fields.root_depth = depth
        fields.stoppable_from = int(FIRST_NODES) if depth == 1 else 0
        lines: list[SearchLine] = []
        stopped = False
        fields.selective_depth = 0
        for rank in range(1, count + 1):
            fields.root_first = rank - 1
            expected = scores.get(rank)
            line = _search_line(fields, table, depth, rank, expected)
            stopped = _is_stopped(fields)
            if line is None or (stopped and count > 1):
                if depth == 1:
                    yield lines or [line or _static_line(fields)]
                return
            lines.append(line)
        scores = {line.rank: line.score for line in lines}
        lines.sort(key=lambda found: -found.score)
        yield [replace(line, rank=rank) for rank, line in enumerate(lines, start=1)]
        if stopped:
            return


def _is_stopped(fields: Any) -> bool:
    return bool(fields.stop and fields.nodes >= fields.stoppable_from)


def _search_line(
    fields: Any, table: npt.NDArray[np.uint64], depth: int, rank: int, expected: int | None
) -> SearchLine | None:
    """The best line among the root moves from `root_first` on; its move becomes the first of them.

    A narrow window round the `expected` score (aspiration) is widened, at the side where the search
    fell out of it, until the score is exact. After a fail high the root is searched up to three plies
    less deep, which still counts as `depth`.
    """
    params = fields.params
    delta = params.aspiration_delta
    alpha, beta = -int(INFINITE), int(INFINITE)
    if expected is not None and depth >= params.aspiration_depth and abs(expected) < DECISIVE:
        alpha, beta = expected - delta, expected + delta
    reduced = 0
    found: SearchLine | None = None
    while True:
        fields.root_best = -1
        score = int(
            negamax(fields.record, table, I(0), I(max(1, depth - reduced)), I(alpha), I(beta), I(0))
        )
        if fields.root_best >= 0:
            bring_to_front(fields)
            # A fail high names a better move, whose score is only a bound.
            bound = "lowerbound" if fields.root_score >= beta else ""
            found = _read_line(fields, depth, rank, bound)
        if _is_stopped(fields):
            return found
        delta += delta // 2
        if score <= alpha:
            beta = (alpha + beta) // 2
            alpha = score - delta if score - delta > -DECISIVE else -int(INFINITE)
            reduced = 0
            found = replace(found, bound="") if found else None  # it was not so good after all
        elif score >= beta:
            beta = score + delta if score + delta < DECISIVE else int(INFINITE)
            reduced = min(reduced + 1, 3)
        else:
            return found


def bring_to_front(search: SearchState) -> None:
    """Make the best root move the first of those still to be ranked, in place.

    Plain Python here, where `search` is the fields of a SEARCH record; compiled into the games of the
    engine against itself, where it is the record.
    """
    first, place = U(search.root_first), U(search.root_best)
    moves, counts = search.root_move, search.root_nodes
    move, count = moves[place], counts[place]
    while place > first:
        moves[place] = moves[place - ONE]
        counts[place] = counts[place - ONE]
        place -= ONE
    moves[first] = move
    counts[first] = count


def _read_line(fields: Any, depth: int, rank: int, bound: str) -> SearchLine:
    return SearchLine(
        depth=depth,
        selective_depth=fields.selective_depth,
        rank=rank,
        score=fields.root_score,
        nodes=fields.nodes,
        moves=tuple(fields.pv[0][: fields.pv_length[0]]),
        bound=bound,
    )


def _static_line(fields: Any) -> SearchLine:
    """The first root move with the static evaluation, where not even one could be searched."""
    static = fields.static[0]
    score = 0 if static == NO_SCORE else static
    return SearchLine(1, 1, 1, score, fields.nodes, (fields.root_move[0],))
