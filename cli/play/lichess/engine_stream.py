"""The engine of a provider: a UCI process that streams its lines, and starts again when it has died."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from boomslang.cli.play.lichess.analysis import WorkAnalysis
from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.engine.system import shutdown
from boomslang.engine.system.launcher import command

# Seconds until `uciok` and `readyok`; a busy machine starts a Python slowly.
_START_TIMEOUT: Final = 60.0
_STOP_TIMEOUT: Final = 10.0  # seconds from `stop` to `bestmove`
_SPARE: Final = 60.0  # seconds beyond the time of a search after which the engine counts as dead
_LEAVE_TIMEOUT: Final = 0.2  # seconds
_MAX_LINE: Final = 1 << 20  # bytes
_REMARK: Final = "info string "
_ATTEMPTS: Final = 2  # at one search
_GROUP: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


class EngineStreamError(Exception):
    """The engine cannot be started, has died or does not answer."""


class EngineStream:
    """Does one search after the other; the process starts with the first."""

    def __init__(self, report: Callable[[str], None]) -> None:
        """`report` gets remarks for the user."""
        self._report = report
        self._process: Process | None = None
        self._forget: Callable[[], None] = lambda: None
        self._turn = asyncio.Lock()
        self._set: dict[str, object] = {}  # options that the process has
        self._session: str | None = None
        self._used = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last search; 0 during one, and without a process."""
        if self._process is None or self._turn.locked():
            return 0.0
        return time.monotonic() - self._used

    async def search(self, request: WorkRequest, analysis: WorkAnalysis) -> None:
        """Search, and add the lines to the analysis up to `bestmove`, or until it is stopped.

        A search whose engine dies is done once more. Raises EngineStreamError.
        """
        async with self._turn:
            for attempt in range(1, _ATTEMPTS + 1):
                if not analysis.is_wanted:
                    return
                try:
                    await self._search(request, analysis)
                    return
                except (EngineStreamError, OSError) as problem:
                    await self.close()
                    if attempt == _ATTEMPTS:
                        raise EngineStreamError(str(problem)) from None
                    self._report(f"{problem}; it is started again")
                finally:
                    self._used = time.monotonic()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self._set.clear()
        self._session = None
        if process is None:
            return
        if process.returncode is None:
            # Not by asyncio: that may reap the process before its watcher does, which then complains.
            with suppress(OSError):
                os.kill(process.pid, _KILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVE_TIMEOUT):
                await process.wait()
        self._forget()

    async def _search(self, request: WorkRequest, analysis: WorkAnalysis) -> None:
        try:
            async with asyncio.timeout(_START_TIMEOUT):
                await self._start()
                await self._prepare(request)
        except TimeoutError:
            raise EngineStreamError("the engine was not ready in time") from None
        self._send(request.position, request.go)
        stopping = asyncio.create_task(self._send_stop(analysis))
        try:
            async with asyncio.timeout(request.movetime / 1000 + _SPARE):
                while not analysis.ended.is_set():
                    line = await self._line()
                    if line.startswith("bestmove "):
                        analysis.end(line)
                    elif line.startswith("info ") and " score " in line:
                        analysis.add(line)
        except TimeoutError:
            raise EngineStreamError("the engine did not end its search in time") from None
        finally:
            stopping.cancel()

    async def _start(self) -> None:
        if self._process and self._process.returncode is None:
            return
        await self.close()
        # In a group of its own: Ctrl-C in the terminal is for the provider, which then ends the engine.
        group = {"creationflags": _GROUP} if sys.platform == "win32" else {"process_group": 0}
        self._process = await asyncio.create_subprocess_exec(
            *command(), stdin=PIPE, stdout=PIPE, limit=_MAX_LINE, **group
        )
        self._forget = shutdown.at_end(partial(os.kill, self._process.pid, _KILL))
        self._send("uci")
        await self._until("uciok")
        self._send(
            "setoption name UCI_AnalyseMode value true", "setoption name UCI_Chess960 value true"
        )

    async def _prepare(self, request: WorkRequest) -> None:
        if request.session != self._session:
            self._send("ucinewgame")
            self._session = request.session
        wanted = {"Threads": request.threads, "Hash": request.hash_mb, "MultiPV": request.lines}
        for name, value in wanted.items():
            if self._set.get(name) != value:
                self._send(f"setoption name {name} value {value}")
                self._set[name] = value
        self._send("isready")
        await self._until("readyok")

    async def _send_stop(self, analysis: WorkAnalysis) -> None:
        """Stop the search when that is wanted; kill an engine that does not obey."""
        await analysis.stopping.wait()
        self._send("stop")
        await asyncio.sleep(_STOP_TIMEOUT)
        if self._process:
            with suppress(OSError):
                os.kill(self._process.pid, _KILL)

    async def _until(self, word: str) -> None:
        while await self._line() != word:
            pass

    async def _line(self) -> str:
        """The next line of the engine; remarks are reported."""
        assert self._process and self._process.stdout  # noqa: S101 - for the type checker
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise EngineStreamError("the engine sent a line without an end") from None
        if not line:
            raise EngineStreamError("the engine has died")
        text = line.decode("utf-8", "replace").strip()
        if text.startswith(_REMARK):
            self._report(text.removeprefix(_REMARK))
        return text

    def _send(self, *lines: str) -> None:
        """Write commands; a dead engine is noticed when its answer is read."""
        if self._process and self._process.stdin:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
