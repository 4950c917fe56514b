"""A child process for CPU-bound work, so that the server stays responsive."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, ParamSpec, TypeVar

from boomslang.core.system.worker import begin_child, starting_processes

P = ParamSpec("P")
R = TypeVar("R")

_TIMEOUT: Final = 120.0  # seconds; kernels may have to be compiled first
_MOMENT: Final = 0.05  # seconds
_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would copy our threads' locks
_steps: Any = None  # in the child: counts how far its call is


class HelperError(RuntimeError):
    """The work was given up; the message is a short reason."""


def step() -> None:
    """Count a step of the work that a helper's process does."""
    if _steps is not None:
        _steps.value += 1


def _begin(steps: Any) -> None:
    global _steps
    _steps = steps
    begin_child()


class Helper:
    """Calls functions in a child process one by one; starts it at the first call, and when it has died."""

    def __init__(self, ends_with_call: bool, timeout: float | None = None) -> None:
        """With `ends_with_call` a cancelled call ends the process; otherwise the call runs to its end.

        A call may take `timeout` seconds, by default two minutes.
        """
        self._ends_with_call = ends_with_call
        self._timeout = timeout
        self._pool: ProcessPoolExecutor | None = None
        self.steps = _SPAWN.RawValue("Q", 0)  # of all calls
        self._job: Future[Any] | None = None  # the last call, perhaps given up
        self._until = 0.0  # time.monotonic() until which it may go on
        self._turn = asyncio.Lock()
        self._is_closed = False

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the function; raises its exception, or HelperError if the process dies."""
        async with self._turn:
            while self._job and not self._job.done():  # a call that was given up
                if time.monotonic() > self._until:
                    await self._end()
                await asyncio.sleep(_MOMENT)
            if self._is_closed:
                raise HelperError("was given up")
            seconds = self._timeout or _TIMEOUT
            try:
                self._until = time.monotonic() + seconds
                job = self._job = self._submit(function, *args, **kwargs)
                async with asyncio.timeout(seconds):
                    return await asyncio.wrap_future(job)
            except TimeoutError:
                await self._end()
                raise HelperError(f"took more than {seconds:g} seconds") from None
            except (BrokenProcessPool, OSError):
                await self._end()
                raise HelperError("ended the process that looked at it") from None
            except asyncio.CancelledError:
                if self._ends_with_call:
                    await self._end()
                raise

    async def close(self) -> None:
        """End the process, and all calls."""
        self._is_closed = True
        await self._end()

    def _submit(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, _SPAWN, _begin, (self.steps,))
        with starting_processes():
            return self._pool.submit(function, *args, **kwargs)

    async def _end(self) -> None:
        """Kill the process, whatever it is doing."""
        pool, self._pool = self._pool, None
        if pool:
            for process in list((pool._processes or {}).values()):
                process.kill()
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)
