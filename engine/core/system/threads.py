"""Threads that can recurse as deep as a search does."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from boomslang.engine.core.system import shutdown

FAILED: Final = 1  # exit status of a process that cannot go on
_STACK: Final = 64 << 20  # bytes; some systems give half a megabyte


class Lifeline(threading.Thread):
    """A thread without which there is no conversation."""


def start_thread(work: Callable[[], None], name: str) -> None:
    """Run `work` on a thread that does not keep the process alive."""
    before = threading.stack_size(_STACK)
    Lifeline(target=work, name=name, daemon=True).start()
    threading.stack_size(before)


@contextmanager
def nothing_breaks_down_in_silence(fail: Callable[[str], None]) -> Iterator[None]:
    """`fail` hears why this thread or one of those that the others wait for cannot go on; it ends us."""

    def told(problem: BaseException) -> None:
        try:
            fail(reason_for(problem))
        finally:  # there may be no memory for a word
            os._exit(FAILED)

    def hook(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.thread, Lifeline):
            told(ended.exc_value or ended.exc_type())
        else:
            before(ended)

    before, threading.excepthook = threading.excepthook, hook
    try:
        yield
    except BrokenPipeError:
        raise
    except Exception as problem:
        told(problem)
    finally:
        threading.excepthook = before


def reason_for(problem: BaseException) -> str:
    """What to say of something that has failed, in one line, though nothing else may work any more."""
    try:
        from boomslang.engine.core.system.failures import in_words

        return in_words(problem)
    except Exception:
        if isinstance(problem, MemoryError):
            return "there is not enough memory"
        said = str(problem).partition("\n")[0]
        return f"{type(problem).__name__} {said!r}"


def leave(status: int) -> NoReturn:
    """End the process at once: a kernel or a compiler that is at work cannot be interrupted."""
    shutdown.leave(status)
