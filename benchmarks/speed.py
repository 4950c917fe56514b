"""Nodes per second of versions of the engine, compared by turns.

    python -m benchmarks.speed . @REVISION
    python -m benchmarks.speed . @REVISION --depth 13 --rounds 12

The versions search each position of `bench` one after the other, on the same processor: what slows down a
machine for longer than a search takes slows down all of them. So a difference of one or two per cent shows in
a minute, where two runs of `bench` differ by ten. Each round starts new processes, on each processor its own.
The error is two standard errors over rounds and processors. Versions that search other trees are compared by
their own nodes.

Processes are bound to processors on Linux only; elsewhere use `--processors 1`.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import statistics
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Final

import chess
import chess.engine

from boomslang.engine.driver.bench import POSITIONS
from boomslang.engine.match.engine_spec import EngineSpec, engine_process, parse_engine
from boomslang.engine.other_engines.engine_connection import EngineProcessError
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.other_engines.engine_runner import EngineRunner

_MIN_DEPTH: Final = 8  # the engines' clocks count milliseconds


async def searched(engine: EngineProcess, fen: str, depth: int) -> tuple[int, float]:
    """Nodes and seconds of one search, with an empty table, as the engine counts them."""
    # Without the variations: to parse them would take time of the engine's processor.
    info = await (await engine.start()).analyse(
        chess.Board(fen),
        chess.engine.Limit(depth=depth),
        game=object(),
        info=chess.engine.INFO_BASIC,
    )
    return info["nodes"], info["time"]


def one_round(processor: int, specs: list[EngineSpec], turn: int, depth: int) -> list[float]:
    """The nodes per second of each version, over all positions; `turn` says which begins."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {processor})  # of this thread; processes that it starts inherit it
    return asyncio.run(measured([engine_process(spec) for spec in specs], turn, depth))


async def measured(engines: list[EngineProcess], turn: int, depth: int) -> list[float]:
    async with AsyncExitStack() as stack:
        for engine in engines:
            stack.push_async_callback(engine.close)
            await searched(engine, POSITIONS[0], depth)  # its first search loads what it needs
        nodes, seconds = [0] * len(engines), [0.0] * len(engines)
        for fen in POSITIONS:
            for step in range(len(engines)):
                number = (turn + step) % len(engines)
                count, time = await searched(engines[number], fen, depth)
                nodes[number] += count
                seconds[number] += time
    return [count / time for count, time in zip(nodes, seconds, strict=True)]


def ratio(first: list[float], other: list[float]) -> tuple[float, float]:
    """The mean of `other` / `first`, and two standard errors."""
    logs = [math.log(b / a) for a, b in zip(first, other, strict=True)]
    mean = math.exp(statistics.fmean(logs))
    return mean, 2 * mean * statistics.stdev(logs) / math.sqrt(len(logs))


def main() -> None:
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    parser = argparse.ArgumentParser(description="compares versions by their nodes per second")
    parser.add_argument(
        "versions", nargs="+", help="., @REVISION or a command; the first is the standard"
    )
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--processors", type=int, default=len(usable), help="used at once (all)")
    options = parser.parse_args()
    if options.rounds < 4 or options.depth < _MIN_DEPTH:
        parser.error(f"fewer than 4 rounds or {_MIN_DEPTH} plies say nothing")
    try:
        specs = [parse_engine(version, {}) for version in options.versions]
        for spec in specs:
            engine = engine_process(spec)
            # Unpacked and compiled before anything is measured.
            EngineRunner(engine.close).run(engine.start())
    except (OSError, ValueError, EngineProcessError) as problem:
        parser.error(str(problem))
    rounds = []
    with ThreadPoolExecutor(options.processors) as pool:
        for turn in range(options.rounds):
            tasks = [
                pool.submit(one_round, processor, specs, turn, options.depth)
                for processor in usable[: options.processors]
            ]
            rounds += [task.result() for task in tasks]
    columns = [list(column) for column in zip(*rounds, strict=True)]
    print(f"{len(POSITIONS)} positions, depth {options.depth}, {len(rounds)} rounds")
    for version, column in zip(options.versions, columns, strict=True):
        line = f"{version:20} {statistics.fmean(column):10,.0f} nodes/s"
        if column is not columns[0]:
            line += "  {:.3f} ± {:.3f}".format(*ratio(columns[0], column))
        print(line)


if __name__ == "__main__":
    main()
