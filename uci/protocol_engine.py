"""The engine as the protocols play through it: a game goes on, whatever fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess

from boomslang.core.system.files import FileError, status_of
from boomslang.core.system.sanitize import quote
from boomslang.engine.driver.protocol import SearcherProtocol
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.tablebase import split
from boomslang.engine.engine import Engine
from boomslang.engine.limits import Listener, Result

if TYPE_CHECKING:
    from boomslang.engine.driver.searcher import Searcher


class ProtocolEngine(Engine):
    """Answers a failed search by plain Python or else by a legal move, and reports it."""

    @property
    def compiled_searcher(self) -> Searcher | None:
        """The compiled search, once the kernels are loaded."""
        return self._kernels.searcher

    def refuse_position(self) -> None:
        """Have no position until a valid one is set up."""
        self._board = None

    def report_failure(self, problem: Exception) -> None:
        """Report a failed search to the user."""
        self._say(f"error: the search failed: {type(problem).__name__} {quote(str(problem))}")

    def open_tables(self, path: str) -> str | None:
        """A GUI may name a folder by default that nobody has made: that is a remark, and no error."""
        if (folders := split(path)) and all(map(_is_missing, folders)):
            self._say(f"no endgame tables: there is no folder {quote(path)}")
            path = ""
        return super().open_tables(path)

    def _rescue(
        self,
        problem: Exception,
        searcher: SearcherProtocol,
        task: SearchTask,
        board: chess.Board,
        on_info: Listener,
    ) -> Result:
        self.report_failure(problem)
        if searcher is self._textbook:
            return Result(next(iter(board.legal_moves)), None)
        return self._search(self._textbook, task, board, on_info)


def _is_missing(folder: str) -> bool:
    try:
        return status_of(folder) is None
    except FileError:  # it may not be looked at
        return False
