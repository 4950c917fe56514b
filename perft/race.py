"""Perft of this engine against another UCI engine, in alternating runs on the same machine.

Absolute times depend more on the machine than on the code, so the result is the ratio of the medians of
alternating runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import chess
import chess.engine

from boomslang.engine.jobs.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.jobs.engine_process import SILENCE_TIMEOUT, EngineProcess
from boomslang.engine.jobs.engine_runner import EngineRunner
from boomslang.engine.system.files import quote_path
from boomslang.perft.divide import PerftCounter

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEFAULT_WORK: Sequence[tuple[str, int]] = ((chess.STARTING_FEN, 6), (KIWIPETE, 5))

_TOTAL = "Nodes searched"


@dataclass(frozen=True, slots=True)
class PerftRun:
    """One count: nodes, seconds on the clock, seconds of CPU time (None if it cannot be read)."""

    nodes: int
    seconds: float
    cpu: float | None


@dataclass(slots=True)
class Comparison:
    """The runs of both engines on one position."""

    board: chess.Board
    depth: int
    ours: list[PerftRun] = field(default_factory=list)
    theirs: list[PerftRun] = field(default_factory=list)

    def agree(self) -> bool:
        """True if every run found the same number of nodes."""
        return len({run.nodes for run in self.ours + self.theirs}) == 1

    def ratio(self) -> float:
        """Speed relative to the other engine, by the medians of the wall clock times."""
        return _median(self.theirs) / _median(self.ours)

    def cpu_ratio(self) -> float | None:
        """The same by CPU time; None if it cannot be read or is too short to be meaningful."""
        ours = [run.cpu for run in self.ours if run.cpu]
        theirs = [run.cpu for run in self.theirs if run.cpu]
        return median(theirs) / median(ours) if ours and theirs else None


def speed(runs: Sequence[PerftRun]) -> float:
    """Nodes per second by the median of the clock."""
    return runs[0].nodes / _median(runs)


def _median(runs: Sequence[PerftRun]) -> float:
    return max(median(run.seconds for run in runs), 1e-9)


class _GoPerft(chess.engine.BaseCommand[str]):
    """`go perft`; the result is the line with the total."""

    def __init__(self, protocol: chess.engine.Protocol, depth: int) -> None:
        super().__init__(protocol)
        self._protocol = protocol
        self._depth = depth

    def start(self) -> None:
        """Called when the engine is free."""
        self._protocol.send_line(f"go perft {self._depth}")

    def line_received(self, line: str) -> None:
        """Called for each line of the engine."""
        if self.result.done():
            return
        if line.startswith(_TOTAL):
            self.result.set_result(line)
            self.set_finished()
        elif line.startswith(("bestmove", "info depth")):
            raise EngineProcessError("it does not know 'go perft'")


async def _their_run(process: EngineProcess, board: chess.Board, depth: int) -> PerftRun:
    """Count with the other engine; raises EngineError or TimeoutError."""
    protocol = await process.start()
    if board.chess960:
        protocol.send_line("setoption name UCI_Chess960 value true")
    protocol.send_line(f"position fen {board.fen(shredder=board.chess960)}")
    await asyncio.wait_for(protocol.ping(), SILENCE_TIMEOUT)
    cpu = _cpu_seconds(process.pid)
    start = time.perf_counter()
    line = await protocol.communicate(lambda engine: _GoPerft(engine, depth))
    seconds = time.perf_counter() - start
    after = _cpu_seconds(process.pid)
    spent = after - cpu if cpu is not None and after is not None else None
    try:
        return PerftRun(int(line.split()[-1]), seconds, spent)
    except ValueError:
        raise EngineProcessError(f"it answered {quote_path(line)}") from None


def _cpu_seconds(pid: int | None) -> float | None:
    """User CPU time of a process so far, where the system has /proc."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
        from os import sysconf

        # After the name, which is in brackets and may hold spaces, user time is field 12.
        return int(text.rpartition(")")[2].split()[11]) / sysconf("SC_CLK_TCK")
    except (ImportError, OSError, ValueError, IndexError):
        return None


def _our_run(counter: PerftCounter, board: chess.Board, depth: int) -> PerftRun:
    """Count with this engine."""
    cpu = time.process_time()
    start = time.perf_counter()
    nodes = counter.count(board, depth)
    return PerftRun(nodes, time.perf_counter() - start, time.process_time() - cpu)


def compare(
    engine: EngineCommand,
    work: Sequence[tuple[chess.Board, int]],
    rounds: int = 5,
    on_run: Callable[[], None] | None = None,
) -> list[Comparison]:
    """Count each position `rounds` times with both engines, in turns; raises EngineError or TimeoutError.

    One thread each. Kernels must be loaded before.
    """
    counter = PerftCounter()
    comparisons = [Comparison(board, depth) for board, depth in work]
    other = EngineProcess(engine)
    runner = EngineRunner(other.close)
    for comparison in comparisons:
        for _ in range(rounds):
            theirs = runner.run(_their_run(other, comparison.board, comparison.depth))
            comparison.theirs.append(theirs)
            comparison.ours.append(_our_run(counter, comparison.board, comparison.depth))
            if on_run:
                on_run()
    return comparisons
