"""The function `run`, by which all commands distribute their work.

from boomslang.engine.jobs.run import run

def maker(limits: Limits) -> Callable[[str], str]:
    load()
    searcher = Searcher()
    return lambda fen: analyse(searcher, fen, limits)

for number, answer in run(partial(maker, limits), fens, jobs=4, cluster=None):
    ...
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Final, TypeVar

from boomslang.core.system.threads import in_threads

Item = TypeVar("Item")
Answer = TypeVar("Answer")

_AHEAD: Final = 16  # items for each worker


def run(
    make: Callable[[], Callable[[Item], Answer]],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    ahead: int | None = None,
) -> Generator[tuple[int, Answer], None, None]:
    """Process every item; yields its number, counted from 0, and its answer as soon as it is done.

    `make()` is called once in each worker and returns the function that processes one item after the other.
    It loads the kernels (call `searcher.load` in this process before, then they are compiled once)
    and creates a `Searcher`. The answer must depend on the item alone, not on the worker's earlier items:
    begin with `searcher.new_game()`.

    With one job the work is done in this process, with several in that number of processes. A daemonic
    process, such as those of `multiprocessing.Pool`, may start none, and works by itself. With `cluster`, the
    address of a Dask scheduler such as "tcp://host:8786", the scheduler's workers do it, and `jobs` is not
    used. `make`, items and answers travel between processes, so they must pickle: `make` is a function
    at the top level of a module, or `functools.partial` of one.

    In this process an interrupt calls the method `stop` of the function, if it has one, which ends its work.

    If a worker dies, only its current item is done again. Items are taken from `items` a few at a time, so
    `items` may be infinite. With `ahead`, no item is begun that comes more than `ahead` times the number of
    workers after an unfinished one. Close the generator (or leave its loop by an exception such as
    KeyboardInterrupt and drop it) to end early; this ends all workers.

    Raises the exceptions of `make` and its function, and JobsError if there are no workers, or if all
    workers that try an item die.
    """
    if cluster is not None:
        from boomslang.engine.jobs.cluster import run_on_cluster

        return run_on_cluster(make, items, cluster, ahead)
    if jobs > 1:
        from boomslang.engine.jobs.processes import may_start_processes, run_in_processes

        if may_start_processes():
            return run_in_processes(make, items, jobs, ahead)
    return _run_here(make, items)


def _run_here(
    make: Callable[[], Callable[[Item], Answer]], items: Iterable[Item]
) -> Generator[tuple[int, Answer], None, None]:
    function = make()
    for number, item in enumerate(items):
        yield number, _aside(function, item)


def _aside(function: Callable[[Item], Answer], item: Item) -> Answer:
    """Call `function` on a daemon thread, since Ctrl-C does not interrupt kernels."""
    try:
        return in_threads(function, [item])[0]
    except KeyboardInterrupt:
        if hasattr(function, "stop"):
            function.stop()
        raise


def run_in_order(
    make: Callable[[], Callable[[Item], Answer]],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[Answer, None, None]:
    """`run`, with the answers in the order of the items.

    Early answers are held back; there are few of them, since no item is begun far ahead of a slow one.
    """
    early: dict[int, Answer] = {}
    wanted_index = 0
    with closing(run(make, items, jobs=jobs, cluster=cluster, ahead=_AHEAD)) as answers:
        for number, answer in answers:
            early[number] = answer
            while wanted_index in early:
                yield early.pop(wanted_index)
                wanted_index += 1
