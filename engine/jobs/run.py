"""The one way in which commands spread their work: `run`.

from engine.jobs.run import run

def maker(limits: Limits) -> Callable[[str], str]:
    load()
    player = Player()
    return lambda fen: analyse(player, fen, limits)

for number, answer in run(partial(maker, limits), fens, jobs=4, cluster=None):
    ...
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import closing
from threading import Thread
from typing import Final, TypeVar

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
    """Do every item; yields its number, counted from 0, and its answer as soon as it is done.

    `make()` is called once in each worker and returns the function that does one item after the
    other; so that is where kernels are loaded (`engine.searcher.load`, best called in this process
    before, since then they are compiled once) and a `Player` is made. The answer must depend on the
    item alone, not on those that the worker did before: begin with `player.new_game()`.

    One job works in this process, several in as many processes, and with `cluster`, the address of a
    Dask scheduler such as "tcp://host:8786", its workers do it, however many they are and become;
    `jobs` is not used then. `make`, items and answers travel between processes, so they must pickle:
    `make` is a function at the top of a module, or `functools.partial` of one.

    An item whose worker dies is done again by another, and no other item is. Items are taken from
    `items` a few at a time, which may therefore go on for ever. With `ahead`, nobody begins an item that
    comes more than so many times the number of workers after one that is not done. Close the generator
    (or leave its loop by an exception such as KeyboardInterrupt and drop it) to end early: no worker stays.

    Raises what `make` or its function raises, and JobsError if there are no workers, or if all who
    try an item die.
    """
    if cluster is not None:
        from boomslang.engine.jobs.cluster import run_on_cluster

        return run_on_cluster(make, items, cluster, ahead)
    if jobs > 1:
        from boomslang.engine.jobs.processes import run_in_processes

        return run_in_processes(make, items, jobs, ahead)
    return _run_here(make, items)


def _run_here(
    make: Callable[[], Callable[[Item], Answer]], items: Iterable[Item]
) -> Generator[tuple[int, Answer], None, None]:
    function = make()
    for number, item in enumerate(items):
        yield number, _aside(function, item)


def _aside(function: Callable[[Item], Answer], item: Item) -> Answer:
    """Call `function` on a thread that nobody waits for after Ctrl-C: kernels do not hear that."""
    answer: Future[Answer] = Future()

    def work() -> None:
        try:
            answer.set_result(function(item))
        except BaseException as problem:
            answer.set_exception(problem)

    Thread(target=work, daemon=True).start()
    return answer.result()


def run_in_order(
    make: Callable[[], Callable[[Item], Answer]],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> Generator[Answer, None, None]:
    """`run`, with the answers in the order of the items.

    Those that come too early wait; they are not many, since nobody begins far ahead of a slow item.
    """
    early: dict[int, Answer] = {}
    wanted = 0
    with closing(run(make, items, jobs=jobs, cluster=cluster, ahead=_AHEAD)) as answers:
        for number, answer in answers:
            early[number] = answer
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1
