"""Child processes of `multiprocessing`: they leave Ctrl-C to their parent, and end with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import wait
from types import ModuleType

from boomslang.core.system import shutdown

_STARTING = threading.RLock()  # of two threads the later would restore what the other has put there


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Processes that `multiprocessing` starts in this block ignore Ctrl-C, which this one handles.

    They do not run the program that has started this one, which may be a script that does its work when it
    is imported.
    """
    with _STARTING, contextlib.ExitStack() as at_end:
        at_end.callback(sys.modules.__setitem__, "__main__", sys.modules["__main__"])
        sys.modules["__main__"] = ModuleType("__main__")
        if hasattr(signal, "pthread_sigmask"):
            from multiprocessing import resource_tracker

            resource_tracker.ensure_running()  # else it starts with the first process, and unblocks it
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            at_end.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        yield


def begin_child() -> None:
    """Make this process, a child, end with its parent and on signals other than Ctrl-C, whatever it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where signals cannot be blocked
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
