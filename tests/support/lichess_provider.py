"""A provider in this process, with an engine that needs no kernels in the place of the real one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import chess

from boomslang.cli.play.lichess.api import LichessApi, LichessRefusedError
from boomslang.cli.play.lichess.credentials import Secret
from boomslang.cli.play.lichess.provider import LichessProvider
from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.cli.play.lichess.work_engine import WorkAnalysis
from boomslang.engine.limits import Info, Score
from boomslang.engine.other_engines.engine_connection import EngineProcessError
from tests.support.lichess_server import TOKEN, Asked, MockLichess

PROVIDER = "provider-secret-of-a-test-0123456789"
TIMEOUT = 20.0  # seconds


class StubEngine:
    """Adds a line every hundredth of a second until the depth is reached or it is stopped."""

    def __init__(self) -> None:
        self.idle_seconds = 0.0
        self.turn = asyncio.Lock()
        self.requests: list[WorkRequest] = []
        self.stopped: list[float] = []
        self.closed = 0
        self.dies = 0

    async def search(self, request: WorkRequest, analysis: WorkAnalysis) -> None:
        async with self.turn:
            if not analysis.is_wanted:
                return
            self.requests.append(request)
            limits, pv = request.limits, (chess.Move.from_uci("e2e4"),)
            until = time.monotonic() + (limits.movetime or 0) / 1000
            for depth in range(1, (limits.depth or 10_000) + 1):
                if time.monotonic() > until or depth > (limits.nodes or depth):
                    break
                if self.dies:
                    self.dies -= 1
                    raise EngineProcessError("the engine has died")
                analysis.add(Info(depth, 0, 1, Score(centipawns=31), "", depth, 0, 0, 0, 1, pv))
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.01):
                        await analysis.stopping.wait()
                        self.stopped.append(time.monotonic())
                        break
            analysis.end("bestmove e2e4")

    async def close(self) -> None:
        self.closed += 1
        self.idle_seconds = 0.0


class ServingProvider:
    """A provider that serves; `said` are its events."""

    def __init__(self, server: MockLichess, engine: StubEngine) -> None:
        self.server = server
        self.engine = engine
        self.said: list[str] = []
        self.task: asyncio.Task[None]

    async def until(self, condition: Callable[[], object], patience: float = TIMEOUT) -> None:
        async with asyncio.timeout(patience):
            while not condition():
                if self.task.done():
                    self.task.result()
                await asyncio.sleep(0.01)

    async def answer(self, request: dict[str, Any], upload: str = "") -> Asked:
        """Let the server ask for this, and wait for the end of the answer."""
        asked = self.server.ask(request, upload=upload)
        await self.until(asked.over.is_set)
        return asked

    async def until_said(self, text: str) -> None:
        await self.until(lambda: any(text in line for line in self.said))


@asynccontextmanager
async def serving(server: MockLichess, **settings: Any) -> AsyncIterator[ServingProvider]:
    usual: dict[str, Any] = {
        "server": server.address,
        "work_server": server.address,
        "threads": 1,
        "hash_mb": 16,
    }
    chosen = ProviderSettings(**(usual | settings))
    run = ServingProvider(server, StubEngine())
    async with LichessApi(chosen, Secret(server.token), Secret(PROVIDER)) as client:
        served = LichessProvider(chosen, client, run.engine, run.said.append)  # type: ignore[arg-type]
        run.task = asyncio.create_task(served.run())
        try:
            yield run
        finally:
            run.task.cancel()
            with suppress(asyncio.CancelledError, LichessRefusedError):
                await run.task
    text = "\n".join(run.said)
    assert TOKEN not in text and PROVIDER not in text
    others = {
        given for _, path, given in server.seen if path.startswith("/api/external-engine/work")
    }
    assert others <= {None}, "the work server got the token"
