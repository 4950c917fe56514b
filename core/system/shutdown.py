"""Shutdown on signals, closed pipes and the end of the parent: orderly if possible, bounded in time.

Python handles a signal in the main thread, between two steps of the interpreter. That never happens
inside a kernel, and an exception raised there may be lost where C calls Python. So a watcher thread
receives every signal too, through Python's wake-up file descriptor. The main thread gets a
KeyboardInterrupt and `grace` seconds to clean up. Then the watcher runs the callbacks of `at_end` and ends
the process by os._exit, because nothing else ends a kernel.

The same happens when the reader of a command's output closes the pipe, and in a worker process when its
parent has ended.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, NoReturn

GRACE: Final = 0.5  # seconds; with the callbacks, and on a busy machine, less than one
INTERRUPTED: Final = 130  # the exit status after Ctrl-C

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_CLOSED: Final = getattr(signal, "SIGPIPE", 13)
_FLUSH_TIMEOUT: Final = 0.1  # seconds to flush buffered output
_SHOW_CURSOR: Final = "\x1b[?25h"
_WAKE_TIMEOUT: Final = 0.1  # seconds in which the main thread handles a signal that woke it
_SIGNAL_TIMEOUT: Final = (
    0.1  # seconds that a signal takes, at most, which was sent before a pipe was closed
)

_acts: dict[object, Callable[[], object]] = {}  # callbacks, in the order of registration
_watcher: _Watcher | None = None
_asked: int | None = None  # the first signal
_farewell = ""
_raised = False  # the main thread has been interrupted
_runs = 0  # signals that the main thread has handled
_tolerated: set[int] = set()


def watch(grace: float = GRACE, *, pipes: bool = True, parent: int | None = None) -> None:
    """End this process soon after a signal from now on; called by the main thread.

    The process has `grace` seconds to end by itself. With `pipes`, a closed standard output or standard
    error counts as a signal. `parent` is a file descriptor that becomes readable when the parent process has
    ended. Signals that are ignored at the start stay ignored. On Windows only Ctrl-C is handled.
    """
    global _watcher
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return
    try:
        _watcher = _Watcher(grace, pipes, parent)
        for number in _heard():
            signal.signal(number, _hear if grace else lambda *signal: None)  # the watcher hears it
        _watcher.start()
    except (OSError, RuntimeError):  # no descriptors or threads left: end at once
        _watcher = None
        signal.set_wakeup_fd(-1)
        for number in _heard():
            signal.signal(number, signal.SIG_DFL)


def say_at_end(line: str) -> None:
    """Set the line for standard error if the process has to be ended; empty: already reported."""
    global _farewell
    _farewell = line


def status(otherwise: int) -> int:
    """The exit status: after a signal the one that shells expect, unless the work was finished."""
    return 128 + _asked if _asked and otherwise else otherwise


def is_interrupt() -> bool:
    """True unless something other than Ctrl-C ends the process: then no user can be prompted."""
    return _asked in (None, signal.SIGINT)


def is_unread() -> bool:
    """True if we end because nobody reads our output any more: nothing is to be said then."""
    return _asked == _CLOSED


def leave(code: int) -> NoReturn:
    """Run the callbacks and end the process at once: a kernel or compiler cannot be interrupted."""
    try:
        while _acts:
            with contextlib.suppress(Exception):
                _acts.popitem()[1]()
        _flush()
    finally:  # also without memory for any of that
        os._exit(code)


def at_end(act: Callable[[], object]) -> Callable[[], bool]:
    """Register a callback for the end of the process; returns the function that unregisters it.

    That returns False where the end has come first, and the callback has been or is being called. `act` runs
    on any thread, must be quick, and must not wait for locks that the work holds.
    """
    key = object()
    _acts[key] = act
    return lambda: _acts.pop(key, None) is not None


@contextlib.contextmanager
def run_at_end(act: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """`at_end` for the duration of a block, or until it calls what it gets; then the caller does the same."""
    undo = at_end(act)
    try:
        yield undo
    finally:
        undo()


@contextlib.contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay what signals do to the end of this block; only the main thread needs that.

    In a program that uses this package a second one is not delayed.
    """
    come: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        come.append(number)
        if _watcher:
            _record(number)
        elif len(come) > 1:
            before[number](number, frame)

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        before = {number: handler for number, handler in handlers.items() if callable(handler)}
    try:
        for number in before:
            signal.signal(number, hold)
        yield
    finally:
        for number, handler in reversed(before.items()):  # Ctrl-C last: its handler may raise here
            signal.signal(number, handler)
        if come:
            before[come[0]](come[0], None)  # a frame in an import would delay it further


@contextlib.contextmanager
def replace_interrupts(act: Callable[[], object]) -> Iterator[None]:
    """While the block runs, a signal calls `act` in the main thread instead of interrupting it."""
    before: dict[int, Any] = {}

    def do(number: int, frame: FrameType | None) -> None:
        _record(number)
        act()

    if threading.current_thread() is threading.main_thread():
        for number in _heard():
            before[number] = signal.signal(number, do)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def tolerating(number: int) -> Iterator[None]:
    """While the block runs, this signal interrupts each time it comes and does not end the process."""
    may = threading.current_thread() is threading.main_thread() and number in _heard()
    before = signal.signal(number, _hear) if may else None
    _tolerated.add(number)
    try:
        yield
    finally:
        _tolerated.discard(number)
        if may:
            signal.signal(number, before)


def _heard() -> list[int]:
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def _hear(number: int, frame: FrameType | None) -> None:
    global _raised
    if _watcher and _is_importing(frame):
        _remember(number)  # as it counts as not handled, the watcher soon wakes this thread again
        return
    _record(number)
    if number in _tolerated:
        raise KeyboardInterrupt
    if not _raised:  # a second interrupt would break off the cleanup after the first
        _raised = True
        raise KeyboardInterrupt


def _is_importing(frame: FrameType | None) -> bool:
    """True inside an import: Python and C code lose exceptions there, or take them for a broken module."""
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def _record(number: int) -> None:
    """Record that the main thread has handled a signal."""
    global _runs
    _runs += 1
    _remember(number)


def _remember(number: int) -> None:
    global _asked
    if _watcher and _asked is None and number not in _tolerated:
        _asked = number


class _Watcher:
    def __init__(self, grace: float, pipes: bool, parent: int | None) -> None:
        self._grace = grace
        self._parent = parent
        self._ear, self._mouth = os.pipe()
        os.set_blocking(self._ear, False)
        os.set_blocking(self._mouth, False)
        self._poll = select.poll()
        self._poll.register(self._ear, select.POLLIN)
        if parent is not None:
            self._poll.register(parent, select.POLLIN)
        self._pipes = [number for number in (1, 2) if pipes and _is_pipe(number)]
        for number in self._pipes:
            self._poll.register(number, 0)  # errors are always reported
        self._thread = threading.Thread(target=self._work, name="shutdown", daemon=True)
        signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)

    def start(self) -> None:
        """Start the thread; raises RuntimeError if no thread can be started."""
        self._thread.start()

    def _work(self) -> None:
        until: float | None = None
        missed: int | None = None  # a signal that the main thread has not handled yet
        runs = _runs
        while True:
            wait = None if missed is None else _WAKE_TIMEOUT
            if until is not None:
                wait = min(max(0.0, until - time.monotonic()), wait or self._grace)
            happened = self._poll.poll(None if wait is None else wait * 1000)
            for number, _ in happened:
                if number == self._parent:
                    leave(1)
            closed = [number for number, _ in happened if number != self._ear]
            for number in closed:
                self._poll.unregister(number)
            if closed:
                self._poll.poll(_SIGNAL_TIMEOUT * 1000)
            for come in self._read():
                if come in _SIGNALS:
                    missed = come
                    _remember(come)
            if closed and missed is None:
                _remember(_CLOSED)
                missed = next(iter(_heard()), None)
                self._wake(missed)
            if _asked is not None:
                if until is None:
                    until = time.monotonic() + self._grace
                if time.monotonic() >= until:
                    _say_goodbye()
                    leave(128 + _asked)
            if _runs != runs:
                missed, runs = None, _runs
            elif not happened:
                # It came just before a blocking call of the main thread, and did not interrupt that.
                self._wake(missed)

    def _read(self) -> bytes:
        with contextlib.suppress(BlockingIOError):
            return os.read(self._ear, 4096)
        return b""

    def _wake(self, number: int | None) -> None:
        """Make the main thread handle a signal, also in a blocking call."""
        if number is not None and self._grace:
            signal.pthread_kill(threading.main_thread().ident or 0, number)


def _is_pipe(number: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False


def _say_goodbye() -> None:
    """Write the last line to standard error, unless that would block."""
    # A progress bar has hidden the cursor.
    cursor = _SHOW_CURSOR if os.isatty(2) and os.environ.get("TERM", "dumb") != "dumb" else ""
    line = f"{cursor}{'' if is_unread() else _farewell}"
    if not line:
        return
    with contextlib.suppress(OSError):
        errors = select.poll()
        errors.register(2, select.POLLOUT)
        if any(event == select.POLLOUT for _, event in errors.poll(0)):
            os.write(2, f"{line}\n".encode(errors="replace"))


def _flush() -> None:
    """Flush printed output, for a bounded time: the reader may have stopped reading."""

    def flush() -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()

    with contextlib.suppress(RuntimeError):
        thread = threading.Thread(target=flush, daemon=True)
        thread.start()
        thread.join(_FLUSH_TIMEOUT)
