"""Engines for callers without an event loop."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import EngineProcess

Result = TypeVar("Result")

SHOW_WDL: Final = "UCI_ShowWDL"  # the option by which an engine says win, draw and loss


class EngineRunner:
    """An event loop for callers without one; `ends` close the engines that are used in it with it."""

    def __init__(self, *ends: Callable[[], Awaitable[None]]) -> None:
        self._runner = asyncio.Runner()
        weakref.finalize(self, _close, self._runner, ends).atexit = False

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of work with the engines; on any thread, one at a time."""
        if not asyncio._get_running_loop():
            return self._runner.run(work)
        with ThreadPoolExecutor(1) as pool:  # the caller is within a loop, as in a notebook
            return pool.submit(self._runner.run, work).result()


class KnownEngine(NamedTuple):
    """An engine that has been started once."""

    command: EngineCommand
    name: str  # that it gives itself, or else its program
    shows_wdl: bool  # it says win, draw and loss, if it is not told otherwise


def probe_engine(command: EngineCommand) -> KnownEngine:
    """Start an engine, to see that it works and what it says of itself, and end it.

    Raises EngineProcessError.
    """
    process = EngineProcess(command, {SHOW_WDL: True})
    connection = EngineRunner(process.close).run(process.start())
    name = connection.id.get("name") or command.words[0]
    return KnownEngine(command, name, connection.is_set(SHOW_WDL))


def _close(runner: asyncio.Runner, ends: Iterable[Callable[[], Awaitable[None]]]) -> None:
    async def end() -> None:
        await asyncio.gather(*(each() for each in ends))

    def close() -> None:
        with runner:
            runner.run(end())

    (thread := threading.Thread(target=close)).start()  # this one may be within another loop
    thread.join()
