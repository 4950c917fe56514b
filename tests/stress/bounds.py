"""`make bounds`: games of every kind in the build that checks each index of the kernels.

    BOOMSLANG_BOUNDS=1 python -m tests.stress.bounds --games 2000 --at-once 2
    BOOMSLANG_BOUNDS=1 python -m tests.stress.bounds --games 50 --kind "mcts" --seed 7

Each game has options of its own: both algorithms, several lines, threads and sizes of the hash table,
Chess960, numbers of the search within their bounds, limits of every sort. Some begin where mates are near,
where the stack of the search ends, or after a long history; some are played as `boomslang datagen` and
`boomslang trial` play them, or through the protocol. An exception in any thread, an illegal move, or a
search that breaks down is a finding; with any, the exit status is 1. The same seed plays the same games, as
far as no clock and no second thread has a say.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from boomslang.core.jit import jit
from boomslang.engine.driver.searcher import load
from tests.stress.bounds_games import KINDS, MAX_PLY_SEEN


def play_number(job: tuple[int, int, str]) -> tuple[Counter[str], list[str]]:
    """Play a game of a kind; what was seen and what was found, a line each, threads included."""
    number, seed, kind = job
    findings: list[str] = []

    def record(problem: BaseException | None, where: str) -> None:
        said = f"{type(problem).__name__}: {problem}"
        findings.append(f"game {number}, {kind}{where}: {said}")

    def hear(ended: threading.ExceptHookArgs) -> None:
        record(ended.exc_value, f", thread {ended.thread.name if ended.thread else '?'}")

    before, threading.excepthook = threading.excepthook, hear
    seen: Counter[str] = Counter()
    try:
        load()
        seen = KINDS[kind].play(random.Random(f"{seed} {number}"), number)
    except Exception as problem:
        record(problem, "")
    finally:
        threading.excepthook = before
    return seen, findings


def mix_of(names: list[str]) -> list[str]:
    """The kinds of these names in turn, all if there are none, each as often as its weight says."""
    chosen = {name: kind.weight for name, kind in KINDS.items() if name in (names or KINDS)}
    turns = range(max(chosen.values()))
    return [name for turn in turns for name, weight in chosen.items() if weight > turn]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument(
        "--kind", action="append", default=[], choices=list(KINDS), help="only these (all, mixed)"
    )
    arguments = parser.parse_args()
    if not jit.CHECKED:
        parser.error("nothing is checked without BOOMSLANG_BOUNDS=1 in the environment")
    mix = mix_of(arguments.kind)
    kinds = [mix[number % len(mix)] for number in range(arguments.games)]
    jobs = [(number, arguments.seed, kind) for number, kind in enumerate(kinds)]
    findings: list[str] = []
    played: dict[str, Counter[str]] = {kind: Counter() for kind in mix}
    begun = time.monotonic()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, arguments.at_once), mp_context=context) as pool:
        results = pool.map(play_number, jobs)
        for done, (kind, (seen, found)) in enumerate(zip(kinds, results, strict=True), 1):
            deepest = max(played[kind][MAX_PLY_SEEN], seen[MAX_PLY_SEEN])
            played[kind] += seen
            played[kind][MAX_PLY_SEEN] = deepest
            findings += found
            for finding in found:
                print(finding, flush=True)
            if done % 50 == 0:
                print(f"{done} of {len(jobs)}, {time.monotonic() - begun:.0f} s", flush=True)
    for kind, seen in played.items():
        print(f"{kind}:", ", ".join(f"{count} {what}" for what, count in seen.items() if count))
    print(f"{len(findings)} findings", *findings, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
