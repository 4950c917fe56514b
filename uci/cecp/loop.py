"""The CECP loop: answers commands that need no board at once, and passes all others to the session.

Only light modules of the standard library are imported before the features are sent.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from typing import Final

from boomslang.core.system.threads import start_thread
from boomslang.engine.driver.loading import KernelLoader
from boomslang.uci.cecp import features
from boomslang.uci.cecp.messages import Command, EndOfInput, Message
from boomslang.uci.loop import ANSWER_TIMEOUT, FLUSH_TIMEOUT, LEAVE_TIMEOUT
from boomslang.uci.output import Output
from boomslang.uci.parse import words_of

# Seconds from `protover` to `done=1`: some interfaces time out after two.
FEATURES_TIMEOUT: Final = 1.5


class CecpLoop:
    """Handles input lines; `execute` returns False after `quit`."""

    def __init__(self, output: Output, kernels: KernelLoader) -> None:
        self._output = output
        self._kernels = kernels
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._has_worked = False
        self._lock = threading.Lock()  # guards the next
        self._owes_done = False  # `done=0` was sent, `done=1` not yet
        self._leaving = threading.Event()
        output.remark = None
        start_thread(self._work, "session")

    def execute(self, line: bytes, whole: bool = True) -> bool:
        """Execute a line or queue it; False after `quit`."""
        words = words_of(line)
        if not words:
            return True
        command = words[0]
        if command == "quit":
            return False
        if command == "xboard":
            self._output.line("")
        elif command == "protover":
            self._declare()
        elif command == "rejected" and words[1:] == ["debug"]:
            self._output.remark = None
        elif command not in ("accepted", "rejected"):
            self._post(Command(command, line, words[1:], whole, time.monotonic()))
        return True

    def finish(self) -> None:
        """At the end of the input: wait for pending moves and answers."""
        self._report_end(at_once=False)

    def leave(self) -> None:
        """Stop searching; a pending move is still made, within a bounded time."""
        self._send_done()
        self._kernels.stop_waiting()
        self._leaving.set()
        self._report_end(at_once=True, seconds=ANSWER_TIMEOUT)
        self._output.drain(FLUSH_TIMEOUT)

    def compiling(self, text: str) -> None:
        """Tell the user about the progress of compiling."""
        self._output.say(text)

    def _report_end(self, at_once: bool, seconds: float = math.inf) -> None:
        if self._has_worked:
            end = EndOfInput(at_once, threading.Event())
            self._post(end)
            self._output.wait(end.done, seconds)

    def fail(self, text: str) -> None:
        """Report a fatal error, before the process ends."""
        self._output.line(f"tellusererror {text}")

    def _declare(self) -> None:
        self._output.line("\n".join([features.FIRST, *features.features()]))
        self._output.remark = "# "
        self._output.drain(LEAVE_TIMEOUT)  # before the import of the kernels takes the processor
        self._owes_done = True
        self._kernels.call_at_end(self._send_done)
        timer = threading.Timer(FEATURES_TIMEOUT, self._send_done)
        timer.daemon = True
        timer.start()

    def _send_done(self) -> None:
        with self._lock:
            owed, self._owes_done = self._owes_done, False
        if owed:
            self._output.line(features.LAST)

    def _post(self, message: Message) -> None:
        self._has_worked = True
        self._queue.put(message)

    def _work(self) -> None:
        first = self._queue.get()
        # It imports python-chess, which takes a while.
        from boomslang.uci.cecp.session import CecpSession

        CecpSession(self._output, self._kernels, self._queue, self._leaving).run(first)
