"""The way out: whole lines, in order, from any thread, without ever holding up the one who speaks.

A GUI that stops reading blocks a pipe for as long as it likes. If the reader or the search wrote by
themselves they would hang with it and never see `stop` or the end of the input, so a thread of its
own does the writing. Only what a pipe has room for is written at once: to wake another thread takes
a busy machine some milliseconds, which the clock of the game would pay. To wake the GUI may cost the
processor too, so news wait for each other and for the move that ends them.
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
_GLANCE: Final = 0.1  # seconds between looks at whether somebody listens
# Nothing that a terminal would obey, whoever has written it.
_TAME: Final = bytes(byte if 32 <= byte < 127 or byte in b"\n\t" else 63 for byte in range(256))
_LONGEST_BACKLOG: Final = 10_000  # entries; when nobody reads, news beyond that are dropped


class Output:
    """Writes lines with `write(bytes)`, which raises OSError when nobody listens any more.

    `room()` is the number of bytes that it would write without waiting just now, and `heard()` is False
    if nobody listens. `remark` is what
    remarks for a person begin with in the protocol at work; None: it has none. `errors` counts those
    that told of an error; if there is somebody to `complain` to, he gets them instead.
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
        self._lock = threading.Lock()  # guards the next two, and is held while the speaker writes
        self._news: list[str] = []  # lines that wait for one that cannot
        self._behind = 0  # entries that the thread has not dealt with yet
        self._waiting: queue.SimpleQueue[bytes | threading.Event] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="output", daemon=True).start()

    def line(self, text: str) -> None:
        """Send one line, or several that belong together, and all news before."""
        with self._lock:
            self._send(text)

    def news(self, text: str) -> None:
        """A line that will soon be out of date; it leaves with `flush` or the next `line`."""
        with self._lock:
            self._news.append(text)

    def flush(self) -> None:
        """Send the news."""
        with self._lock:
            if self._news:
                self._send()

    def say(self, text: str) -> None:
        """Send a remark for a person; one about bad input or a failure begins with `error: `."""
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
            self.say(f"{_ERROR}{problem}")

    def drain(self, seconds: float) -> bool:
        """Wait until all lines so far are written, but not longer than that; True if they are."""
        self.flush()
        written = threading.Event()
        with self._lock:
            self._behind += 1
            self._waiting.put(written)
        return written.wait(seconds)

    def wait(self, event: threading.Event, seconds: float | None = None) -> bool:
        """Wait for something to be told, not longer than that, and only while somebody listens."""
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
        """Write the news and these lines at once if that can be done without waiting."""
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
    """Write all of `data` to standard output, past every buffer of Python."""
    left = memoryview(data)
    while left:
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(STANDARD_OUTPUT, left) :]
            continue
        time.sleep(0.005)  # somebody made the pipe non-blocking, and it is full


def room_in_pipe() -> int:
    """How many bytes standard output takes without waiting, as far as the system promises any."""
    try:
        if hasattr(select, "poll") and stat.S_ISFIFO(os.fstat(STANDARD_OUTPUT).st_mode):
            output = select.poll()
            output.register(STANDARD_OUTPUT, select.POLLOUT)
            return select.PIPE_BUF if output.poll(0) else 0
    except OSError:
        pass
    return 0


def is_heard() -> bool:
    """False if nobody is at the other end of standard output any more, as far as the system tells."""
    if not hasattr(select, "poll"):
        return True
    output = select.poll()
    output.register(STANDARD_OUTPUT, 0)
    return not output.poll(0)  # POLLERR, POLLHUP and POLLNVAL are told always
