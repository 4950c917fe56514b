"""The way out: whole lines, in order, from any thread, without ever holding up the one who speaks.

A GUI that stops reading blocks a pipe for as long as it likes. If the reader or the search wrote by
themselves they would hang with it and never see `stop` or the end of the input, so a thread of its
own does the writing.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

STANDARD_OUTPUT: Final = 1
_LONGEST_BACKLOG: Final = 10_000  # lines; when nobody reads, news beyond that are dropped


class Output:
    """Writes lines with `write(bytes)`, which raises OSError when nobody listens any more.

    `remark` is what remarks for a person begin with in the protocol at work; None: it has none.
    `errors` counts those that told of an error.
    """

    def __init__(self, write: Callable[[bytes], None], broken: Callable[[], None]) -> None:
        self.remark: str | None = "info string "
        self.errors = 0
        self._write = write
        self._broken = broken
        self._waiting: queue.SimpleQueue[str | threading.Event] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="output", daemon=True).start()

    def line(self, text: str) -> None:
        """Send one line, or several that belong together."""
        self._waiting.put(text)

    def news(self, text: str) -> None:
        """Send a line that will soon be out of date, unless too many are waiting already."""
        if self._waiting.qsize() <= _LONGEST_BACKLOG:
            self._waiting.put(text)

    def say(self, text: str) -> None:
        """Send a remark for a person; one about bad input or a failure begins with `error: `."""
        self.errors += text.startswith("error: ")
        if self.remark is not None:
            self.news(f"{self.remark}{text}")

    def drain(self, seconds: float) -> bool:
        """Wait until all lines so far are written, but not longer than that; True if they are."""
        written = threading.Event()
        self._waiting.put(written)
        return written.wait(seconds)

    def _work(self) -> None:
        while True:
            entry = self._waiting.get()
            if isinstance(entry, threading.Event):
                entry.set()
                continue
            try:
                self._write(f"{entry}\n".encode("ascii", "backslashreplace"))
            except OSError:
                self._broken()
                return


def write_to_pipe(data: bytes) -> None:
    """Write all of `data` to standard output, past every buffer of Python."""
    left = memoryview(data)
    while left:
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(STANDARD_OUTPUT, left) :]
            continue
        time.sleep(0.005)  # somebody made the pipe non-blocking, and it is full
