"""The provider against a server with faults; in the place of the engine stands one that needs no kernels."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import chess
import pytest

from boomslang.cli.play.lichess import api
from boomslang.cli.play.lichess.api import LichessApi, LichessRefusedError
from boomslang.cli.play.lichess.credentials import Secret
from boomslang.cli.play.lichess.provider import LichessProvider
from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.cli.play.lichess.work_engine import WorkAnalysis
from boomslang.engine.limits import Info, Score
from boomslang.engine.other_engines.engine_connection import EngineProcessError
from tests.support.lichess_server import TOKEN, Asked, MockLichess, work

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


async def test_registers_works_and_streams(server: MockLichess) -> None:
    async with serving(server, name="Mine", threads=3, hash_mb=64) as served:
        await served.until_said("registered 'Mine'")
        (engine,) = server.engines
        assert engine | {"id": "", "clientSecret": ""} == {
            "id": "",
            "clientSecret": "",
            "userId": "user",
            "name": "Mine",
            "maxThreads": 3,
            "maxHash": 64,
            "variants": ["chess"],
        }
        assert server.secrets == [PROVIDER]
        asked = await served.answer(work(depth=5))
        assert [line.split()[2] for line in asked.lines[:-1]] == list("12345")
        assert asked.lines[-1] == "bestmove e2e4"
        await served.until_said("work 1: done: depth 5, nodes 5, score +0.31, best move e2e4")


async def test_an_engine_of_the_same_name_is_updated(server: MockLichess) -> None:
    for name in ("Other", "Mine"):
        server.engines.append({"id": f"eei_{name}", "name": name, "maxThreads": 9})
        server.secrets.append("old")
    server.engines.insert(0, "nonsense")  # type: ignore[arg-type]
    server.secrets.insert(0, "")
    server.engines[0] = {"id": 7, "name": "Mine"}
    async with serving(server, name="Mine", threads=2) as served:
        await served.until_said("updated the registration of 'Mine'")
        assert [engine.get("maxThreads") for engine in server.engines] == [None, 9, 2]
        assert server.secrets == ["", "old", PROVIDER]


@pytest.mark.parametrize("where", ["registration", "work"])
@pytest.mark.parametrize(
    "fault", ["500", "502", "503", "408", "429 0", "reset", "cut", "no json", "deep", "redirect"]
)
async def test_faults_are_survived(server: MockLichess, where: str, fault: str) -> None:
    server.faults[where] = [fault, fault]
    async with serving(server) as served:
        asked = await served.answer(work(depth=2))
        assert asked.answered
        # aiohttp itself repeats a GET whose connection was reset.
        assert sum("next attempt in" in line for line in served.said) in (1, 2)


@pytest.mark.parametrize("fault", ["array", "number", "no work", "bad id", "404"])
async def test_wrong_work_is_survived(server: MockLichess, fault: str) -> None:
    server.faults["work"] = [fault]
    async with serving(server) as served:
        asked = await served.answer(work(depth=2))
        assert asked.answered


@pytest.mark.parametrize("where", ["registration", "work"])
@pytest.mark.parametrize("status", ["401", "403"])
async def test_a_refusal_ends_it(server: MockLichess, where: str, status: str) -> None:
    server.faults[where] = [status]
    async with serving(server) as served:
        with pytest.raises(LichessRefusedError, match="refuses the token") as refused:
            await served.until(lambda: False)
        assert status in str(refused.value) and "oauth/token/create" in str(refused.value)
        assert TOKEN not in str(refused.value)
        assert ("(secret)" in str(refused.value)) is (where == "registration")


async def test_a_refused_answer_ends_it_while_a_search_runs(server: MockLichess) -> None:
    async with serving(server) as served:
        server.ask(work(depth=None, movetime=60_000), upload="401")
        with pytest.raises(LichessRefusedError):
            await served.until(lambda: False)


@pytest.mark.parametrize("status", ["400", "404", "422"])
async def test_a_faulty_registration_ends_it(server: MockLichess, status: str) -> None:
    server.faults["registration"] = [status]
    async with serving(server) as served:
        with pytest.raises(LichessRefusedError, match=f"answered {status}"):
            await served.until(lambda: False)


@pytest.mark.parametrize("where", ["registration", "work"])
async def test_retry_after_is_honoured(server: MockLichess, where: str) -> None:
    server.faults[where] = ["429 1"]
    async with serving(server) as served:
        await served.answer(work(depth=1))
    path = "/api/external-engine" + ("/work" if where == "work" else "")
    moments = [moment for seen, moment in server.moments if seen == path]
    assert moments[1] - moments[0] >= 1.0


async def test_429_without_retry_after_waits_a_minute(server: MockLichess) -> None:
    server.faults["work"] = ["429"]
    async with serving(server) as served:
        await served.until_said("next attempt in 60.0 s")


@pytest.mark.parametrize("cut", ["", "cut"])
async def test_cancelled_work_stops_the_search(server: MockLichess, cut: str) -> None:
    async with serving(server) as served:
        asked = server.ask(work(depth=None, movetime=60_000), upload=cut)
        await served.until(asked.thinking.is_set)
        cancelled = time.monotonic()
        server.cancel(asked)
        await served.until(lambda: served.engine.stopped)
        assert served.engine.stopped[0] - cancelled < 1.0
        await served.until_said("work 1: cancelled by the server")
        after = await served.answer(work(depth=2))
        assert after.answered


async def test_new_work_supersedes_the_search_which_still_answers(server: MockLichess) -> None:
    async with serving(server) as served:
        asked = [server.ask(work(depth=None, movetime=60_000)) for _ in range(20)]
        last = server.ask(work(depth=3))
        await served.until(lambda: all(each.over.is_set() for each in (*asked, last)))
        assert all(each.answered and len(each.lines) >= 2 for each in (*asked, last))
        assert len(last.lines) == 4


@pytest.mark.parametrize(
    "fields",
    [{"variant": "atomic"}, {"moves": ["e2e5"]}, {"initialFen": "bad"}, {"threads": "many"}],
)
async def test_impossible_work_is_refused_at_once(
    server: MockLichess, fields: dict[str, Any]
) -> None:
    async with serving(server) as served:
        long = server.ask(work(depth=None, movetime=60_000))
        await served.until(long.thinking.is_set)
        asked = await served.answer(work(**fields))
        assert asked.lines == ["bestmove (none)"]
        await served.until_said("work 2: refused: ")
        assert not long.over.is_set()  # and disturbs nothing


@pytest.mark.parametrize("fault", ["500", "503", "429 0"])
async def test_an_answer_is_sent_again(server: MockLichess, fault: str) -> None:
    async with serving(server) as served:
        asked = await served.answer(work(depth=8), upload=fault)
        assert asked.uploads == 2
        assert [line.split()[2] for line in asked.lines[:-1]] == list("12345678")


async def test_an_answer_that_is_not_accepted_is_not_sent_again(server: MockLichess) -> None:
    async with serving(server) as served:
        asked = server.ask(work(depth=None, movetime=60_000), upload="400")
        await served.until_said("work 1: answer lost")
        await served.until(lambda: served.engine.stopped)
        assert asked.uploads == 1


async def test_a_server_that_is_away_and_comes_back(server: MockLichess) -> None:
    away = ProviderSettings(server="http://127.0.0.1:1", work_server=server.address)
    said: list[str] = []
    async with LichessApi(away, Secret(TOKEN), Secret(PROVIDER)) as client:
        provider_ = LichessProvider(away, client, StubEngine(), said.append)  # type: ignore[arg-type]
        task = asyncio.create_task(provider_.run())
        async with asyncio.timeout(TIMEOUT):
            while len(said) < 4:
                await asyncio.sleep(0.01)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    refused = "127.0.0.1:1: cannot connect: connection refused; next attempt in "
    assert all(line.startswith(refused) for line in said)


async def test_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "_ANSWER_TIMEOUT", 0.3)
    with MockLichess(poll=5.0) as server:
        async with serving(server) as served:
            await served.until_said("no answer in time; next attempt")


async def test_a_dead_engine_is_reported_and_the_work_is_answered(server: MockLichess) -> None:
    async with serving(server) as served:
        served.engine.dies = 1
        asked = await served.answer(work(depth=3))
        assert asked.lines == ["bestmove (none)"]
        await served.until_said("work 1: not done: the engine has died")


async def test_an_idle_engine_is_ended(server: MockLichess) -> None:
    async with serving(server, idle=30) as served:
        await served.answer(work(depth=1))
        served.engine.idle_seconds = 29.0
        await asyncio.sleep(0.2)
        assert served.engine.closed == 0
        served.engine.idle_seconds = 31.0
        await served.until_said("engine ended after 30 s without work")
        assert served.engine.closed == 1


async def test_control_characters_of_the_server_are_harmless(server: MockLichess) -> None:
    async with serving(server) as served:
        server.ask(work(variant="\x1b[2J\nwork 9: done"))
        await served.until_said("work 1: refused")
        assert all(line.isprintable() for line in served.said)


async def test_a_server_that_answers_polls_at_once_is_not_flooded() -> None:
    with MockLichess(poll=0.0) as server:
        async with serving(server) as served:
            await served.until_said("waiting for work")
            await asyncio.sleep(1.5)
            assert 1 <= sum(path.endswith("/work") for _, path, _ in server.seen) <= 3
