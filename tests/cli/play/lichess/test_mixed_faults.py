"""Requests one after the other, each with another fault on its way."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.lichess_provider import serving
from tests.support.lichess_server import MockLichess, work


def test_requests_with_all_faults_are_answered() -> None:
    polls = ["", "503", "cut", "no json", "reset", "429 0", "500", "redirect", "array"]
    uploads = ["", "503", "", "429 0", "", "cut", "cancel", "500"]
    works: list[dict[str, Any]] = [
        {"depth": 3},
        {"depth": None, "movetime": 200},
        {"variant": "horde"},
        {"moves": ["a1a8"]},
        {"initialFen": "8/8 w"},
        {"depth": 2, "multiPv": 3, "sessionId": "two"},
        {"nodes": 5, "depth": None},
    ]

    async def main() -> None:
        with MockLichess() as server:
            async with serving(server) as served:
                await served.until_said("waiting for work")
                for number in range(63):
                    upload = uploads[number % len(uploads)]
                    fields = works[number % len(works)]
                    if upload in ("cut", "cancel"):
                        fields = {"depth": None, "movetime": 60_000}
                    asked = server.ask(work(**fields), polls[number % len(polls)], upload)
                    if upload in ("cut", "cancel"):
                        await served.until(asked.thinking.is_set)
                        server.cancel(asked)
                    await served.until(asked.over.is_set)
                    assert asked.answered or upload in ("cut", "cancel"), asked
                assert served.said and not served.task.done()
                lost = [each for each in server.asked if not each.over.is_set()]
                assert lost == []

    asyncio.run(main())
