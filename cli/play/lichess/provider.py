"""The provider: registers the engine, waits for work, and answers each piece of it by a search."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

from boomslang.cli.play.lichess.api import LichessApi, LichessFaultError, LichessRefusedError
from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkError, read_work
from boomslang.cli.play.lichess.work_engine import WorkAnalysis, WorkEngine
from boomslang.engine.errors import first_of
from boomslang.engine.other_engines.engine_connection import EngineProcessError

T = TypeVar("T")

_MAX_OPEN: Final = 8  # answers under way; the last one searches, the others are being finished
_MIN_POLL: Final = 0.2  # seconds; a server that has no work answers after ten
_BETWEEN_POLLS: Final = 1.0  # seconds, if it answers at once
_UPLOADS: Final = 3  # attempts at one answer
_MAX_ANSWER_SECONDS: Final = 20.0  # from the last line to the server's answer, with all attempts
FIRST_WAIT: Final = 0.5  # seconds before the next attempt after a fault
_MAX_WAIT: Final = 60.0
_MAX_PAUSE: Final = 5.0  # seconds between them: the work expires after fifteen


class LichessProvider:
    """Serves one registration. New work supersedes the search that is under way, which answers early."""

    def __init__(
        self,
        settings: ProviderSettings,
        api: LichessApi,
        engine: WorkEngine,
        report: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._api = api
        self._engine = engine
        self._report = report
        self._room = asyncio.Semaphore(_MAX_OPEN)
        self._current: WorkAnalysis | None = None
        self._count = 0

    async def run(self) -> None:
        """Serve until the task is cancelled. Raises LichessRefusedError."""
        await self._register()
        try:
            async with asyncio.TaskGroup() as answers:
                while True:
                    await self._room.acquire()
                    name, work = await self._next_work()
                    self._count += 1
                    answers.create_task(self._serve(self._count, name, work))
        except BaseExceptionGroup as group:
            if refused := group.subgroup(LichessRefusedError):
                raise first_of(refused) from None
            raise

    async def _register(self) -> None:
        new = await self._until_answered(self._api.register)
        done = "registered" if new else "updated the registration of"
        self._report(f"{done} {self._settings.name!r}; waiting for work")

    async def _next_work(self) -> tuple[str, Mapping[str, Any]]:
        while True:
            asked_at = time.monotonic()
            if (work := await self._until_answered(self._api.next_work)) is not None:
                return work
            if self._engine.idle_seconds > self._settings.idle:
                await self._engine.close()
                self._report(f"engine ended after {self._settings.idle} s without work")
            if time.monotonic() - asked_at < _MIN_POLL:
                await asyncio.sleep(_BETWEEN_POLLS)

    async def _until_answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        faults = 0
        while True:
            try:
                return await ask()
            except LichessFaultError as fault:
                wait = _next_wait(faults, fault.wait)
                faults += 1
                self._report(f"{fault}; next attempt in {wait:.1f} s")
                await asyncio.sleep(wait)

    async def _serve(self, number: int, name: str, work: Mapping[str, Any]) -> None:
        analysis = WorkAnalysis()
        try:
            async with asyncio.TaskGroup() as group:
                upload = group.create_task(self._upload(number, name, analysis))
                upload.add_done_callback(lambda _: analysis.abandon())
                try:
                    await self._search(number, work, analysis)
                finally:
                    analysis.end()
                if not (await asyncio.wait({upload}, timeout=_MAX_ANSWER_SECONDS))[0]:
                    upload.cancel()
                    self._report(f"work {number}: answer lost: no answer in time")
        finally:
            if self._current is analysis:
                self._current = None
            self._room.release()

    async def _search(self, number: int, work: Mapping[str, Any], analysis: WorkAnalysis) -> None:
        try:
            request = read_work(work, self._settings)
        except WorkError as problem:
            self._report(f"work {number}: refused: {problem}")
            return
        if self._current:
            self._current.stop()
        self._current = analysis
        self._report(f"work {number}: {request.describe()}")
        try:
            await self._engine.search(request, analysis)
        except EngineProcessError as problem:
            self._report(f"work {number}: not done: {problem}")

    async def _upload(self, number: int, name: str, analysis: WorkAnalysis) -> None:
        for attempt in range(_UPLOADS):
            try:
                if not await self._api.answer(name, analysis):
                    self._report(f"work {number}: cancelled by the server")
                elif summary := analysis.summary():
                    self._report(f"work {number}: done: {summary}")
                return
            except LichessFaultError as fault:
                if fault.final or attempt + 1 == _UPLOADS:
                    self._report(f"work {number}: answer lost: {fault}")
                    return
                wait = min(_next_wait(attempt, fault.wait), _MAX_PAUSE)
                self._report(f"work {number}: {fault}; next attempt in {wait:.1f} s")
                await asyncio.sleep(wait)


def _next_wait(faults: int, asked: float) -> float:
    """Seconds to wait after so many earlier faults; at least those that the server has asked for.

    They double up to a minute. The random part keeps the providers of many users from returning all at once
    after an outage.
    """
    wait = min(FIRST_WAIT * 2.0 ** min(faults, 16), _MAX_WAIT)
    return max(wait * random.uniform(0.5, 1.0), asked)  # noqa: S311 - no secret
