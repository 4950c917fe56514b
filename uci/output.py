"""Output: whole lines, in order, from any thread, without blocking the caller.

A GUI that stops reading blocks the pipe. If the reader or the search wrote directly, they would hang and
never see `stop` or the end of the input, so a separate thread does the writing. Only lines that fit into
the pipe's buffer are written directly: waking another thread takes some milliseconds on a busy machine,
which would count on the game's clock. Waking the GUI may take the processor too, so transient lines are
held back and sent together, at the latest with the move.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import select
import stat
import threading
import time
from collections.abc import Callable
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
        self._write = write
        self._broken = broken
        self._room = room
        self._heard = heard
        self._lock = threading.Lock()  # guards the next four, and is held while the caller writes
        self._stream: InfoStream | None = None  # the latest
        self._dozes = True  # the thread does not look at it
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
        stream = InfoStream(send, current, self.flush)
        with self._lock:
            self._stream = stream
            if self._dozes:
                self._waiting.put(threading.Event())
        return stream

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
        self._waiting.put(written)
        is_written = written.wait(seconds)
        self.log.drain(seconds)
        return is_written

    def wait(self, event: threading.Event, seconds: float = math.inf) -> bool:
        """Wait for `event`, for at most `seconds`, and only while the pipe is open."""
        until = time.monotonic() + seconds
        while not event.wait(max(0.0, min(_POLL_INTERVAL, until - time.monotonic()))):
            if time.monotonic() >= until:
                return False
            if not self._heard():
                self._broken()
                return False
        return True

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
        idle, due = _DOZE_AFTER, 0.0
        while True:
            with self._lock:
                is_at_work = self._stream is not None and not self._stream.ended
                self._dozes = idle >= _DOZE_AFTER and not is_at_work
            left = None if self._dozes else max(0.0, due - time.monotonic())
            with contextlib.suppress(queue.Empty):
                entry = self._waiting.get(timeout=left)
                if isinstance(entry, threading.Event):
                    entry.set()
                    continue
                try:
                    self._write(entry)
                except OSError:
                    self._broken()
                    return
                with self._lock:
                    self._behind -= 1
            if time.monotonic() >= due:
                due = time.monotonic() + _CURRENT_MOVE_INTERVAL
                idle = 0 if self._stream and self._stream.glance() else idle + 1


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
_DEPTH_INTERVAL: Final = 0.05  # seconds between depths, after that
_CURRENT_MOVE_INTERVAL: Final = 0.1  # seconds between looks at the search, and before the first
_DOZE_AFTER: Final = 50  # looks without a search; a search need not wake the thread before
_CURRENT_AFTER: Final = 3.0  # seconds; earlier the current move changes too fast to read


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
    ) -> None:
        self.ended = False
        self._send = send
        self._current = current
        self._flush = flush
        self._lock = threading.Lock()
        self._started = time.monotonic()
        self._is_long = False  # the search takes long enough to report its current move
        self._held: list[Info] = []  # lines of one depth, held back by the rate limit
        self._depths = 0  # sent
        self._next_at = 0.0  # time.monotonic() of the next depth, after the first ones
        self._best: Info | None = None  # sent last
        self._looked_at: CurrentMove | None = None
        self._current_is_last = False
        self._number = self._lines = 0  # rank of the last line, and lines of a depth

    def line(self, info: Info) -> None:
        """Handle an info line; the lines of one depth are sent together, the best first."""
        with self._lock:
            self._number = info.multipv
            self._lines = max(self._lines, info.multipv)
            if info.multipv == 1:
                self._held.clear()  # out of date
            self._held.append(info)
            if (self._held == [info] and info.multipv > 1) or self._may_send():
                self._send_held()
                if self._is_long:
                    self._flush()

    def __enter__(self) -> InfoStream:
        return self

    def __exit__(self, *raised: object) -> None:
        """Send the remaining lines, so that the last one has a score; nothing is sent afterwards."""
        with self._lock:
            self.ended = True
            self._send_held()
            if self._current_is_last and self._best:
                self._send(self._best)

    def _may_send(self) -> bool:
        now = time.monotonic()
        if self._depths >= _AT_ONCE and now < self._next_at:
            return False
        self._depths += 1
        self._next_at = now + _DEPTH_INTERVAL
        return True

    def _send_held(self) -> None:
        for info in self._held:
            self._send(info)
            self._current_is_last = False
            if info.multipv == 1:
                self._best = info
        self._held.clear()

    def glance(self) -> bool:
        """Send what is due now; False after the end."""
        with self._lock:
            seconds = time.monotonic() - self._started
            if self.ended or seconds < _CURRENT_MOVE_INTERVAL:
                return not self.ended
            self._is_long = True
            if self._held and self._may_send():
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
