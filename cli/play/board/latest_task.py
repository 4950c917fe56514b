"""Background work that always serves the latest request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class LatestTask(Generic[K]):
    """Runs the currently wanted task, one at a time.

    `wanted` returns its name, None for none. When `look` is called and the name has changed, the running task
    is cancelled, and when that has ended `work` is called with the new name.
    """

    def __init__(
        self, wanted: Callable[[], K | None], work: Callable[[K], Awaitable[None]]
    ) -> None:
        self._wanted = wanted
        self._work = work
        self._changed = asyncio.Event()
        self._doing: K | None = None
        self._job: asyncio.Future[None] | None = None
        self._director = asyncio.create_task(self._direct())

    def look(self) -> None:
        """Check for a change of the wanted task."""
        self._changed.set()

    def again(self) -> None:
        """Restart the task even if its name has not changed."""
        self._doing = None
        self._changed.set()

    async def close(self) -> None:
        """Cancel the running task, and start no more."""
        self._director.cancel()
        await asyncio.gather(self._director, return_exceptions=True)
        await self._end()

    async def _direct(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted_task = self._wanted()
            if wanted_task == self._doing:
                continue
            await self._end()
            self._doing = wanted_task
            if wanted_task is not None:
                self._job = asyncio.ensure_future(self._work(wanted_task))
                self._job.add_done_callback(self._report_end)

    def _report_end(self, job: asyncio.Future[None]) -> None:
        """Unexpected errors are printed in the terminal; the next change tries again."""
        if job.cancelled() or (problem := job.exception()) is None:
            return
        self._doing = None
        what = {"message": "the board: work has failed", "exception": problem, "future": job}
        asyncio.get_running_loop().call_exception_handler(what)

    async def _end(self) -> None:
        if self._job:
            self._job.cancel()
            await asyncio.gather(self._job, return_exceptions=True)
            self._job = None
