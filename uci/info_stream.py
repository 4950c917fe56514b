"""What is told while a search goes on: its lines, not too many at once, and the move it looks at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from boomslang.engine.limits import Current, Info

_AT_ONCE: Final = 60  # depths that may come in one breath, as the first ones do
_PER_SECOND: Final = 20.0  # after that
_GLANCE: Final = 0.1  # seconds between looks at the search, and before the first
_DOZE_AFTER: Final = 50  # looks at nothing
_CURRENT_AFTER: Final = 3.0  # seconds; before that nobody can read which move is looked at


class InfoTicker:
    """The thread that looks at searches while they go on, one after the other.

    One for each search would do too, but to start a thread is to wait for it, and a busy machine
    takes some milliseconds for that. For the same reason it is not woken by each search: between
    the moves of a game it stays awake.
    """

    def __init__(self) -> None:
        self._search: InfoStream | None = None  # the last one
        self._begun = threading.Event()
        threading.Thread(target=self._work, name="telling", daemon=True).start()

    def follow(self, search: InfoStream) -> None:
        """Look at this search until it ends."""
        self._search = search
        self._begun.set()

    def _work(self) -> None:
        idle = _DOZE_AFTER
        while True:
            search = self._search
            idle = 0 if search and search.glance() else idle + 1
            if idle > _DOZE_AFTER:
                self._begun.clear()
                if self._search is search:
                    self._begun.wait()
                idle = 0
            time.sleep(_GLANCE)


class InfoStream:
    """From the beginning of a search to its answer, as a context.

    `tell` gets lines of thinking and moves that are looked at, all before the context is left, and
    `current` says what the search looks at. `flush` is called when something was told that the user
    should see by now; whoever leaves the context sees to the rest.
    """

    def __init__(
        self,
        tell: Callable[[Info | Current], None],
        current: Callable[[], Current | None],
        flush: Callable[[], None],
        watch: InfoTicker,
    ) -> None:
        self._tell = tell
        self._current = current
        self._flush = flush
        self._watch = watch
        self._is_long = False  # somebody waits for news
        self._lock = threading.Lock()
        self._held: list[Info] = []  # the lines of one depth that wait for their turn
        self._passing = True
        self._allowed = float(_AT_ONCE)
        self._counted = self._started = time.monotonic()
        self._looked_at: Current | None = None
        self._best: Info | None = None  # told last
        self._current_is_last = False
        self._ended = False

    def line(self, info: Info) -> None:
        """Hear a line of thinking; the lines of one depth come together, the best first."""
        with self._lock:
            if info.multipv == 1:
                self._held.clear()  # out of date
                self._passing = self._take()
            if self._passing:
                self._tell_line(info)
                if self._is_long:
                    self._flush()
            else:
                self._held.append(info)

    def __enter__(self) -> InfoStream:
        """Begin to look at the search."""
        self._watch.follow(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Tell what is left, so that a line with a score is the last; nothing is told afterwards."""
        with self._lock:
            self._ended = True
            self._tell_held()
            if self._current_is_last and self._best:
                self._tell(self._best)

    def _take(self) -> bool:
        """True if a depth may be told now."""
        now = time.monotonic()
        self._allowed = min(_AT_ONCE, self._allowed + (now - self._counted) * _PER_SECOND)
        self._counted = now
        if self._allowed < 1.0:
            return False
        self._allowed -= 1.0
        return True

    def _tell_held(self) -> None:
        for info in self._held:
            self._tell_line(info)
        self._held.clear()
        self._passing = True

    def _tell_line(self, info: Info) -> None:
        self._tell(info)
        self._current_is_last = False
        if info.multipv == 1:
            self._best = info

    def glance(self) -> bool:
        """Tell what time brings; False after the end."""
        with self._lock:
            seconds = time.monotonic() - self._started
            if self._ended or seconds < _GLANCE:
                return not self._ended
            self._is_long = True
            if self._held and self._take():
                self._tell_held()
            current = self._current()
            if seconds >= _CURRENT_AFTER and current is not None and current != self._looked_at:
                self._looked_at = current
                self._current_is_last = True
                self._tell(current)
            self._flush()
            return True
