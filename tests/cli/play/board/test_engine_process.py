"""The engine behind the board: searches that are given up before they have begun."""

from __future__ import annotations

import asyncio
import gc
import logging

import chess
import chess.engine
import pytest

from boomslang.cli.play.board.engine_process import EngineProcess, hush


@pytest.mark.parametrize("problem", [chess.engine.EngineTerminatedError(), MemoryError()])
def test_only_the_end_of_an_engine_is_kept_silent(
    problem: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR, "asyncio")  # commands that ran before may have silenced it

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(hush)
        asyncio.get_running_loop().create_future().set_exception(problem)

    asyncio.run(run())
    gc.collect()
    assert bool(caplog.records) == isinstance(problem, MemoryError)


@pytest.mark.jit_only
@pytest.mark.usefixtures("kernels")
def test_a_search_that_is_given_up_while_it_begins_does_not_spoil_the_next() -> None:
    said: list[str] = []

    async def run() -> chess.Move | None:
        engine = EngineProcess(said.append, {})
        board, game = chess.Board(), object()
        try:
            for number in range(6):
                search = asyncio.create_task(
                    engine.search(board, None, lambda info: None, game=object())
                )
                while number == 0 and engine.pid is None:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(0.01 * number)
                search.cancel()
                await asyncio.gather(search, return_exceptions=True)
            limit = chess.engine.Limit(depth=3)
            return await engine.search(board, limit, lambda info: None, game=game)
        finally:
            await engine.close()

    move = asyncio.run(asyncio.wait_for(run(), 60))
    assert move and said == []
