"""Our perft against that of another UCI engine, in turns on the same machine.

Bare times say more about the machine than about the code, so what counts is the ratio of the
medians of alternating runs.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import IO

import chess

from boomslang.engine.core.system.ending import at_end
from boomslang.perft.divide import PerftCounter

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
DEFAULT_WORK: Sequence[tuple[str, int]] = ((chess.STARTING_FEN, 6), (KIWIPETE, 5))

_SHAKE_HANDS = 10.0  # seconds for an engine to say that it is there


class EngineError(RuntimeError):
    """The other engine cannot be started, ended early or does not know `go perft`."""


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
        """How many times faster we are, by the medians of the clock."""
        return _median(self.theirs) / _median(self.ours)

    def cpu_ratio(self) -> float | None:
        """The same by CPU time; None where it cannot be read or is too short to say anything."""
        ours = [run.cpu for run in self.ours if run.cpu]
        theirs = [run.cpu for run in self.theirs if run.cpu]
        return median(theirs) / median(ours) if ours and theirs else None


def speed(runs: Sequence[PerftRun]) -> float:
    """Nodes per second by the median of the clock."""
    return runs[0].nodes / _median(runs)


def _median(runs: Sequence[PerftRun]) -> float:
    return max(median(run.seconds for run in runs), 1e-9)


class PerftEngine:
    """A UCI engine that answers `go perft`; a context manager that ends the process."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the engine
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(
                f"cannot start {command[0]}: {(error.strerror or str(error)).lower()}"
            ) from None
        self._forget = at_end(self._process.kill)
        self._name = command[0]

    def try_out(self) -> None:
        """Start it and end it; raises EngineError if it does not speak UCI."""
        with self:
            pass

    def __enter__(self) -> PerftEngine:
        try:
            self._send("uci")
            self._wait_for("uciok", _SHAKE_HANDS)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def _close(self) -> None:
        """End the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        self._forget()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):  # what was not read any more
                    pipe.close()

    def perft(self, board: chess.Board, depth: int) -> PerftRun:
        """Have the engine count; raises EngineError."""
        if board.chess960:
            self._send("setoption name UCI_Chess960 value true")
        self._send(f"position fen {board.fen(shredder=board.chess960)}")
        self._send("isready")
        self._wait_for("readyok", _SHAKE_HANDS)
        cpu = self._cpu_seconds()
        start = time.perf_counter()
        self._send(f"go perft {depth}")
        words = self._wait_for("Nodes searched").split()
        seconds = time.perf_counter() - start
        after = self._cpu_seconds()
        spent = after - cpu if cpu is not None and after is not None else None
        try:
            return PerftRun(int(words[-1]), seconds, spent)
        except ValueError:
            raise EngineError(f"{self._name} answered '{' '.join(words)}'") from None

    def _send(self, line: str) -> None:
        try:
            _open(self._process.stdin).write(line + "\n")
        except OSError:
            raise EngineError(f"{self._name} ended early") from None

    def _wait_for(self, start: str, seconds: float | None = None) -> str:
        """The next line that begins with `start`; kills the process after `seconds` without it."""
        timer = threading.Timer(seconds or 0.0, self._process.kill)
        if seconds is not None:
            timer.start()
        try:
            for line in _open(self._process.stdout):
                if line.startswith(start):
                    return line.strip()
                if line.startswith(("bestmove", "info depth")):
                    raise EngineError(f"{self._name} does not know 'go perft'")
        finally:
            timer.cancel()
        raise EngineError(f"{self._name} ended or did not answer as a UCI engine does")

    def _cpu_seconds(self) -> float | None:
        """User CPU time of the engine's process so far, where the system has /proc."""
        try:
            text = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
            from os import sysconf

            # After the name, which is in brackets and may hold spaces, user time is field 12.
            return int(text.rpartition(")")[2].split()[11]) / sysconf("SC_CLK_TCK")
        except (ImportError, OSError, ValueError, IndexError):
            return None


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None  # noqa: S101 - Popen made both
    return pipe


def _our_run(counter: PerftCounter, board: chess.Board, depth: int) -> PerftRun:
    """Count on our side."""
    cpu = time.process_time()
    start = time.perf_counter()
    nodes = counter.count(board, depth)
    return PerftRun(nodes, time.perf_counter() - start, time.process_time() - cpu)


def compare(
    command: Sequence[str],
    work: Sequence[tuple[chess.Board, int]],
    rounds: int = 5,
    on_run: Callable[[], None] | None = None,
) -> list[Comparison]:
    """Let both engines count each position `rounds` times, in turns; raises EngineError.

    One thread each. Kernels must be loaded before.
    """
    counter = PerftCounter()
    comparisons = [Comparison(board, depth) for board, depth in work]
    with PerftEngine(command) as other:
        for comparison in comparisons:
            for _ in range(rounds):
                comparison.theirs.append(other.perft(comparison.board, comparison.depth))
                comparison.ours.append(_our_run(counter, comparison.board, comparison.depth))
                if on_run:
                    on_run()
    return comparisons
