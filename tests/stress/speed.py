"""Nodes per second of versions of the engine, compared by turns.

    python -m tests.stress.speed . @REVISION
    python -m tests.stress.speed . @REVISION --depth 13 --rounds 12

The versions search each position of `bench` one after the other, on the same processor: what slows down a
machine for longer than a search takes slows down all of them. So a difference of one per cent shows in half a
minute, where two runs of `bench` differ by ten. Each processor has processes of its own. An error is the 95 %
interval over rounds. Versions that search other trees are compared by their own nodes.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import chess
import chess.engine

from boomslang.cli.match.engine_spec import EngineSpec, described, started
from boomslang.engine.bench import POSITIONS

_HASH: Final = {"Hash": "16"}


def searched(engine: chess.engine.SimpleEngine, fen: str, depth: int) -> tuple[int, float]:
    """Nodes and seconds of one search, with an empty table, as the engine counts them."""
    # Without the variations: to parse them would take time of the engine's processor.
    info = engine.analyse(
        chess.Board(fen),
        chess.engine.Limit(depth=depth),
        game=object(),
        info=chess.engine.INFO_BASIC,
    )
    return info["nodes"], info["time"]


def rounds_on(
    processor: int, specs: list[EngineSpec], rounds: int, depth: int
) -> list[list[float]]:
    """The nodes per second of each version, by round."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {processor})  # of this thread; processes that it starts inherit it
    engines = [started(spec) for spec in specs]
    try:
        for engine in engines:
            searched(engine, POSITIONS[0], depth)  # its first search loads what it needs
        found = []
        for turn in range(rounds):
            nodes, seconds = [0] * len(engines), [0.0] * len(engines)
            for fen in POSITIONS:
                for step in range(len(engines)):
                    number = (turn + step) % len(engines)
                    some, time = searched(engines[number], fen, depth)
                    nodes[number] += some
                    seconds[number] += time
            found.append([count / time for count, time in zip(nodes, seconds, strict=True)])
        return found
    finally:
        for engine in engines:
            engine.close()


def ratio(first: list[float], other: list[float]) -> tuple[float, float]:
    """The mean of `other` / `first`, and half of its 95 % interval."""
    logs = [math.log(b / a) for a, b in zip(first, other, strict=True)]
    mean = math.exp(statistics.fmean(logs))
    return mean, 1.96 * mean * statistics.stdev(logs) / math.sqrt(len(logs))


def main() -> None:
    parser = argparse.ArgumentParser(description="compares versions by their nodes per second")
    parser.add_argument("versions", nargs="+", help=". or @REVISION; the first is the standard")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--depth", type=int, default=12)
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("an error needs two rounds at least")
    specs = [described(version, _HASH) for version in options.versions]
    for spec in specs:
        started(spec).close()  # unpacked and compiled before anything is measured
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    with ThreadPoolExecutor(len(processors)) as pool:
        lanes = pool.map(
            lambda processor: rounds_on(processor, specs, options.rounds, options.depth),
            processors,
        )
        rounds = [row for lane in lanes for row in lane]
    columns = [list(column) for column in zip(*rounds, strict=True)]
    print(f"{len(POSITIONS)} positions, depth {options.depth}, {len(rounds)} rounds")
    for version, column in zip(options.versions, columns, strict=True):
        line = f"{version:20} {statistics.fmean(column):10,.0f} nodes/s"
        if column is not columns[0]:
            line += "  {:.3f} ± {:.3f}".format(*ratio(columns[0], column))
        print(line)


if __name__ == "__main__":
    main()
