"""Work on a cluster of computers, by Dask (https://distributed.dask.org).

The scheduler keeps track of the workers, distributes the items, and reassigns those of a lost worker.
This module loads the kernels in each worker before its first item, rejects workers that run other code
than this process, and limits the number of submitted items to what the workers can do soon.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from boomslang.core.system import installation
from boomslang.engine.driver.searcher import load
from boomslang.engine.errors import MAX_LOSSES, JobsError

try:
    from distributed import Client, KilledWorker, WorkerPlugin, as_completed
except ImportError as problem:
    raise JobsError("--cluster needs Dask; install it with: pip install 'distributed'") from problem

_CONNECT_SECONDS: Final = 20.0
_WORKER_SECONDS: Final = 60.0  # to wait for the first
_COUNT_SECONDS: Final = 2.0  # between two counts of the workers
_ROOT: Final = Path(installation.FOLDER)

Make = Callable[[], Callable[[Any], Any]]


class WarmKernels(WorkerPlugin):
    """Loads the kernels in each worker before its first item.

    The first worker of a host compiles them, under the lock of the kernel cache; the others wait, then load
    them from the cache.
    """

    name = "boomslang-kernels"
    idempotent = True

    async def setup(self, worker: Any) -> None:
        """Called by Dask in each present worker, and in each that joins."""
        await asyncio.to_thread(load)  # the worker's heartbeat to the scheduler continues


def run_on_cluster(
    make: Make, items: Iterable[Any], address: str, ahead: int | None = None
) -> Generator[tuple[int, Any], None, None]:
    """`engine.jobs.run.run` on the workers of the scheduler at `address`."""
    with _connect(address) as client:
        tasks = enumerate(items)
        order = uuid.uuid4().hex
        pending = as_completed(loop=client.loop, with_results=True)
        numbers: dict[Any, int] = {}  # numbers of the submitted items, by key
        workers, look_again = 0, 0.0
        begun = 0
        while True:
            if time.monotonic() >= look_again:
                workers = sum(client.nthreads().values())
                look_again = time.monotonic() + _COUNT_SECONDS
            room = 1 + 2 * workers - len(numbers)
            if ahead is not None and numbers:
                room = min(room, min(numbers.values()) + max(ahead * workers, 1) - begun)
            for number, item in islice(tasks, max(room, 0)):
                begun += 1
                key = f"boomslang-{order}-{number}"
                numbers[key] = number
                pending.add(
                    client.submit(_do, order, _code(), make, item, key=key, retries=0, pure=False)
                )
            if not numbers:
                return
            try:
                future, answer = next(pending)
            except KilledWorker:
                raise JobsError(f"{MAX_LOSSES} workers died over the same item") from None
            except CancelledError:
                raise JobsError(f"the scheduler at {address} is gone") from None
            number = numbers.pop(future.key)
            del future  # the scheduler may forget the answer
            yield number, answer


@contextmanager
def _connect(address: str) -> Iterator[Any]:
    """A client of the scheduler, with workers that are ready; raises JobsError."""
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:  # no such host, not an address ...
        raise JobsError(f"no Dask scheduler answers at {address}: {problem}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        except TimeoutError:
            raise JobsError(f"the scheduler at {address} has no workers") from None
        client.register_plugin(WarmKernels())
        yield client
    finally:
        client.close()


@cache
def _code() -> str:
    """A digest of the sources, to verify that two computers run the same engine."""
    digest = hashlib.sha256()
    for package in installation.PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


_mine = threading.local()  # by worker thread: the current order, and its function


def _do(order: str, code: str, make: Make, item: Any) -> Any:
    if code != _code():
        raise JobsError("a worker runs another version of Boomslang than this computer")
    if getattr(_mine, "order", None) != order:
        _mine.function = make()
        _mine.order = order
    return _mine.function(item)
