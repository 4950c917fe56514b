"""Output: whole lines, in order, from any thread, without blocking the caller.

A GUI that stops reading blocks the pipe. If the reader or the search wrote directly, they would hang and
never see `stop` or the end of the input, so a separate thread does the writing. Only lines that fit into
the pipe's buffer are written directly: waking another thread takes some milliseconds on a busy machine,
which would count on the game's clock. Waking the GUI may take the processor too, so transient lines are
held back and sent together, at the latest with the move.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import stat
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

from boomslang.engine.limits import CurrentMove, Info
from boomslang.uci.debug_log import DebugLog

STANDARD_OUTPUT: Final = 1
_ERROR: Final = "error: "
_POLL_INTERVAL: Final = 0.1  # seconds between checks whether the pipe is still open
# Control characters and bytes beyond ASCII become question marks, since text may be untrusted.
_TAME: Final = bytes(byte if 32 <= byte < 127 or byte in b"\n\t" else 63 for byte in range(256))
_MAX_BACKLOG: Final = 10_000  # entries; beyond that, transient lines are dropped


class Output:
    """Writes lines with `write(bytes)`, which raises OSError when the pipe is closed.

    `room()` is the number of bytes that can be written without blocking, and `heard()` is False if the pipe
    is closed. `remark` is the prefix of remarks to the user in the current protocol; None if it has none.
    `errors` counts the error remarks, which go to `complain` instead if it is set.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        broken: Callable[[], None],
        room: Callable[[], int] = lambda: 0,
        heard: Callable[[], bool] = lambda: True,
    ) -> None:
        self.remark: str | None = "info string "
        self.errors = 0
        self.complain: Callable[[str], object] | None = None
        self.log = DebugLog()
        self._ticker: InfoTicker | None = None
        self._write = write
        self._broken = broken
        self._room = room
        self._heard = heard
        self._lock = threading.Lock()  # guards the next two, and is held while the caller writes
        self._news: list[str] = []  # held transient lines
        self._behind = 0  # entries that the thread has not written yet
        self._waiting: queue.SimpleQueue[bytes | threading.Event] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="output", daemon=True).start()

    def line(self, text: str) -> None:
        """Send one line, or several that belong together, after all held lines."""
        with self._lock:
            self._send(text)

    def news(self, text: str) -> None:
        """Hold a line of transient information; it is sent by `flush` or with the next `line`."""
        with self._lock:
            self._news.append(text)

    def flush(self) -> None:
        """Send the held lines."""
        with self._lock:
            if self._news:
                self._send()

    def say(self, text: str) -> None:
        """Send a remark to the user; errors begin with `error: `."""
        if text.startswith(_ERROR):
            self.errors += 1
            if self.complain:
                self.complain(text.removeprefix(_ERROR))
                return
        if self.remark is not None:
            self.news(f"{self.remark}{text}")
            self.flush()

    def fail(self, problem: str, closing: str = "") -> None:
        """Say why a command failed, and end its answer as if it had not: programs read on to these lines."""
        self.say(f"{_ERROR}{problem}")
        if closing and not self.complain:  # there the exit status is the end
            self.line(closing)

    def stream(
        self, send: Callable[[Info | CurrentMove], None], current: Callable[[], CurrentMove | None]
    ) -> InfoStream:
        """The output of a search that begins, see `InfoStream`; one search at a time."""
        self._ticker = self._ticker or InfoTicker()
        return InfoStream(send, current, self.flush, self._ticker)

    def report_log(self) -> None:
        """Say once why the debug log could not be opened or has ended."""
        if self.remark is not None and (problem := self.log.take_problem()):
            self.say(problem)

    def drain(self, seconds: float) -> bool:
        """Wait until all lines so far are written, for at most `seconds`; True if they are.

        The debug log has as long again.
        """
        self.flush()
        written = threading.Event()
        with self._lock:
            self._behind += 1
            self._waiting.put(written)
        is_written = written.wait(seconds)
        self.log.drain(seconds)
        return is_written

    def wait(self, event: threading.Event, seconds: float | None = None) -> bool:
        """Wait for `event`, for at most `seconds`, and only while the pipe is open."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = (
                _POLL_INTERVAL if until is None else min(_POLL_INTERVAL, until - time.monotonic())
            )
            if event.wait(max(0.0, left)):
                return True
            if left <= 0:
                return False
            if not self._heard():
                self._broken()
                return False

    def _send(self, *lines: str) -> None:
        """Send the held lines and these, at once if that does not block."""
        news, self._news = self._news, []
        if self._waiting.qsize() > _MAX_BACKLOG:
            news = []
        if not news and not lines:
            return
        data = "\n".join([*news, *lines, ""]).encode("ascii", "backslashreplace").translate(_TAME)
        self.log.record_sent(data)
        if self._behind or self._room() < len(data):
            self._behind += 1
            self._waiting.put(data)
            return
        try:
            self._write(data)
        except OSError:
            self._broken()

    def _work(self) -> None:
        while True:
            entry = self._waiting.get()
            if isinstance(entry, threading.Event):
                entry.set()
            else:
                try:
                    self._write(entry)
                except OSError:
                    self._broken()
                    return
            with self._lock:
                self._behind -= 1


def write_to_pipe(data: bytes) -> None:
    """Write all of `data` to standard output, without Python's buffers."""
    left = memoryview(data)
    while left:
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(STANDARD_OUTPUT, left) :]
            continue
        time.sleep(0.005)  # the pipe is non-blocking and full


def room_in_pipe() -> int:
    """Number of bytes that standard output takes without blocking, as guaranteed by the system."""
    try:
        if hasattr(select, "poll") and stat.S_ISFIFO(os.fstat(STANDARD_OUTPUT).st_mode):
            output = select.poll()
            output.register(STANDARD_OUTPUT, select.POLLOUT)
            return select.PIPE_BUF if output.poll(0) else 0
    except OSError:
        pass
    return 0


def is_heard() -> bool:
    """False if the other end of standard output is closed, as far as the system reports it."""
    if not hasattr(select, "poll"):
        return True
    output = select.poll()
    output.register(STANDARD_OUTPUT, 0)
    return not output.poll(0)  # POLLERR, POLLHUP and POLLNVAL are always reported


_AT_ONCE: Final = 60  # depths without a rate limit, for the fast first ones
_PER_SECOND: Final = 20.0  # depths, after that
_CURRENT_MOVE_INTERVAL: Final = 0.1  # seconds between polls of the search, and before the first
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
            time.sleep(_CURRENT_MOVE_INTERVAL)


class InfoStream:
    """Limits the rate of a search's output, from its start to its answer; a context manager.

    `send` is called with info lines and current root moves, all before the end of the context. `current`
    returns the current root move of the search. `flush` is called when pending output should be visible; at
    the end of the context that is left to the caller.
    """

    def __init__(
        self,
        send: Callable[[Info | CurrentMove], None],
        current: Callable[[], CurrentMove | None],
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
        self._looked_at: CurrentMove | None = None
        self.latest: Info | None = None  # newest best line, sent or not
        self._best: Info | None = None  # sent last
        self._current_is_last = False
        self._ended = False
        self._number = self._lines = 0  # rank of the last line, and lines of a depth

    def line(self, info: Info) -> None:
        """Handle an info line; the lines of one depth are sent together, the best first."""
        with self._lock:
            self._number = info.multipv
            self._lines = max(self._lines, info.multipv)
            if info.multipv == 1:
                self.latest = info
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
            if self._ended or seconds < _CURRENT_MOVE_INTERVAL:
                return not self._ended
            self._is_long = True
            if self._held and self._take():
                self._send_held()
            current = self._current()
            # A level reports no line before its choice: the depths of its search are not its own.
            # And wrappers read the lines of a depth back to the first that is none.
            if self._best is None or self._number < self._lines:
                current = None
            if seconds >= _CURRENT_AFTER and current is not None and current != self._looked_at:
                self._looked_at = current
                self._current_is_last = True
                self._send(current)
            self._flush()
            return True
