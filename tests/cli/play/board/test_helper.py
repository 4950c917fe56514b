"""The process beside the server: what nobody waits for any more is not done."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path

from boomslang.cli.play.board.helper import Helper
from boomslang.engine.system.worker import WorkerError


def write(path: Path, seconds: float) -> str:
    time.sleep(seconds)
    path.touch()
    return path.name


async def give_up(call: asyncio.Task[str]) -> None:
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)


def test_calls_that_were_given_up_do_not_pile_up(tmp_path: Path) -> None:
    async def run() -> None:
        helper = Helper(ends_with_call=False)
        first = asyncio.create_task(helper.call(write, tmp_path / "first", 0.3))
        await asyncio.sleep(0.01)
        for number in range(20):
            call = asyncio.create_task(helper.call(write, tmp_path / f"{number}", 60.0))
            await asyncio.sleep(0.001)
            await give_up(call)
        assert await helper.call(write, tmp_path / "last", 0.0) == "last"
        assert await first == "first"
        await helper.close()

    asyncio.run(run())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "last"]


def test_it_leaves_although_it_has_much_to_do(tmp_path: Path) -> None:
    async def run() -> None:
        helper = Helper(ends_with_call=False)
        calls = [
            asyncio.create_task(helper.call(write, tmp_path / f"{n}", 300.0)) for n in range(5)
        ]
        await asyncio.sleep(0.01)
        await give_up(calls[0])  # it is being done, and is not waited for
        await helper.close()
        for call in calls:
            with contextlib.suppress(asyncio.CancelledError, WorkerError):
                await call

    asyncio.run(asyncio.wait_for(run(), 60))
    assert not list(tmp_path.iterdir())
