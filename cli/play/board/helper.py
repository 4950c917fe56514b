"""A child process for CPU-bound work, so that the server stays responsive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from boomslang.engine.system.worker import Worker

P = ParamSpec("P")
R = TypeVar("R")

_TIMEOUT: Final = 120.0  # seconds; kernels may have to be compiled first
_MOMENT: Final = 0.05  # seconds


class Helper:
    """Calls functions in a child process one by one; starts it at the first call."""

    def __init__(self, ends_with_call: bool) -> None:
        """With `ends_with_call` a cancelled call ends the process; otherwise the call runs to its end."""
        self._ends_with_call = ends_with_call
        self._worker = Worker(_TIMEOUT)
        self._thread = ThreadPoolExecutor(1, "helper")
        self._jobs: set[Future[Any]] = set()  # calls that have not ended

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the function; raises its exception, or WorkerError if the process dies."""
        work = partial(self._worker.call, function, *args, **kwargs)
        job = self._thread.submit(work)
        running = asyncio.wrap_future(job)
        running.add_done_callback(_forget)
        running.add_done_callback(lambda _: self._jobs.discard(job))
        self._jobs.add(job)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # Calls that have not begun are cancelled.
            if not job.cancel() and self._ends_with_call:
                await self._end()
            raise

    async def close(self) -> None:
        """End the process."""
        await self._end()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._worker.close)
        self._thread.shutdown()

    async def _end(self) -> None:
        """Give up all calls; a process that is still starting cannot be ended."""
        for job in self._jobs:
            job.cancel()
        while any(not job.done() for job in self._jobs):
            self._worker.kill()
            await asyncio.sleep(_MOMENT)


def _forget(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a future without a waiting caller."""
    if not future.cancelled():
        future.exception()
