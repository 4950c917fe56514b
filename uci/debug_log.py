"""The option `Debug Log File`: what the GUI sends and what the engine answers, in a file with times.

    2026-11-26 09:15:02.118 4711 >> go movetime 100
    2026-11-26 09:15:02.220 4711 << bestmove e2e4 ponder e7e5

The number is that of the process, since several engines may log into one file. `>>` is from the GUI, `<<` to
it, as in Stockfish's log. A thread of its own writes, so that neither the search nor the answers wait for the
disk; it writes each line as soon as it can, so that hardly anything is missing after a crash. A log that
cannot be written on ends with one remark; the game goes on.

Lines are read before they are executed, and a GUI may send many at once. So the last lines of both directions
before a log was opened are its first: else it would have answers without questions, or the reverse.
"""

from __future__ import annotations

import os
import queue
import stat
import sys
import threading
import time
from collections import deque
from typing import Final, TypeAlias

from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import quote
from boomslang.engine.errors import CommandError, sparing

_RECEIVED: Final = b">> "
_SENT: Final = b"<< "
_NOTE: Final = b"-- "
# Nothing that a terminal would obey when the log is shown. In CECP a tab is before the moves of a line.
_HARMLESS: Final = bytes(
    byte if (byte >= 32 and byte != 127) or byte == 9 else 63 for byte in range(256)
)
# Files only, and never wait for another process to open the other end of a pipe.
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
_MAX_BACKLOG: Final = 20_000  # entries; beyond that the disk is too slow, and lines are left out
_CLOSE_TIMEOUT: Final = 0.2  # seconds to write the backlog of a log that ends
_KEPT: Final = 100  # entries before a log
_MAX_KEPT: Final = 1 << 16  # bytes of each

_Entry: TypeAlias = tuple[float, bytes, bytes]  # time, direction, data
_Entries: TypeAlias = "queue.SimpleQueue[_Entry | threading.Event | None]"


class DebugLog:
    """Appends to one file, or to none, from any thread and without waiting."""

    def __init__(self) -> None:
        self._problem = ""  # why there is no log
        self._lock = threading.Lock()  # guards the next three, and the problem
        self._kept: deque[_Entry] = deque(maxlen=_KEPT)
        self._entries: _Entries | None = None  # not written yet; None: there is no log
        self._is_behind = False  # lines are left out

    def begin(self, path: str) -> None:
        """`open`, but a failure is only noted for `take_problem`."""
        try:
            self.open(path)
        except CommandError as problem:
            self._problem = f"error: {problem}"

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
        python = sys.version.partition(" ")[0]
        entries: _Entries = queue.SimpleQueue()
        entries.put(
            (time.time(), _NOTE, f"{NAME} {VERSION}, Python {python}, {sys.platform}".encode())
        )
        with self._lock:
            while self._kept:
                entries.put(self._kept.popleft())
            self._entries = entries
        args = (file, entries)
        threading.Thread(target=self._write, args=args, name="debug log", daemon=True).start()

    def close(self) -> None:
        """Log no more; what has been logged is written soon."""
        with self._lock:
            entries, self._entries = self._entries, None
        if entries:
            self._drain(entries, _CLOSE_TIMEOUT)
            entries.put(None)

    def drain(self, seconds: float) -> None:
        """Wait until all lines so far are in the file, for at most `seconds`."""
        if entries := self._entries:
            self._drain(entries, seconds)

    def take_problem(self) -> str:
        """Why the log has ended, as a remark, once; else empty."""
        with self._lock:
            problem, self._problem = self._problem, ""
        return problem

    def record_received(self, line: bytes) -> None:
        """A line of the GUI, without its end."""
        self._add(_RECEIVED, line)

    def record_sent(self, data: bytes) -> None:
        """Whole lines of the engine."""
        self._add(_SENT, data)

    def _add(self, direction: bytes, data: bytes) -> None:
        when = time.time()
        with self._lock:
            if self._entries is None:
                self._kept.append((when, direction, data[:_MAX_KEPT]))
                return
            was_behind, self._is_behind = self._is_behind, self._entries.qsize() >= _MAX_BACKLOG
            if not self._is_behind:
                self._entries.put((when, direction, data))
            elif not was_behind:
                self._entries.put((when, _NOTE, b"lines are missing: the disk is too slow"))

    def _drain(self, entries: _Entries, seconds: float) -> None:
        written = threading.Event()
        entries.put(written)
        written.wait(seconds)

    def _write(self, file: int, entries: _Entries) -> None:
        """The thread of an open file: writes until it is closed, or fails."""
        is_broken = False

        def end(problem: str) -> None:
            nonlocal is_broken
            is_broken = True
            entries.put(None)
            with self._lock:
                if self._entries is entries:  # and no other log has begun meanwhile
                    self._entries, self._problem = None, problem

        process = b"%d " % os.getpid()
        while entry := entries.get():
            if isinstance(entry, threading.Event):
                entry.set()
            elif not is_broken:
                with sparing("the debug log", lambda: None, end):
                    left = _lines(process, *entry)
                    while left:
                        left = left[os.write(file, left) :]
        os.close(file)


def _lines(process: bytes, when: float, direction: bytes, data: bytes) -> bytes:
    clock = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when))
    start = f"{clock}.{int(when * 1000) % 1000:03} ".encode() + process + direction
    lines = (data.splitlines() if direction is _SENT else [data]) or [b""]
    return b"".join(start + line.translate(_HARMLESS) + b"\n" for line in lines)
