"""`make latency`: how soon `stop` and `isready` are answered, and how soon the engine is gone.

    python -m tests.stress.latency --stops 500 --exits 100
    python -m tests.stress.latency --stops 500 --exits 100 --load 2     # with two busy processes

Every way to leave is tried in every phase, each in a fresh process: it must be gone within half a
second, without a word on standard error, without a child. After an end of the input alone `isready` is
still answered, so an engine that compiles may take that long. Exit status 1: it took longer, or an answer
did not come. What else the machine has to do counts too, so its load is reported.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from boomslang.engine.driver.loading import READY_TIMEOUT
from tests.stress.talks import Conversation, ThroughPipes
from tests.support.process import STARTUP, TIMEOUT, UciProcess, living

MAX_EXIT_TIME: Final = 0.5  # seconds
_POSITIONS: Final = (
    "startpos",
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
)
# Phase: what is sent, the line that tells that it has begun (none: after a moment).
PHASES: Final = {
    "starting": ((), ""),
    "compiling": (("uci", "isready"), ""),
    "idle": (("uci", "isready"), "readyok$"),
    "searching": (("isready", "go infinite"), "info depth "),
    "pondering": (("isready", "go ponder wtime 9000 btime 9000"), "info depth "),
}
ENDS_OF_INPUT: Final = ("EOF", "EOF in a line", "closed pipes")
WAYS: Final = ("quit", *ENDS_OF_INPUT, "SIGTERM", "SIGINT", "SIGHUP")
_STATUS: Final = {"SIGTERM": -signal.SIGTERM, "SIGINT": 130, "SIGHUP": -signal.SIGHUP}


def percentiles(milliseconds: list[float]) -> str:
    """Median, 99th percentile, most."""
    ordered = sorted(milliseconds)
    chosen = ordered[len(ordered) // 2], ordered[int(0.99 * (len(ordered) - 1))], ordered[-1]
    return "p50 {:.1f}  p99 {:.1f}  max {:.1f} ms".format(*chosen)


def stops(count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from `stop` to `bestmove`, and from `isready` in a search to `readyok`."""
    talk = ThroughPipes("uci")
    Conversation(talk, "uci").warm()
    source = random.Random(1)
    stopped: list[float] = []
    ready: list[float] = []
    with talk.process:
        for number in range(count):
            position = _POSITIONS[number % len(_POSITIONS)]
            talk.send(f"position {position}\ngo infinite\n".encode())
            time.sleep(source.uniform(0.005, 0.08))
            for line, answer, times in (
                (b"isready\n", "readyok$", ready),
                (b"stop\n", "bestmove ", stopped),
            ):
                begun = time.perf_counter()
                talk.send(line)
                talk.until(answer)
                times.append((time.perf_counter() - begun) * 1000)
    return stopped, ready


def leave(phase: str, way: str, cold: Path | None = None) -> tuple[float, str]:
    """Seconds until the process is gone, and what was wrong (empty: nothing)."""
    variables = {} if cold is None else {"BOOMSLANG_CACHE_DIR": str(cold)}
    with UciProcess(**variables) as engine:
        lines, begun = PHASES[phase]
        engine.send(*lines)
        if begun:
            if "isready" in lines:
                engine.until("readyok$", STARTUP)
            if begun != "readyok$":
                engine.until(begun, STARTUP)
        else:
            if lines:
                engine.until("uciok$", STARTUP)
            time.sleep(random.uniform(0.0, 1.5 if phase == "compiling" else 0.1))
        pid = engine.process.pid
        started = time.perf_counter()
        _go_away(engine, way)
        try:
            status = engine.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            return TIMEOUT, "stays"
        seconds = time.perf_counter() - started
        expected = _STATUS.get(way, 0)
        # A process that has not begun to run Python dies of an interrupt as C programs do.
        allowed = {expected, -signal.SIGINT} if way == "SIGINT" else {expected}
        if status not in allowed and phase != "starting":
            return seconds, f"exit status {status}"
        said = engine.errors()
        # An interrupt may come before a line of ours is read; Python itself has words for that.
        if said and (phase, way, "uci" in said) != ("starting", "SIGINT", False):
            return seconds, f"says {said.strip().splitlines()[-1]!r}"
        if _children_of(pid):
            return seconds, "leaves a child"
        is_answering = way in ENDS_OF_INPUT and (
            phase == "compiling" or (phase == "starting" and way == "closed pipes")
        )
        bound = MAX_EXIT_TIME + (READY_TIMEOUT if is_answering else 0.0)
        return seconds, "" if seconds <= bound else f"takes {seconds:.2f} s"


def _go_away(engine: UciProcess, way: str) -> None:
    process = engine.process
    if way == "quit":
        engine.send("quit")
    elif way == "closed pipes":
        assert process.stdout
        with contextlib.suppress(BrokenPipeError):
            engine.send("isready")
            engine.close_input()
    elif way.startswith("EOF"):
        engine.send_bytes(b"isrea" if way == "EOF in a line" else b"")
        engine.close_input()
    else:
        process.send_signal(getattr(signal, way))


def _children_of(process: int) -> list[int]:
    return [child for child, (parent, _) in living().items() if parent == process]


def _spin() -> None:
    while os.getppid() != 1:
        sum(range(100_000))


@contextlib.contextmanager
def load(processes: int) -> Iterator[None]:
    """So many busy processes while the block runs."""
    context = multiprocessing.get_context("spawn")
    busy = [context.Process(target=_spin, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stops", type=int, default=200, metavar="N", help="(200)")
    parser.add_argument("--exits", type=int, default=10, metavar="N", help="of each kind (10)")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="busy processes (0)")
    arguments = parser.parse_args()
    wrong: list[str] = []
    with load(arguments.load), tempfile.TemporaryDirectory() as empty:
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if arguments.stops:
            stopped, ready = stops(arguments.stops)
            print(f"stop, {arguments.stops} times:                 {percentiles(stopped)}")
            print(f"isready in a search, {arguments.stops} times:  {percentiles(ready)}")
        for phase, way in itertools.product(PHASES, WAYS if arguments.exits else ()):
            times = []
            for number in range(arguments.exits):
                cold = Path(empty, f"{way} {number}") if phase == "compiling" else None
                seconds, problem = leave(phase, way, cold)
                times.append(seconds * 1000)
                wrong += [f"{phase}, {way}: {problem}"] if problem else []
            print(f"{phase}, {way}, {len(times)} times:  {percentiles(times)}", flush=True)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{len(wrong)} were not right", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
