"""The process beside the server: what nobody waits for any more is not done."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boomslang.cli.play.board.helper import Helper, HelperError, step


def write(path: Path, seconds: float) -> str:
    time.sleep(seconds)
    path.touch()
    return path.name


def write_after(asked: Path, path: Path) -> str:
    until = time.monotonic() + 60.0
    while not asked.exists() and time.monotonic() < until:
        time.sleep(0.01)
    return write(path, 0.0)


def count_steps(done: Path, asked: Path) -> None:
    step()
    done.touch()
    write_after(asked, done)


async def give_up(call: asyncio.Task[Any]) -> None:
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)


async def test_the_steps_of_a_call_are_seen_while_it_goes_on(tmp_path: Path) -> None:
    helper, done, asked = Helper(ends_with_call=True), tmp_path / "done", tmp_path / "asked"
    call = asyncio.create_task(helper.call(count_steps, done, asked))
    while not done.exists():
        await asyncio.sleep(0.01)
    assert helper.steps.value == 1 and not call.done()
    asked.touch()
    await call
    await helper.close()


async def test_calls_that_were_given_up_do_not_pile_up(tmp_path: Path) -> None:
    helper = Helper(ends_with_call=False)
    asked = tmp_path / "asked"
    first = asyncio.create_task(helper.call(write_after, asked, tmp_path / "first"))
    await asyncio.sleep(0.01)
    for number in range(20):
        call = asyncio.create_task(helper.call(write, tmp_path / f"{number}", 60.0))
        await asyncio.sleep(0.001)
        await give_up(call)
    asked.touch()  # the first was at work all the time, so none of these had its turn
    assert await helper.call(write, tmp_path / "last", 0.0) == "last"
    assert await first == "first"
    await helper.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["asked", "first", "last"]


async def test_a_call_that_was_given_up_and_never_ends_is_ended_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = Helper(ends_with_call=False)
    monkeypatch.setattr("boomslang.cli.play.board.helper._TIMEOUT", 1.0)
    call = asyncio.create_task(helper.call(write, tmp_path / "never", 300.0))
    await asyncio.sleep(0.01)
    await give_up(call)
    monkeypatch.undo()
    assert await helper.call(sorted, [2, 1]) == [1, 2]
    await helper.close()
    assert not list(tmp_path.iterdir())


async def test_it_leaves_although_it_has_much_to_do(tmp_path: Path) -> None:
    helper = Helper(ends_with_call=False)
    calls = [asyncio.create_task(helper.call(write, tmp_path / f"{n}", 300.0)) for n in range(5)]
    await asyncio.sleep(0.01)
    await give_up(calls[0])  # it is being done, and is not waited for
    await helper.close()
    for call in calls:
        with contextlib.suppress(asyncio.CancelledError, HelperError):
            await call
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signal")
async def test_errors_are_passed_on_and_a_process_that_dies_is_replaced() -> None:
    helper = Helper(ends_with_call=False)
    assert await helper.call(sorted, [3, 1, 2], reverse=True) == [3, 2, 1]
    with pytest.raises(ZeroDivisionError):
        await helper.call(divmod, 1, 0)
    with pytest.raises(HelperError, match="ended the process"):
        await helper.call(os.abort)
    assert await helper.call(len, "abc") == 3
    await helper.close()


async def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = Helper(ends_with_call=True)
    await helper.call(len, "abc")
    monkeypatch.setattr("boomslang.cli.play.board.helper._TIMEOUT", 0.2)
    with pytest.raises(HelperError, match=r"took more than 0\.2 seconds"):
        await helper.call(time.sleep, 60.0)
    monkeypatch.undo()
    call = asyncio.create_task(helper.call(time.sleep, 60.0))
    await asyncio.sleep(0.1)
    await give_up(call)
    assert await helper.call(len, "abc") == 3  # at once, by a new process
    await helper.close()


async def test_a_process_that_cannot_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: object) -> None:
        raise BlockingIOError("no more processes")

    helper = Helper(ends_with_call=False)
    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    for _ in range(2):
        with pytest.raises(HelperError):
            await helper.call(len, "abc")
    monkeypatch.undo()
    assert await helper.call(len, "abc") == 3
    await helper.close()
