"""Many pages, few engines: each page gets its answer, in turn, and nothing is left."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from boomslang.cli.play.board.board_engines import BoardEngines
from boomslang.cli.play.board.watch import Watch
from tests.support.board_page import BoardPage
from tests.support.board_server import BoardServer

PAGES = 9
HIDDEN = "['threads', 'hash'].map((name) => document.getElementById(name).parentElement.hidden)"

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc"),
    pytest.mark.jit_only,
]


@pytest.fixture
def server(kernels: None) -> Iterator[BoardServer]:
    with BoardServer("--pages", f"{PAGES}") as started:
        yield started


def children(server: BoardServer) -> set[str]:
    pid = server.process.pid
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


async def wait_for(
    page: aiohttp.ClientWebSocketResponse, is_it: Callable[[dict[str, Any]], object]
) -> None:
    async with asyncio.timeout(60):
        while not is_it(await page.receive_json()):
            pass


async def play(server: BoardServer, session: aiohttp.ClientSession, level: int | None) -> None:
    async with session.ws_connect(
        f"{server.address}talk", headers={"Origin": server.origin}
    ) as page:
        assert (await page.receive_json())["shared"]
        await page.send_json({"do": "level", "level": level, "seconds": 0.1, "mine": False})
        await page.send_json({"do": "move", "squares": "e2e4"})
        await wait_for(page, lambda told: told["is"] == "game" and told["at"] == 2)
        watch = {"do": "watch", "on": True, "lines": 1, "classical": False, "threads": 1}
        await page.send_json(watch)
        await wait_for(page, lambda told: told.get("purpose") == "show" and told["lines"])


def test_size_and_threads_of_shared_engines_are_not_offered(
    browser: BoardPage, server: BoardServer
) -> None:
    browser.open_page(server)
    browser.wait_for_server()
    assert browser.run(HIDDEN) == [True] * 2


@pytest.mark.slow
def test_size_and_threads_of_own_engines_are_offered(browser: BoardPage) -> None:
    with BoardServer("--pages", f"{PAGES - 1}") as server:
        browser.open_page(server)
        browser.wait_for_server()
        assert browser.run(HIDDEN) == [False] * 2


@pytest.mark.parametrize("shared", [False, True])
def test_shared_engines_search_for_a_while_only(shared: bool) -> None:
    watch = Watch(threads=2, hash_mb=64)
    asked = asyncio.run(_analysis(watch, shared))
    assert asked == (not shared, {"Evaluation": "network"} if shared else watch.options())


async def _analysis(watch: Watch, is_shared: bool) -> tuple[bool, dict[str, Any]]:
    limits, options = BoardEngines(print, is_shared=is_shared).analysis(watch)
    return limits.infinite, options


@pytest.mark.slow
async def test_a_dead_engine_is_started_again_and_the_page_is_told(server: BoardServer) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{server.address}talk", headers={"Origin": server.origin}) as page,
    ):
        strength = {"do": "level", "level": 600, "seconds": 0.1, "mine": False}
        await page.send_json(strength)
        await page.send_json({"do": "move", "squares": "e2e4"})
        await wait_for(page, lambda told: told["is"] == "game" and told["at"] == 2)
        for pid in children(server):
            if b"multiprocessing" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(int(pid), signal.SIGKILL)
        await page.send_json({"do": "move", "squares": "d2d4"})
        await wait_for(page, lambda told: "has died" in str(told.get("text")))
        await wait_for(page, lambda told: told["is"] == "game" and told["at"] == 4)


async def test_pages_share_engines(server: BoardServer) -> None:
    async with aiohttp.ClientSession() as session:
        levels = [600 + 100 * number for number in range(PAGES - 1)]
        await asyncio.gather(*(play(server, session, level) for level in [*levels, None]))
    engines = children(server)
    assert 3 <= len(engines) <= 5  # three engines; judging and its resources
    server.process.terminate()
    assert server.process.wait(60) == 143
    until = time.monotonic() + 30  # multiprocessing's own process ends after ours
    while (left := [pid for pid in engines if Path(f"/proc/{pid}").exists()]) and (
        time.monotonic() < until
    ):
        time.sleep(0.05)
    assert not left
