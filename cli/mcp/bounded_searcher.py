"""A searcher whose requests end in time, and when their client cancels them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import chess

from boomslang.cli.mcp.reading import RefusalError
from boomslang.engine.analyst import OwnAnalyst
from boomslang.engine.driver.root_ranking import RankedMoves
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.driver.tablebase import Tablebase, open_tables
from boomslang.engine.limits import Info, Limits, Listener, Result

MAX_SECONDS: Final = 90.0  # for one request
_HASH_MB: Final = 16


class BoundedSearcher(Searcher):
    """A searcher that serves one request after the other; kernels must be loaded.

    Any thread may call `stop` when a request is cancelled. Then, and when the time of the request is over,
    its searches raise RefusalError.
    """

    def __init__(self, tables: str) -> None:
        super().__init__(_HASH_MB)
        self.tables: Tablebase | None = open_tables(tables) if tables else None
        self.analyst = OwnAnalyst(self)
        self.nodes = 0  # searched for this request
        self.work = ""  # what is done now, in words
        self._before = 0
        self._until = 0.0
        self._is_cancelled: Callable[[], bool] = lambda: False

    def begin(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Begin a request, which may have been cancelled already."""
        self._until = time.monotonic() + MAX_SECONDS
        self._is_cancelled = is_cancelled
        self.nodes = self._before = 0
        self.work = ""
        self.new_game()
        self.clear_stop()
        self.use_tables(self.tables)

    def search(
        self, board: chess.Board, limits: Limits, on_info: Listener, started: float | None = None
    ) -> Result:
        """As any searcher does, within the time that is left of the request; raises RefusalError without."""

        def listen(info: Info) -> None:
            self.nodes = self._before + info.nodes
            on_info(info)

        left = self._time_left()
        limits = replace(limits, movetime=round(1000 * left), overhead=0)
        result = super().search(board, limits, listen, started)
        self._before = self.nodes
        self._time_left()
        return result

    def rank(self, board: chess.Board) -> RankedMoves | None:
        """The legal moves by the tables; None if they do not know the position."""
        return self.tables.rank(board, None, 1, self._search) if self.tables else None

    def _time_left(self) -> float:
        if self._is_cancelled():
            raise RefusalError("the request was cancelled")
        if (left := self._until - time.monotonic()) <= 0:
            raise RefusalError(f"this takes more than {MAX_SECONDS:.0f} s; ask for fewer nodes")
        return left
