"""One `go`, shared by the threads: when it is stopped, and when its answer may be sent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from boomslang.engine.driver.protocol import SearcherProtocol
from boomslang.engine.limits import CurrentMove, Limits


class SearchTask:
    """From `go` to `bestmove`.

    The reader calls `stop` and `ponderhit` at any time, even before a searcher has begun; neither is lost.
    `answerable` is set once `bestmove` may be sent: mostly at once, after `stop` for `go infinite`, after
    `stop` or `ponderhit` while pondering. `finished` is set when it is sent. Tasks that are
    `for_people`, such as bench, delay later commands, and only `stop` ends them.
    """

    def __init__(self, limits: Limits, started: float, for_people: bool = False) -> None:
        self.limits = limits
        self.for_people = for_people
        self.answerable = threading.Event()
        self.finished = threading.Event()
        self.stopped = False
        self.preempted = False  # the compiled search takes over
        self.at_stop: Callable[[], object] = bool  # called by `stop`
        self._started = started  # time.monotonic()
        self._pondering = limits.ponder
        self._searcher: SearcherProtocol | None = None
        self._lock = threading.Condition()  # woken by `stop` and `ponderhit`
        if not (limits.wait_for_stop or limits.ponder):
            self.answerable.set()

    @property
    def has_end(self) -> bool:
        """True if the search ends without another command, at a limit or soon."""
        return self.answerable.is_set() and (self.stopped or not self.limits.infinite)

    @contextmanager
    def finish_at_end(self) -> Iterator[None]:
        """Set `finished` after a block that is not a search but is started and stopped like one."""
        try:
            yield
        finally:
            self.finished.set()

    def stop(self) -> None:
        """Let the answer come soon."""
        with self._lock:
            self.stopped = True
            self._lock.notify_all()
            self.answerable.set()
            if self._searcher:
                self._searcher.stop()
        self.at_stop()

    def ponderhit(self) -> None:
        """The opponent has played the expected move: from now on this is an ordinary search."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            self._lock.notify_all()
            self._started = time.monotonic()
            if not self.limits.wait_for_stop:
                self.answerable.set()
            if self._searcher:
                self._searcher.ponderhit()

    def rest(self, seconds: float) -> float:
        """Wait until the move has taken so many seconds of its own clock, or for `stop`; returns its time.

        While pondering no time counts.
        """
        with self._lock:
            while not self.stopped:
                left = None if self._pondering else self._started + seconds - time.monotonic()
                if left is not None and left <= 0:
                    break
                self._lock.wait(left)
            return time.monotonic() - self._started

    def begin_after(self, moment: float) -> None:
        """Let no time count before this moment of time.monotonic()."""
        with self._lock:
            self._started = max(self._started, moment)

    def attach(self, searcher: SearcherProtocol) -> tuple[Limits, float]:
        """Let `searcher` receive what is to come; returns its limits and when its clock started."""
        with self._lock:
            self._searcher = searcher
            self.preempted = False
            searcher.clear_stop()
            if self.stopped:
                searcher.stop()
            return replace(self.limits, ponder=self._pondering), self._started

    def current(self) -> CurrentMove | None:
        """What the searcher at work is looking at, if that is known."""
        with self._lock:
            return self._searcher.current() if self._searcher else None

    def preempt(self, searcher: SearcherProtocol, white: bool) -> None:
        """Let `searcher` end, for another one will go on.

        Not if it has ended already, or has used half of the time that the move of White or Black may cost.
        """
        with self._lock:
            share = None if self._pondering else self.limits.share(white)
            late = share is not None and time.monotonic() - self._started > share / 2
            if self._searcher is searcher and not late and not self.stopped:
                self.preempted = True
                searcher.stop()

    def detach(self) -> None:
        """The searcher has answered, and nothing more is for it."""
        with self._lock:
            self._searcher = None
