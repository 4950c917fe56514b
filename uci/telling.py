"""What is told while a search goes on: its lines, not too many at once, and the move it looks at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from engine.limits import Current, Info

_AT_ONCE: Final = 60  # depths that may come in one breath, as the first ones do
_PER_SECOND: Final = 20.0  # after that
_GLANCE: Final = 0.1  # seconds between looks at the search
_CURRENT_AFTER: Final = 3.0  # seconds; before that nobody can read which move is looked at


class Telling:
    """From the beginning of a search to its answer, as a context.

    `tell` gets lines of thinking and moves that are looked at, all before the context is left, and
    `current` says what the search looks at.
    """

    def __init__(
        self,
        tell: Callable[[Info | Current], None],
        current: Callable[[], Current | None],
    ) -> None:
        self._tell = tell
        self._current = current
        self._lock = threading.Lock()
        self._held: list[Info] = []  # the lines of one depth that wait for their turn
        self._passing = True
        self._allowed = float(_AT_ONCE)
        self._counted = self._started = time.monotonic()
        self._looked_at: Current | None = None
        self._best: Info | None = None  # told last
        self._current_is_last = False
        self._ended = threading.Event()

    def line(self, info: Info) -> None:
        """Hear a line of thinking; the lines of one depth come together, the best first."""
        with self._lock:
            if info.multipv == 1:
                self._held.clear()  # out of date
                self._passing = self._take()
            if self._passing:
                self._tell_line(info)
            else:
                self._held.append(info)

    def __enter__(self) -> Telling:
        """Begin to look at the search."""
        threading.Thread(target=self._watch, name="telling", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Tell what is left, so that a line with a score is the last; nothing is told afterwards."""
        self._ended.set()
        with self._lock:
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

    def _watch(self) -> None:
        while not self._ended.wait(_GLANCE):
            with self._lock:
                if self._ended.is_set():
                    return
                if self._held and self._take():
                    self._tell_held()
                current = self._current()
                late = time.monotonic() - self._started >= _CURRENT_AFTER
                if late and current is not None and current != self._looked_at:
                    self._looked_at = current
                    self._current_is_last = True
                    self._tell(current)
