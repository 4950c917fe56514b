"""One search at a time, on a thread of its own, so that the session never has to wait for a move."""

from __future__ import annotations

import enum
import os
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import chess

from engine.limits import Current, Info, Limits, Result
from uci.search import Search
from uci.telling import Telling, Watch
from uci.thinker import Thinker
from uci.threads import start_thread


class Kind(enum.Enum):
    """What a search is for."""

    MOVE = enum.auto()
    PONDER = enum.auto()
    ANALYSIS = enum.auto()
    HINT = enum.auto()


@dataclass
class Thought:
    """A search from its beginning on."""

    kind: Kind
    board: chess.Board
    search: Search
    started: float  # time.monotonic(); where the opponent's expected move came, that moment
    expected: chess.Move | None = None  # of the opponent, when pondering
    latest: Info | None = None  # of the best line
    result: Result | None = None
    processor_time: float = field(default_factory=lambda: os.times().user)

    @property
    def processor_centiseconds(self) -> int:
        """Processor time spent since the beginning."""
        return int((os.times().user - self.processor_time) * 100)


class Brain:
    """Runs thoughts. `current` stays after its end until it is halted, or its answer was taken.

    `on_info` is called on other threads, and not after the end of its thought; `flush` when somebody
    waits for what it told. `answered` is called with every thought that has ended.
    """

    def __init__(
        self,
        thinker: Thinker,
        on_info: Callable[[Thought, Info], None],
        flush: Callable[[], None],
        answered: Callable[[Thought], None],
    ) -> None:
        self.current: Thought | None = None
        self._thinker = thinker
        self._on_info = on_info
        self._flush = flush
        self._answered = answered
        self._watch = Watch()
        self._thoughts: queue.SimpleQueue[Thought] = queue.SimpleQueue()
        start_thread(self._work, "search")

    def is_at(self, kind: Kind) -> bool:
        """True if that is what the current search is for."""
        return self.current is not None and self.current.kind is kind

    def begin(
        self,
        kind: Kind,
        board: chess.Board,
        limits: Limits,
        started: float | None = None,
        expected: chess.Move | None = None,
    ) -> None:
        """Search a board that has a legal move; nobody changes it any more."""
        begun = time.monotonic() if started is None else started
        thought = Thought(kind, board, Search(limits, begun), begun, expected)
        self.current = thought
        self._thoughts.put(thought)

    def halt(self) -> None:
        """End the current search, and wait until it has ended; nobody wants its answer."""
        thought, self.current = self.current, None
        if thought:
            thought.search.stop()
            thought.search.finished.wait()

    def _work(self) -> None:
        while True:
            thought = self._thoughts.get()
            try:
                thought.result = self._think(thought)
            except Exception as problem:
                self._thinker.complain(problem)
                thought.result = Result(next(iter(thought.board.legal_moves)), None, None)
            thought.search.finished.set()
            self._answered(thought)

    def _think(self, thought: Thought) -> Result:
        """Search, and pass on lines of thinking, but not too many at once."""

        def tell(news: Info | Current) -> None:
            if isinstance(news, Info):
                self._on_info(thought, news)

        with Telling(tell, thought.search.current, self._flush, self._watch) as telling:

            def listen(info: Info) -> None:
                if info.multipv == 1:
                    thought.latest = info
                telling.line(info)

            result = self._thinker.think(thought.search, thought.board, listen)
        if thought.kind is not Kind.MOVE:  # which is told with it
            self._flush()
        return result
