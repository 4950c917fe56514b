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
from typing import Final

from boomslang.uci.debug_log import DebugLog

STANDARD_OUTPUT: Final = 1
_ERROR: Final = "error: "
_GLANCE: Final = 0.1  # seconds between checks whether the pipe is still open
# Control characters and bytes beyond ASCII become question marks, since text may be untrusted.
_TAME: Final = bytes(byte if 32 <= byte < 127 or byte in b"\n\t" else 63 for byte in range(256))
_LONGEST_BACKLOG: Final = 10_000  # entries; beyond that, transient lines are dropped


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
            left = _GLANCE if until is None else min(_GLANCE, until - time.monotonic())
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
        if self._waiting.qsize() > _LONGEST_BACKLOG:
            news = []
        if not news and not lines:
            return
        data = "\n".join([*news, *lines, ""]).encode("ascii", "backslashreplace").translate(_TAME)
        self.log.sent(data)
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
