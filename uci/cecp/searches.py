"""One search at a time, on a separate thread, so that the session never waits for a move."""

from __future__ import annotations

import enum
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from boomslang.engine.limits import Current, Info, Limits, Result
from boomslang.engine.searcher.search_task import SearchTask
from boomslang.uci.cecp import formatting
from boomslang.uci.cecp.game import CecpGame
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine
from boomslang.uci.search_thread import SearchThread


class SearchPurpose(enum.Enum):
    """The purpose of a search."""

    MOVE = enum.auto()
    PONDER = enum.auto()
    ANALYSIS = enum.auto()
    HINT = enum.auto()


@dataclass
class CecpSearch:
    """A search and its state."""

    purpose: SearchPurpose
    board: chess.Board
    task: SearchTask
    started: float  # time.monotonic(); after a ponder hit, the time of the hit
    expected: chess.Move | None = None  # of the opponent, when pondering
    latest: Info | None = None  # of the best line
    result: Result | None = None
    processor_time: float = field(default_factory=lambda: os.times().user)

    @property
    def processor_centiseconds(self) -> int:
        """Processor time spent since the beginning."""
        return int((os.times().user - self.processor_time) * 100)


class Searches:
    """Runs searches. `current` stays set after its end, until it is halted or its answer is taken.

    `on_info` is called on other threads, but not after the end of its search; `answered` is called with every
    finished search.
    """

    def __init__(
        self,
        engine: ProtocolEngine,
        output: Output,
        on_info: Callable[[CecpSearch, Info], None],
        answered: Callable[[CecpSearch], None],
    ) -> None:
        self.current: CecpSearch | None = None
        self._engine = engine
        self._output = output
        self._on_info = on_info
        self._answered = answered
        self._thread = SearchThread(output)

    def is_for(self, purpose: SearchPurpose) -> bool:
        """True if the current search has this purpose."""
        return self.current is not None and self.current.purpose is purpose

    def begin(
        self,
        purpose: SearchPurpose,
        board: chess.Board,
        limits: Limits,
        started: float | None = None,
        expected: chess.Move | None = None,
    ) -> None:
        """Search a board with a legal move; it must not be changed any more."""
        begun = time.monotonic() if started is None else started
        search = CecpSearch(purpose, board, SearchTask(limits, begun), begun, expected)
        self.current = search
        self._thread.post(lambda: self._run(search))

    def halt(self) -> None:
        """End the current search, wait for its end, and discard its answer."""
        search, self.current = self.current, None
        if search:
            search.task.stop()
            search.task.finished.wait()

    def _run(self, search: CecpSearch) -> None:
        try:
            search.result = self._search(search)
        except Exception as problem:
            self._engine.report_failure(problem)
            search.result = Result(next(iter(search.board.legal_moves)), None, None)
        search.task.finished.set()
        self._answered(search)

    def _search(self, search: CecpSearch) -> Result:
        def send(news: Info | Current) -> None:
            if isinstance(news, Info):
                self._on_info(search, news)

        def listen(info: Info) -> None:
            if info.multipv == 1:
                search.latest = info

        self._engine.set_position(search.board)
        result = self._thread.search(self._engine, search.task, send, listen)
        if search.purpose is not SearchPurpose.MOVE:  # whose lines are sent with the move
            self._output.flush()
        return result


class Analysis:
    """Analysis mode, and the excluded moves of the current position."""

    def __init__(self, game: CecpGame, searches: Searches, output: Output) -> None:
        self.is_on = False
        self._game = game
        self._searches = searches
        self._output = output
        self._excluded: set[chess.Move] = set()
        self._end_reported = False  # the end of the game was reported

    def position_changed(self) -> None:
        """Reset the excluded moves; they belong to the last position."""
        self._excluded.clear()
        self._end_reported = False

    def exclude(self, word: str) -> None:
        """`exclude MOVE` or `exclude all`; raises CommandError."""
        self._excluded |= self._named(word)
        self._again()

    def include(self, word: str) -> None:
        """`include MOVE` or `include all`; raises CommandError."""
        self._excluded -= self._named(word)
        self._again()

    def begin(self) -> None:
        """Start the search, unless the position has no legal move."""
        board = self._game.board.copy()
        legal = set(board.legal_moves)
        wanted = legal - self._excluded
        if not legal and not self._end_reported:
            self._end_reported = True
            self._output.line(formatting.over_line(board))
        if not wanted:
            return
        names = tuple(sorted(move.uci() for move in wanted)) if wanted != legal else None
        self._searches.begin(
            SearchPurpose.ANALYSIS, board, Limits(infinite=True, search_moves=names)
        )

    def report_state(self) -> None:
        """`.`: report the state of the search."""
        search = self._searches.current
        if search is None or search.purpose is not SearchPurpose.ANALYSIS:
            return
        moves = len(set(search.board.legal_moves) - self._excluded)
        seconds = time.monotonic() - search.started
        line = formatting.stat_line(search.latest, seconds, search.task.current(), moves)
        self._output.line(line)

    def _named(self, word: str) -> set[chess.Move]:
        return set(self._game.board.legal_moves) if word == "all" else {self._game.read(word)}

    def _again(self) -> None:
        if self._searches.is_for(SearchPurpose.ANALYSIS):
            self._searches.halt()
