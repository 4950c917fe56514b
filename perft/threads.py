"""Running one piece of work on several threads at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def in_threads(work: Callable[[T], None], items: Sequence[T]) -> None:
    """Call `work(item)` for each item on a thread of its own, and wait for all of them.

    Raises the first exception of any of them. The threads are daemons: a kernel cannot be interrupted, and
    Ctrl-C should not wait for it, as it would with a `ThreadPoolExecutor`.
    """
    problems: list[BaseException] = []

    def run(item: T) -> None:
        try:
            work(item)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(item,), daemon=True) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
