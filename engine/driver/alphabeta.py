"""Alpha-beta as a search algorithm: iterative deepening on one thread or several, and its memory."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import U
from boomslang.core.system.threads import usable_processors
from boomslang.engine.driver.pv import current_move
from boomslang.engine.limits import CurrentMove, Limits
from boomslang.engine.search.deepening import SearchLine, deepen
from boomslang.engine.search.history import age_history, clear_histories
from boomslang.engine.search.parallel import HelperThreads
from boomslang.engine.search.state import SearchState, fields_of
from boomslang.engine.search.transposition import clear, hashfull


class AlphaBetaSearcher:
    """Yields the lines of each depth; see `engine.driver.protocol.SearchAlgorithm`."""

    finishes_depths = True

    def __init__(self, search: SearchState, memory: npt.NDArray[np.uint64]) -> None:
        """`search` is a SEARCH record as `bridge.new_search` makes it, shared with the caller."""
        self.memory = memory
        self._search = search
        self._fields = fields_of(search)
        self.helpers = HelperThreads()

    @property
    def table(self) -> npt.NDArray[np.uint64]:
        """The transposition table: all of the memory."""
        return self.memory

    @property
    def threads(self) -> int:
        """Number of threads that search together."""
        return 1 + self.helpers.helpers

    @property
    def helper_nodes(self) -> int:
        """Nodes of this search that threads other than the first have visited."""
        return self.helpers.nodes

    @property
    def helper_tb_hits(self) -> int:
        """Successful probes of tablebases in this search by threads other than the first."""
        return self.helpers.tb_hits

    def set_memory(self, memory: npt.NDArray[np.uint64]) -> None:
        """Use another transposition table; histories stay."""
        self.memory = memory

    def set_threads(self, threads: int) -> str | None:
        """Search with `threads` threads, at most one for each processor; returns a message or None."""
        used = min(threads, usable_processors())
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
        if self.threads > 1:
            self.helpers.start(self._search, self.table, depth_limit)
        age_history(self._search)
        return deepen(self._search, self.table, depth_limit, line_count)

    def end(self) -> SearchLine | None:
        """End the helpers' searches; returns the line of one that is ahead of the main thread."""
        return self.helpers.stop()

    def current(self, board: chess.Board) -> CurrentMove | None:
        """The root move that the first thread is searching."""
        return current_move(self._search, board)

    def hashfull(self) -> int:
        """How much of the table this search has filled, per mille."""
        return int(hashfull(self.table, U(self._fields.generation)))

    def clear(self) -> None:
        """Empty the table."""
        clear(self.table)

    def new_game(self) -> None:
        """Forget everything about the last game."""
        self.clear()
        clear_histories(self._search)
        self.helpers.forget()
