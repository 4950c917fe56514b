"""Alpha-beta search from outside: iterative deepening on one thread or several, and its memory."""

from __future__ import annotations

import os
from collections.abc import Iterator

import chess
import numpy as np
import numpy.typing as npt

from boomslang.engine.limits import Current, Limits
from boomslang.engine.pv import current_move
from boomslang.engine.search.deepening import SearchLine, deepen
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.parallel import HelperThreads
from boomslang.engine.search.state import SearchState, fields_of
from boomslang.engine.search.transposition import clear, hashfull


class AlphaBetaSearcher:
    """Yields the lines of each depth; `table` is its transposition table."""

    finishes_depths = True  # a depth that was broken off and found no other move is not told

    def __init__(self, search: SearchState, table: npt.NDArray[np.uint64]) -> None:
        """`search` is a SEARCH record as `bridge.new_search` makes it, shared with the caller."""
        self.table = table
        self._search = search
        self._fields = fields_of(search)
        self.helpers = HelperThreads()

    @property
    def memory(self) -> npt.NDArray[np.uint64]:
        """All that it has."""
        return self.table

    @property
    def threads(self) -> int:
        """How many search together."""
        return 1 + self.helpers.helpers

    @property
    def helper_nodes(self) -> int:
        """Nodes of this search that other threads than the first have visited."""
        return self.helpers.nodes

    def set_threads(self, threads: int) -> str | None:
        """Search with so many threads, at most one for each processor; returns a message or None."""
        used = min(threads, os.cpu_count() or 1)
        try:
            self.helpers.resize(used - 1)
        except MemoryError:
            self.helpers.resize(0)
            return f"cannot get the memory for {threads} threads: one is used"
        return None if used == threads else f"{used} threads are used, one for each processor"

    def lines(
        self, board: chess.Board, limits: Limits, depth_limit: int, line_count: int
    ) -> Iterator[list[SearchLine]]:
        """Yield the best lines of one depth after the other; the root and its limits are set."""
        self.helpers.start(self._search, self.table, depth_limit)
        return deepen(self._search, self.table, depth_limit, line_count)

    def end(self) -> SearchLine | None:
        """End the helpers' searches; returns the line of one that is ahead of the main thread."""
        return self.helpers.stop()

    def current(self, board: chess.Board) -> Current | None:
        """The root move that the first thread is at."""
        return current_move(self._search, board)

    def hashfull(self) -> int:
        """How much of the table this search has filled, per mille."""
        return hashfull(self.table, int(self._fields.generation))

    def clear(self) -> None:
        """Empty the table."""
        clear(self.table)

    def new_game(self) -> None:
        """Forget all about the last game."""
        self.clear()
        clear_histories(self._search)
        self.helpers.forget()
