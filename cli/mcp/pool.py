"""The searchers that serve requests, a bounded number at once; kernels are compiled behind the first ones."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import anyio
import anyio.to_thread

from boomslang.cli.mcp.reading import RefusalError
from boomslang.cli.mcp.results import Answer
from boomslang.engine.driver.loading import KernelLoader

if TYPE_CHECKING:  # it imports Numba, and the client waits for its greeting
    from boomslang.cli.mcp.bounded_searcher import BoundedSearcher

Report: TypeAlias = Callable[[float, str], Awaitable[None]]  # progress, which only grows, and words
Work: TypeAlias = Callable[["BoundedSearcher"], Answer]

_MAX_WAITING: Final = 100  # requests
_MAX_COMPILING: Final = 50.0  # seconds; many clients give up after a minute
_INTERVAL: Final = 0.5  # seconds between reports of progress


class SearchPool:
    """Runs the work of requests on `size` searchers, with the tablebases in the folders `tables`."""

    def __init__(self, size: int, tables: str) -> None:
        self._tables = tables
        self._slots = anyio.Semaphore(size)
        self._idle: list[BoundedSearcher] = []
        self._waiting = 0
        self._remark = "loading kernels"
        self.kernels = KernelLoader(self._hear)

    def _hear(self, remark: str) -> None:
        self._remark = remark

    async def run(self, work: Work, report: Report) -> Answer:
        """The answer of `work`, which another thread does as soon as a searcher is free.

        Raises RefusalError if too many requests wait, if the kernels take too long, or as the work does.
        A cancelled request ends its search.
        """
        if self._waiting >= _MAX_WAITING:
            raise RefusalError(f"busy: {_MAX_WAITING} requests are waiting; ask again later")
        self._waiting += 1
        try:
            await self._wait_for_kernels(report)
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            return await self._work(work, report)
        finally:
            self._slots.release()

    async def _wait_for_kernels(self, report: Report) -> None:
        for count in range(round(_MAX_COMPILING / _INTERVAL)):
            if self.kernels.wait(0):
                break
            if count:
                await report(count / 1000, self._remark)
            await anyio.sleep(_INTERVAL if count else 0)
        else:
            raise RefusalError(f"not ready yet, ask again in a minute: {self._remark}")
        if self.kernels.searcher is None:
            raise RefusalError(f"the engine cannot search: {self.kernels.problem}")

    async def _work(self, work: Work, report: Report) -> Answer:
        searcher = self._idle.pop() if self._idle else None
        is_over = threading.Event()
        answers: list[Answer] = []
        problems: list[Exception] = []

        def on_thread() -> None:
            from boomslang.cli.mcp.bounded_searcher import BoundedSearcher

            nonlocal searcher
            try:
                searcher = searcher or BoundedSearcher(self._tables)
                searcher.begin(is_over.is_set)
                answers.append(work(searcher))
            except Exception as problem:  # raised below, outside of the group
                problems.append(problem)

        async def watch() -> None:
            told_depth = 0
            try:
                while True:
                    await anyio.sleep(_INTERVAL)
                    if searcher and searcher.nodes > told_depth:
                        told_depth = searcher.nodes
                        await report(told_depth, searcher.work or f"{told_depth:,} nodes")
            finally:
                is_over.set()
                if searcher:
                    searcher.stop()

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                await anyio.to_thread.run_sync(on_thread)
                group.cancel_scope.cancel()
        finally:
            if searcher:
                self._idle.append(searcher)
        if problems:
            raise problems[0]
        return answers[0]
