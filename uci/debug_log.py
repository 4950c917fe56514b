"""The option `Debug Log File`: what the GUI sends and what the engine answers, in a file with times.

    2026-11-26 09:15:02.118 >> go movetime 100
    2026-11-26 09:15:02.220 << bestmove e2e4 ponder e7e5

`>>` is from the GUI, `<<` to it, as in Stockfish's log. Each line is written at once, so that nothing is
missing after a crash. A log that cannot be written on ends with one remark; the game goes on.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from typing import Final

from boomslang.engine.core.system.text import quote
from boomslang.engine.errors import CommandError
from boomslang.engine.identity import NAME, VERSION

_RECEIVED: Final = b">> "
_SENT: Final = b"<< "
_NOTE: Final = b"-- "
# Nothing that a terminal would obey when the log is shown.
_HARMLESS: Final = bytes(byte if byte >= 32 and byte != 127 else 63 for byte in range(256))
# Files only, and never wait for another process to open the other end of a pipe.
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)


class DebugLog:
    """Appends to one file, or to none, from any thread."""

    def __init__(self) -> None:
        self._problem = ""  # why it has ended
        self._file: int | None = None
        # Guards the file, whose number the system uses again after it is closed.
        self._lock = threading.Lock()

    def begin(self, path: str) -> None:
        """`open`, but a failure is only noted for `take_problem`."""
        try:
            self.open(path)
        except CommandError as problem:
            self._problem = str(problem)

    def open(self, path: str) -> None:
        """Log into `path` from now on, at its end; no more if it is empty.

        Raises CommandError, and the log in use goes on.
        """
        if not path:
            self.close()
            return
        try:
            file = os.open(os.path.expanduser(path), _FLAGS, 0o600)  # noqa: PTH111 - loads faster
        except (OSError, ValueError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else problem
            raise CommandError(f"no debug log: cannot write {quote(path)}: {reason}") from None
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise CommandError(f"no debug log: {quote(path)} is not a file")
        self.close()
        with self._lock:
            self._file = file
        python = sys.version.partition(" ")[0]
        self._write(_NOTE, f"{NAME} {VERSION}, Python {python}, {sys.platform}".encode())

    def close(self) -> None:
        """Log no more."""
        with self._lock:
            file, self._file = self._file, None
            if file is not None:
                os.close(file)

    def take_problem(self) -> str:
        """Why the log has ended, once; else empty."""
        problem, self._problem = self._problem, ""
        return problem

    def received(self, line: bytes) -> None:
        """A line of the GUI, without its end."""
        if self._file is not None:
            self._write(_RECEIVED, line)

    def sent(self, data: bytes) -> None:
        """Whole lines of the engine."""
        if self._file is not None:
            self._write(_SENT, data)

    def _write(self, direction: bytes, data: bytes) -> None:
        now = time.time()
        clock = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        start = f"{clock}.{int(now * 1000) % 1000:03} ".encode() + direction
        lines = (data.splitlines() if direction is _SENT else [data]) or [b""]
        text = b"".join(start + line.translate(_HARMLESS) + b"\n" for line in lines)
        with self._lock:
            if self._file is None:
                return
            try:
                os.write(self._file, text)
            except OSError as problem:
                self._problem = f"the debug log has ended: {problem.strerror}"
                os.close(self._file)
                self._file = None
