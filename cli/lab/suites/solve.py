"""Solves tasks with this engine or with another UCI engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import chess
import chess.engine

from boomslang.cli.lab.suites.epd import TestPosition
from boomslang.cli.lab.suites.outcome import Outcome, SolvedLine, failed_outcome, outcome_of
from boomslang.engine.jobs.uci_engine import UciCommand, protocol_of, start
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.searcher.searcher import Searcher, load
from boomslang.engine.searcher.tablebase import open_tables


@dataclass(frozen=True, slots=True)
class SolveLimit:
    """The search limits per position; the first one reached ends the search."""

    movetime: int | None = None  # milliseconds
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    hash_mb: int = 16
    tables: str = ""  # folders of tablebases, for this engine


class _Solver(Protocol):
    def lines_of(self, board: chess.Board) -> list[SolvedLine]:
        """The lines of a search with an empty hash table, the answer last; raises on failure."""


def solver(
    effort: SolveLimit, other: UciCommand | None
) -> Callable[[tuple[bool, TestPosition]], tuple[bool, Outcome]]:
    """For `engine.jobs.run`: a function of (whether by the other engine, task)."""
    solvers: dict[bool, _Solver] = {}

    def solve(item: tuple[bool, TestPosition]) -> tuple[bool, Outcome]:
        by_other, task = item
        try:
            if by_other not in solvers:
                asked = other if by_other else None
                solvers[by_other] = UciSolver(effort, asked) if asked else BoomslangSolver(effort)
            return by_other, outcome_of(task, solvers[by_other].lines_of(task.board()))
        except Exception as problem:  # one failure must not stop the others
            return by_other, failed_outcome(task, f"{type(problem).__name__}: {problem}")

    return solve


class BoomslangSolver:
    """Boomslang, in this process."""

    def __init__(self, effort: SolveLimit) -> None:
        load()
        self._limits = Limits(movetime=effort.movetime, nodes=effort.nodes, depth=effort.depth)
        self._searcher = Searcher(effort.hash_mb)
        self._searcher.set_threads(effort.threads)
        if effort.tables:
            self._searcher.use_tables(open_tables(effort.tables))

    def lines_of(self, board: chess.Board) -> list[SolvedLine]:
        """See `_Solver`."""
        lines: list[SolvedLine] = []

        def record(info: Info) -> None:
            move = info.pv[0].uci()
            lines.append(SolvedLine(info.time, info.nodes, info.depth, move, info.score))

        self._searcher.analyse(board, self._limits, record)
        return lines


class UciSolver:
    """Another engine as a process, restarted after a failure."""

    def __init__(self, effort: SolveLimit, engine: UciCommand) -> None:
        self._effort = effort
        self._engine = engine
        self._process: chess.engine.SimpleEngine | None = None

    def lines_of(self, board: chess.Board) -> list[SolvedLine]:
        """See `_Solver`."""
        process = self._process or self._start()
        self._process = None
        effort = self._effort
        limit = chess.engine.Limit(
            time=None if effort.movetime is None else effort.movetime / 1000,
            nodes=effort.nodes,
            depth=effort.depth,
        )
        try:
            lines = _follow(process, board, limit)
        except BaseException:
            process.close()
            raise
        self._process = process
        return lines

    def _start(self) -> chess.engine.SimpleEngine:
        return start(self._engine, {"Threads": self._effort.threads, "Hash": self._effort.hash_mb})


def _follow(
    process: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit
) -> list[SolvedLine]:
    """Search with the engine; its best lines and its move. Raises EngineError or TimeoutError."""
    received: list[tuple[float, str]] = []

    def record(line: str) -> None:
        if line.startswith("info ") and " pv " in line:
            received.append((time.monotonic(), line))

    protocol_of(process).on_line = record
    begun = time.monotonic()
    # Not `process.analysis`, which does not report an illegal answer.
    answer = process.play(board, limit, game=object()).move
    if answer is None:
        raise chess.engine.EngineError("no move")
    lines = [found for at, line in received if (found := _read(line, at - begun, board))]
    last = lines[-1] if lines else SolvedLine(0, 0, 0, answer.uci(), Score(centipawns=0))
    taken = int((time.monotonic() - begun) * 1000)
    return [*lines, replace(last, milliseconds=taken, move=answer.uci())]


def _read(line: str, seconds: float, board: chess.Board) -> SolvedLine | None:
    """The content of an `info` line with `pv`; None for other lines of MultiPV and bounds."""
    words = line.split()
    values = dict(pairwise(words[: words.index("pv") + 2]))
    if values.get("multipv", "1") != "1" or "lowerbound" in words or "upperbound" in words:
        return None
    try:
        move = board.parse_uci(values["pv"]).uci()
        score = int(values.get("mate") or values.get("cp") or 0)
        return SolvedLine(
            int(seconds * 1000),
            int(values.get("nodes", 0)),
            int(values.get("depth", 0)),
            move,
            Score(mate=score) if "mate" in values else Score(centipawns=score),
        )
    except (ValueError, KeyError):
        return None  # invalid lines are ignored
