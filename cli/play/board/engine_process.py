"""The engine of a page: a UCI process that is restarted when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any, Final

import chess
import chess.engine

from boomslang.engine.system.launcher import command

_START_TIMEOUT: Final = 60.0  # seconds; a busy machine starts a Python slowly
_ANSWER_TIMEOUT: Final = 30.0  # seconds after which a search that is to end must have ended
_LEAVE_TIMEOUT: Final = 1.0  # seconds
_ATTEMPTS: Final = 3  # at one search, until the engine is given up
_HASH_MB: Final = 32
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)

# Its errors arrive as exceptions, which the page shows.
logging.getLogger(chess.engine.__name__).setLevel(logging.CRITICAL)

Listener = Callable[[chess.engine.InfoDict], None]


class EngineLostError(Exception):
    """The engine keeps dying; the message for the user gives the reason."""


class EngineProcess:
    """Searches positions one by one; starts with the first. `report` gets remarks for the user."""

    def __init__(self, report: Callable[[str], None], options: Mapping[str, Any]) -> None:
        """`options` are set in each new process."""
        self._report = report
        self._options = {"Hash": _HASH_MB, "UCI_ShowWDL": True, **options}
        self._protocol: chess.engine.UciProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._beginning: asyncio.Task[chess.engine.AnalysisResult] | None = None  # a search

    @property
    def pid(self) -> int | None:
        """The process id, while the process runs."""
        return self._transport.get_pid() if self._transport else None

    async def search(
        self,
        board: chess.Board,
        limit: chess.engine.Limit | None,
        listen: Listener,
        *,
        lines: int = 1,
        options: Mapping[str, Any] | None = None,
        game: object = None,
        patience: float | None = None,
    ) -> chess.Move | None:
        """Search until the limit, or for ever without one; the best move.

        An engine that takes `patience` seconds, and some more, counts as dead.

        `game` identifies the game of the position: for another one the engine clears its state. If the engine
        dies, a new one repeats the search. If the waiting task is cancelled, the search is stopped. Raises
        EngineLostError.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                async with asyncio.timeout(patience and patience + _ANSWER_TIMEOUT):
                    return await self._search(board, limit, listen, lines, options or {}, game)
            except (chess.engine.EngineError, OSError, TimeoutError) as problem:
                await self.kill()
                what = "The engine did not answer" if _is_late(problem) else "The engine has died"
                if attempt == _ATTEMPTS:
                    raise EngineLostError(f"{what}, {_ATTEMPTS} times in a row.") from problem
                self._report(f"{what}. It was started again.")
        return None

    async def _search(
        self,
        board: chess.Board,
        limit: chess.engine.Limit | None,
        listen: Listener,
        lines: int,
        options: Mapping[str, Any],
        game: object,
    ) -> chess.Move | None:
        protocol = await self._start()
        async with asyncio.timeout(_ANSWER_TIMEOUT):
            if self._beginning:
                await asyncio.shield(self._beginning)
            # It continues even if cancelled: python-chess accepts no further command after an aborted start,
            # which happens when the user steps through moves while the kernels are loaded.
            beginning = asyncio.create_task(
                protocol.analysis(board, limit, multipv=lines, game=game, options=options)
            )
            beginning.add_done_callback(_forget)
            self._beginning = beginning
            try:
                analysis = await asyncio.shield(beginning)
            except asyncio.CancelledError:
                beginning.add_done_callback(_stop)
                raise
            self._beginning = None
        ending = asyncio.create_task(analysis.wait())
        ending.add_done_callback(_forget)
        try:
            async for info in analysis:
                listen(info)
            return (await asyncio.shield(ending)).move
        finally:
            analysis.stop()

    async def close(self) -> None:
        """Ask the process to quit, and kill it if it does not."""
        protocol = self._protocol
        with contextlib.suppress(chess.engine.EngineError, OSError, TimeoutError):
            if protocol and not protocol.returncode.done():
                async with asyncio.timeout(_LEAVE_TIMEOUT):
                    protocol.send_line("stop")
                    await protocol.quit()
        await self.kill()

    async def kill(self) -> None:
        """Kill the process."""
        transport, protocol = self._transport, self._protocol
        self._transport = self._protocol = None
        if self._beginning:
            self._beginning.cancel()
            self._beginning = None
        if transport and protocol:
            if not protocol.returncode.done():
                # Not by the transport: it may reap the process before the loop, which then logs an error.
                with contextlib.suppress(OSError):
                    os.kill(transport.get_pid(), _KILL)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LEAVE_TIMEOUT):
                    await asyncio.shield(protocol.returncode)
            transport.close()

    async def _start(self) -> chess.engine.UciProtocol:
        if self._protocol and not self._protocol.returncode.done():
            return self._protocol
        if self._protocol:
            self._report("The engine has died. It was started again.")
            await self.kill()
        async with asyncio.timeout(_START_TIMEOUT):
            # In a separate process group: Ctrl-C in the terminal is for the server.
            self._transport, self._protocol = await chess.engine.popen_uci(command(), setpgrp=True)
            await self._protocol.configure(self._options)
        return self._protocol


def hush(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handles errors of a loop: ignores the end of an engine that is already reported or was requested.

    If an engine ends before its search has begun, python-chess sets an exception on a future without owner.
    """
    ended = isinstance(context.get("exception"), chess.engine.EngineTerminatedError)
    if not (ended and context.get("message") == "Future exception was never retrieved"):
        loop.default_exception_handler(context)


def _forget(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task without a waiting caller."""
    if not task.cancelled():
        task.exception()


def _stop(beginning: asyncio.Task[chess.engine.AnalysisResult]) -> None:
    """Stop a search without a waiting task."""
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result().stop()


def _is_late(problem: Exception) -> bool:
    return isinstance(problem, TimeoutError)
