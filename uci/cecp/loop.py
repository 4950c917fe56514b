"""The CECP loop: answers commands that need no board at once, and passes all others to the session.

Only light modules of the standard library are imported before the features are sent.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Final

from boomslang.engine.driver.loading import KernelLoader
from boomslang.uci.cecp import features
from boomslang.uci.loop import ANSWER_TIMEOUT, FLUSH_TIMEOUT, LEAVE_TIMEOUT, SearchThread
from boomslang.uci.output import Output
from boomslang.uci.parse import words_of

if TYPE_CHECKING:
    from boomslang.uci.cecp.session import CecpSession

# Seconds from `protover` to `done=1`: some interfaces time out after two.
FEATURES_TIMEOUT: Final = 1.5


class CecpLoop:
    """Handles input lines; `execute` returns False after `quit`."""

    def __init__(self, output: Output, kernels: KernelLoader) -> None:
        self._output = output
        self._kernels = kernels
        self._session: CecpSession  # set by the first job
        self._thread = SearchThread(output, self._prepare)
        output.remark = None

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
            started = time.monotonic()
            self._thread.post(lambda: self._session.receive(line, words, whole, started))
        return True

    def finish(self) -> None:
        """At the end of the input: wait for pending moves and answers."""
        self._end(at_once=False)

    def leave(self) -> None:
        """Stop searching; a pending move is still made, within a bounded time."""
        self._kernels.stop_waiting()
        self._end(at_once=True, seconds=ANSWER_TIMEOUT)
        self._output.drain(FLUSH_TIMEOUT)

    def compiling(self, text: str) -> None:
        """Tell the user about the progress of compiling."""
        self._output.say(text)

    def fail(self, text: str) -> None:
        """Report a fatal error, before the process ends."""
        self._output.line(f"tellusererror {text}")

    def _end(self, at_once: bool, seconds: float = math.inf) -> None:
        if self._thread.is_used:
            done = threading.Event()
            self._thread.post(lambda: self._session.end(done, at_once))
            self._output.wait(done, seconds)

    def _declare(self) -> None:
        self._output.line("\n".join(features.features()))
        self._output.remark = "# "
        self._output.drain(LEAVE_TIMEOUT)  # before the import of the kernels takes the processor
        until = time.monotonic() + FEATURES_TIMEOUT
        self._thread.post(lambda: self._session.end_features(until))

    def _prepare(self) -> None:
        """Create the session; this imports python-chess, which takes a while."""
        from boomslang.uci.cecp.session import CecpSession

        self._session = CecpSession(self._output, self._kernels, self._thread)
