"""Work that follows what is wanted, also after something that nobody has foreseen."""

from __future__ import annotations

import asyncio
from typing import Any

from boomslang.cli.play.board.latest_task import LatestTask


async def settle() -> None:
    """More steps of the loop than it takes; a time might be over before."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_task_follows_what_is_wanted() -> None:
    wanted: list[str | None] = ["a"]
    done: list[str] = []

    async def work(name: str) -> None:
        done.append(name)
        try:
            await asyncio.sleep(60)
        finally:
            done.append(f"{name} ended")

    task = LatestTask(lambda: wanted[0], work)
    for name in ("a", "a", "b", None):
        wanted[0] = name
        task.look()
        await settle()
    assert done == ["a", "a ended", "b", "b ended"]
    await task.close()


async def test_a_failure_is_reported_and_the_next_change_retries() -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, what: told.append(what))
    wanted, done = [1], []

    async def work(name: int) -> None:
        done.append(name)
        if len(done) == 1:
            raise MemoryError

    task: LatestTask[int] = LatestTask(lambda: wanted[0], work)
    for _ in range(2):
        task.look()
        await settle()
    assert done == [1, 1] and [type(what["exception"]) for what in told] == [MemoryError]
    task.look()  # it is done
    await settle()
    assert done == [1, 1]
    wanted[0] = 2
    task.look()
    await settle()
    assert done == [1, 1, 2]
    await task.close()
