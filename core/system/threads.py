"""Threads with a stack large enough for the recursion of a search, and processors to run them."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from boomslang.core.system.control_groups import processor_quota

T = TypeVar("T")
R = TypeVar("R")

FAILED: Final = 1  # exit status of a process that cannot go on
SOON: Final = 0.02  # seconds after which Ctrl-C is not kept waiting
_STACK: Final = 64 << 20  # bytes; some systems give half a megabyte
_POLL_INTERVAL: Final = 0.1  # seconds
_END_TIMEOUT: Final = 5.0  # seconds for a step to end that is stopped


def usable_processors() -> int:
    """Number of processors that this process may use: by its affinity, and by the quota of its container."""
    count = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    quota = processor_quota()
    return count if quota is None else min(count, math.ceil(quota))


class EssentialThread(threading.Thread):
    """A thread without which the process cannot continue."""


def start_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a thread that does not keep the process alive."""
    before = threading.stack_size(_STACK)
    EssentialThread(target=work, name=name, daemon=True).start()
    threading.stack_size(before)


@contextmanager
def reporting_failures(fail: Callable[[str], None]) -> Iterator[None]:
    """If this thread or a EssentialThread fails, call `fail` with the reason and end the process."""

    def report(problem: BaseException) -> None:
        try:
            fail(reason_for(problem))
        finally:  # there may be no memory for a message
            os._exit(FAILED)

    def hook(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.thread, EssentialThread):
            report(ended.exc_value or ended.exc_type())
        else:
            before(ended)

    before, threading.excepthook = threading.excepthook, hook
    try:
        yield
    except BrokenPipeError:
        raise
    except Exception as problem:
        report(problem)
    finally:
        threading.excepthook = before


def reason_for(problem: BaseException) -> str:
    """One line about a failure; works even if the process is short of memory."""
    try:
        from boomslang.core.system.failures import in_words

        return in_words(problem)
    except Exception:
        if isinstance(problem, MemoryError):
            return "there is not enough memory"
        said = str(problem).partition("\n")[0]
        return f"{type(problem).__name__} {said!r}"


def in_threads(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Call `work(item)` for each item on a thread of its own; the results, when all have ended.

    Where no thread can be started, this one does the work. Raises the first exception of any of them. The
    threads are daemons: a kernel cannot be interrupted, and Ctrl-C should not wait for it, as it would with a
    `ThreadPoolExecutor`.
    """
    from concurrent.futures import Future, wait  # not needed for `uciok`

    answers: list[Future[R]] = [Future() for _ in items]

    def run(item: T, answer: Future[R]) -> None:
        try:
            answer.set_result(work(item))
        except BaseException as problem:
            answer.set_exception(problem)

    for pair in zip(items, answers, strict=True):
        try:
            threading.Thread(target=run, args=pair, daemon=True).start()
        except RuntimeError:  # there are no threads left
            run(*pair)
    while wait(answers, _POLL_INTERVAL).not_done:  # without a limit Windows would hear no Ctrl-C
        pass
    return [answer.result() for answer in answers]


def interruptible(steps: Iterator[T], stop: Callable[[], object]) -> Iterator[T]:
    """The same steps, which Ctrl-C ends even inside a kernel: `stop` makes that return.

    Only the main thread hears Ctrl-C, and not while it is inside a kernel. So it leaves its steps to other
    threads as soon as they may take long.
    """
    begun, ended = time.monotonic(), object()
    is_main = threading.current_thread() is threading.main_thread()
    while True:
        is_long = is_main and time.monotonic() - begun > SOON
        step = _aside(steps, ended, stop) if is_long else next(steps, ended)
        if step is ended:
            return
        yield cast("T", step)


def _aside(steps: Iterator[T], ended: object, stop: Callable[[], object]) -> T | object:
    done = threading.Event()

    def work(steps: Iterator[T]) -> T | object:
        try:
            return next(steps, ended)
        finally:
            done.set()

    try:
        return in_threads(work, [steps])[0]
    except BaseException:  # whatever a handler of signals raises
        stop()
        done.wait(_END_TIMEOUT)
        raise
