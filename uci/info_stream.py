"""Output during a search: its info lines, at a limited rate, and the current root move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from boomslang.engine.limits import Current, Info

_AT_ONCE: Final = 60  # depths without a rate limit, for the fast first ones
_PER_SECOND: Final = 20.0  # depths, after that
_GLANCE: Final = 0.1  # seconds between polls of the search, and before the first
_DOZE_AFTER: Final = 50  # polls without a search
_CURRENT_AFTER: Final = 3.0  # seconds; earlier the current move changes too fast to read


class InfoTicker:
    """The thread that polls the running search; one for all searches.

    Starting a thread for each search would take some milliseconds on a busy machine. For the same reason a
    search does not have to wake the thread: between the moves of a game it keeps polling.
    """

    def __init__(self) -> None:
        self._search: InfoStream | None = None  # the latest
        self._begun = threading.Event()
        threading.Thread(target=self._work, name="ticker", daemon=True).start()

    def follow(self, search: InfoStream) -> None:
        """Poll this search until it ends."""
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
    """Limits the rate of a search's output, from its start to its answer; a context manager.

    `send` is called with info lines and current root moves, all before the end of the context. `current`
    returns the current root move of the search. `flush` is called when pending output should be visible; at
    the end of the context that is left to the caller.
    """

    def __init__(
        self,
        send: Callable[[Info | Current], None],
        current: Callable[[], Current | None],
        flush: Callable[[], None],
        ticker: InfoTicker,
    ) -> None:
        self._send = send
        self._current = current
        self._flush = flush
        self._ticker = ticker
        self._is_long = False  # the search takes long enough to report its current move
        self._lock = threading.Lock()
        self._held: list[Info] = []  # lines of one depth, held back by the rate limit
        self._passing = True
        self._allowed = float(_AT_ONCE)
        self._counted = self._started = time.monotonic()
        self._looked_at: Current | None = None
        self._best: Info | None = None  # sent last
        self._current_is_last = False
        self._ended = False

    def line(self, info: Info) -> None:
        """Handle an info line; the lines of one depth are sent together, the best first."""
        with self._lock:
            if info.multipv == 1:
                self._held.clear()  # out of date
                self._passing = self._take()
            if self._passing:
                self._send_line(info)
                if self._is_long:
                    self._flush()
            else:
                self._held.append(info)

    def __enter__(self) -> InfoStream:
        """Start polling the search."""
        self._ticker.follow(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Send the remaining lines, so that the last one has a score; nothing is sent afterwards."""
        with self._lock:
            self._ended = True
            self._send_held()
            if self._current_is_last and self._best:
                self._send(self._best)

    def _take(self) -> bool:
        """True if the rate limit allows to send a depth now."""
        now = time.monotonic()
        self._allowed = min(_AT_ONCE, self._allowed + (now - self._counted) * _PER_SECOND)
        self._counted = now
        if self._allowed < 1.0:
            return False
        self._allowed -= 1.0
        return True

    def _send_held(self) -> None:
        for info in self._held:
            self._send_line(info)
        self._held.clear()
        self._passing = True

    def _send_line(self, info: Info) -> None:
        self._send(info)
        self._current_is_last = False
        if info.multipv == 1:
            self._best = info

    def glance(self) -> bool:
        """Send what is due now; False after the end."""
        with self._lock:
            seconds = time.monotonic() - self._started
            if self._ended or seconds < _GLANCE:
                return not self._ended
            self._is_long = True
            if self._held and self._take():
                self._send_held()
            current = self._current()
            # A level reports no line before its choice: the depths of its search are not its own.
            if self._best is None:
                current = None
            if seconds >= _CURRENT_AFTER and current is not None and current != self._looked_at:
                self._looked_at = current
                self._current_is_last = True
                self._send(current)
            self._flush()
            return True
