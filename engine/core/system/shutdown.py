"""The end of a process that is asked to end: in order if it can, at once if not, whole in both cases.

Python hears a signal in the main thread, between two steps of the interpreter: not while that is in a
kernel, and what it raises there may be lost where C calls Python. So a thread of its own is told of every
signal too, by the file descriptor that Python writes to as soon as one comes. The main thread gets a
KeyboardInterrupt, and `grace` seconds for what it has to put in order. Then the thread does what was
left to do `at_end` and ends the process: by os._exit, for nothing else ends a kernel.

The same happens when nobody reads any more what a command writes into a pipe, and in a worker process
when its parent is gone.
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

GRACE: Final = 0.5  # seconds; with what is done then, and on a busy machine, less than one
INTERRUPTED: Final = 130  # the exit status after Ctrl-C

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_CLOSED: Final = getattr(signal, "SIGPIPE", 13)
_FLUSH_WITHIN: Final = 0.1  # seconds, for what was printed and has not left yet
_SHOW_CURSOR: Final = "\x1b[?25h"
_GLANCE: Final = 0.1  # seconds in which the main thread hears of a signal, if it woke it
_STOP: Final = 0  # no signal has that number

_acts: dict[object, Callable[[], object]] = {}  # in the order in which they came
_watcher: _Watcher | None = None
_asked: int | None = None  # the signal that came first
_farewell = ""
_whole = 0  # so many blocks are at work that must not be broken off
_late = False  # one has come meanwhile
_raised = False
_runs = 0  # times that the main thread has heard of a signal
_tolerated: set[int] = set()


def watch(grace: float = GRACE, *, pipes: bool = True, parent: int | None = None) -> None:
    """From now on this process ends within a moment after it is asked to; called by the main thread.

    It has `grace` seconds to do so by itself. If `pipes`, standard output and standard error that
    nobody reads any more count as being asked. `parent` is what becomes readable when the parent process
    has gone. Signals that whoever has started us wants to be ignored stay so. Windows has no such
    signals: only Ctrl-C is heard there.
    """
    global _watcher
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return
    try:
        _watcher = _Watcher(grace, pipes, parent)
        for number in _heard():
            signal.signal(number, _hear if grace else _leave_to_watcher)
        _watcher.start()
    except (OSError, RuntimeError):  # no descriptors or threads left: signals end us at once
        _let_signals_end_us()
        _watcher = None


def unwatch() -> None:
    """Let signals end this process as they end any other: it has nothing left to lose."""
    global _watcher, _asked, _raised
    if _watcher:
        _let_signals_end_us()
        _watcher.stop()
    _watcher, _asked, _raised = None, None, False


def _let_signals_end_us() -> None:
    signal.set_wakeup_fd(-1)
    for number in _SIGNALS:
        if signal.getsignal(number) in (_hear, _leave_to_watcher):
            signal.signal(number, signal.SIG_DFL)


def say_at_end(line: str) -> None:
    """The line for standard error if we do not end by ourselves in time; empty: it is told already."""
    global _farewell
    _farewell = line


def status(otherwise: int) -> int:
    """The exit status: what a shell expects after a signal, if there was one and the work is not done."""
    return 128 + _asked if _asked and otherwise else otherwise


def is_interrupt() -> bool:
    """True unless something other than Ctrl-C asks us to end: then there is nobody to be asked."""
    return _asked in (None, signal.SIGINT)


def leave(code: int) -> NoReturn:
    """End the process at once, with what is to be done at its end."""
    try:
        while _acts:
            with contextlib.suppress(Exception):
                _acts.popitem()[1]()
        _flush()
    finally:  # there may be no memory for any of that
        os._exit(code)


def at_end(act: Callable[[], object]) -> Callable[[], None]:
    """Have `act` called if the process ends before the function that this returns is called.

    It runs on any thread, must be done in a moment, and must not wait for locks that the work holds.
    """
    key = object()
    _acts[key] = act
    return lambda: _acts.pop(key, None) and None


@contextlib.contextmanager
def guarded(act: Callable[[], object]) -> Iterator[None]:
    """`at_end` for the time of a block; after it whoever uses this does the same by himself."""
    undo = at_end(act)
    try:
        yield
    finally:
        undo()


@contextlib.contextmanager
def unbroken() -> Iterator[None]:
    """No KeyboardInterrupt inside of this block: it comes after it. Only the main thread needs that."""
    global _whole, _late
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _whole += 1
    try:
        yield
    finally:
        _whole -= 1
        if _late and not _whole:
            _late = False
            _raise()


@contextlib.contextmanager
def instead(act: Callable[[], object]) -> Iterator[None]:
    """While the block runs the main thread does `act` when we are asked to end, and is not interrupted."""
    before: dict[int, Any] = {}

    def do(number: int, frame: FrameType | None) -> None:
        _note(number)
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
    """While the block runs a signal interrupts as often as it comes, and the work may go on after it."""
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
    """The signals that may end us: not those that shall be ignored."""
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def _hear(number: int, frame: FrameType | None) -> None:
    """What the main thread does when a signal has come."""
    global _late
    _note(number)
    if _whole:
        _late = True
    elif number in _tolerated:
        raise KeyboardInterrupt
    else:
        _raise()


def _note(number: int) -> None:
    """The main thread has heard of a signal."""
    global _runs
    _runs += 1
    _remember(number)


def _remember(number: int) -> None:
    """Keep the signal that came first, if it ends this process."""
    global _asked
    if _watcher and _asked is None and number not in _tolerated:
        _asked = number


def _leave_to_watcher(number: int, frame: FrameType | None) -> None:
    """There is nothing to be put in order: the main thread need not know."""


def _raise() -> None:
    """Interrupt the main thread, once: nothing shall break off what it puts in order then."""
    global _raised
    if not _raised:
        _raised = True
        raise KeyboardInterrupt


class _Watcher:
    """The thread that is told of signals, closed pipes and the parent's end."""

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
            self._poll.register(number, 0)  # an error is always told
        self._thread = threading.Thread(target=self._work, name="shutdown", daemon=True)
        signal.set_wakeup_fd(self._mouth, warn_on_full_buffer=False)

    def start(self) -> None:
        """Begin; RuntimeError if there are no threads left."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        os.write(self._mouth, bytes([_STOP]))
        self._thread.join()
        os.close(self._ear)
        os.close(self._mouth)

    def _work(self) -> None:
        until: float | None = None
        missed: int | None = None  # a signal that the main thread has not heard of yet
        runs = _runs
        while True:
            wait = None if missed is None else _GLANCE
            if until is not None:
                wait = min(max(0.0, until - time.monotonic()), wait or self._grace)
            happened = self._poll.poll(None if wait is None else wait * 1000)
            for number, _ in happened:
                if number == self._parent:
                    leave(1)
                elif number != self._ear:
                    self._poll.unregister(number)
                    _remember(_CLOSED)
                    missed = next(iter(_heard()), None)
                    self._wake(missed)
                    continue
                for come in os.read(self._ear, 4096):
                    if come == _STOP:
                        return
                    if come in _SIGNALS:
                        missed = come
                        _remember(come)
            if _asked is not None:
                if until is None:
                    until = time.monotonic() + self._grace
                if time.monotonic() >= until:
                    _say_goodbye()
                    leave(128 + _asked)
            if _runs != runs:
                missed, runs = None, _runs
            elif not happened:
                # It came just before the main thread began to wait for something, and did not wake it.
                self._wake(missed)

    def _wake(self, number: int | None) -> None:
        """Let the main thread hear a signal, also where it waits for something."""
        if number is not None and self._grace:
            signal.pthread_kill(threading.main_thread().ident or 0, number)


def _is_pipe(number: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False


def _say_goodbye() -> None:
    """Write the last line to standard error, unless that would have to wait."""
    # A bar of progress has hidden the cursor.
    cursor = _SHOW_CURSOR if os.isatty(2) and os.environ.get("TERM", "dumb") != "dumb" else ""
    line = f"{cursor}{_farewell}"
    if not line:
        return
    with contextlib.suppress(OSError):
        errors = select.poll()
        errors.register(2, select.POLLOUT)
        if any(event == select.POLLOUT for _, event in errors.poll(0)):
            os.write(2, f"{line}\n".encode(errors="replace"))


def _flush() -> None:
    """Let what was printed leave; whoever does not read it keeps nobody here."""

    def flush() -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()

    with contextlib.suppress(RuntimeError):
        thread = threading.Thread(target=flush, daemon=True)
        thread.start()
        thread.join(_FLUSH_WITHIN)
