"""Work that may never end, in a child process that can be killed.

A Python thread cannot be stopped from outside. A `Worker` calls functions in a child process, each within a
time limit.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar

from boomslang.engine.system import shutdown

P = ParamSpec("P")
R = TypeVar("R")

_START_TIMEOUT: Final = 60.0  # seconds; a busy machine starts a Python slowly


class WorkerError(RuntimeError):
    """The work was given up; the message is a short reason."""


class Worker:
    """Calls functions in a child process, one at a time; `seconds` is the limit for each.

    Functions are found by module and name; arguments and results are pickled. The child starts with the first
    call, starts again after a call that was given up, and ends with this process.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._forget: Callable[[], None] = lambda: None  # the process has ended

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result or exception; WorkerError if it takes too long or the process dies."""
        line = self._line or self._start()
        try:
            line.send((function, args, kwargs))
            if not line.poll(self._seconds):
                raise WorkerError(f"took more than {self._seconds:g} seconds")
            failed, value = line.recv()
        except (EOFError, OSError):
            self.close()
            raise WorkerError("ended the process that looked at it") from None
        except WorkerError:
            self.close()
            raise
        if failed:
            raise value
        result: R = value
        return result

    def kill(self) -> None:
        """End the child from another thread; its current call raises WorkerError."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the child."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
            self._forget()
        if self._line is not None:
            self._line.close()
            self._line = None

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")  # a fork would copy our threads' locks
        self._line, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), name="worker", daemon=True)
        try:
            with shutdown.delay_interrupts(), starting_processes():  # or nobody would know of it
                process.start()
                self._process = process
                self._forget = shutdown.at_end(process.kill)
        except (OSError, RuntimeError):
            self.close()
            raise WorkerError("cannot start a process") from None
        finally:
            theirs.close()
        try:
            if self._line.poll(_START_TIMEOUT):
                self._line.recv()
                return self._line
        except EOFError:
            pass
        self.close()
        raise WorkerError("cannot start a process")


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Processes that `multiprocessing` starts in this block ignore Ctrl-C, which this one handles."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it starts with the first process, and unblocks it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(line: Connection) -> None:
    """The child: do what comes over the line until that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    end_with_parent()
    line.send(None)
    while True:
        try:
            function, args, kwargs = line.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = False, function(*args, **kwargs)
        except Exception as problem:
            answer = True, problem
        try:
            line.send(answer)
        except Exception:  # it cannot be pickled
            line.send((True, WorkerError(f"failed: {type(answer[1]).__name__}")))


def end_with_parent() -> None:
    """Make this process, a child, end with its parent and on signals, whatever it is doing."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if os.name == "nt":
        threading.Thread(target=_wait_for_end, args=(parent.sentinel,), daemon=True).start()
    else:
        shutdown.watch(0.0, pipes=False, parent=parent.sentinel)


def _wait_for_end(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
