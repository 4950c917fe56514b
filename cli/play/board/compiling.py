"""Compiles the kernels while the page is already there, and says how far that is."""

from __future__ import annotations

import asyncio
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from typing import Final, TypeAlias

from boomslang.cli.terminal.output import say
from boomslang.core.system.shutdown import run_at_end
from boomslang.engine.driver.precompiling import EXPLANATIONS, PEOPLE, command

Hear: TypeAlias = Callable[[int, int], None]  # kernels done, and all of them

_TABLES: Final = ("boomslang.engine.tablebases.checksum", "boomslang.engine.tablebases.probe")
_INTERVAL: Final = 10.0  # seconds between two lines in the terminal


async def compile_kernels(hear: Hear, tables: str = "") -> None:
    """Compile what a board needs, with those of `tables` if there are any, in another process.

    `hear` is called only if there is something to compile, at last with all done. What fails is left to the
    engines, which compile for themselves: then it is called with zeros at last. A cancelled task ends the
    process.
    """
    done = total = 0
    try:
        process = await asyncio.create_subprocess_exec(
            *command(*EXPLANATIONS, PEOPLE, *(_TABLES if tables else ())),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
        )
    except OSError:
        return
    try:
        with run_at_end(process.kill):
            assert process.stdout  # noqa: S101
            async for line in process.stdout:
                done, total = map(int, line.split())
                if done != total:
                    hear(done, total)
            end = total if await process.wait() == 0 else 0
            if total:
                hear(end, end)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def on_terminal(hear: Hear) -> Hear:
    """Say it in the terminal too, not too often."""
    next_line = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal next_line
        if done == total:
            if total:
                say("The kernels are compiled: full strength from now on.")
        elif time.monotonic() >= next_line:
            until = "" if next_line else "; until then a simple search plays (first start only)"
            say(f"Compiling kernels: {done} of {total}{until}")
            next_line = time.monotonic() + _INTERVAL
        hear(done, total)

    return tell
