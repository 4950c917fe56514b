"""Solves tasks with this engine or with another one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import chess
import chess.engine

from boomslang.cli.lab.suites.epd import TestPosition
from boomslang.cli.lab.suites.outcome import Outcome, SolvedLine, failed_outcome, outcome_of
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.driver.tablebase import open_tables
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.other_engines.engine_runner import EngineRunner


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
    effort: SolveLimit, other: EngineCommand | None
) -> Callable[[tuple[bool, TestPosition]], tuple[bool, Outcome]]:
    """For `engine.jobs.run`: a function of (whether by the other engine, task)."""
    solvers: dict[bool, _Solver] = {}

    def solve(item: tuple[bool, TestPosition]) -> tuple[bool, Outcome]:
        by_other, task = item
        try:
            if by_other not in solvers:
                asked = other if by_other else None
                solvers[by_other] = (
                    ProcessSolver(effort, asked) if asked else BoomslangSolver(effort)
                )
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


class ProcessSolver:
    """Another engine as a process, restarted after a failure."""

    def __init__(self, effort: SolveLimit, engine: EngineCommand) -> None:
        self._limits = Limits(movetime=effort.movetime, nodes=effort.nodes, depth=effort.depth)
        usual = {"Threads": effort.threads, "Hash": effort.hash_mb}
        self._process = EngineProcess(engine, usual)
        self._runner = EngineRunner(self._process.close)

    def lines_of(self, board: chess.Board) -> list[SolvedLine]:
        """See `_Solver`."""
        return self._runner.run(self._search(board))

    async def _search(self, board: chess.Board) -> list[SolvedLine]:
        await self._process.start()
        lines: list[SolvedLine] = []
        begun = time.monotonic()

        def record(info: Info) -> None:
            if info.multipv == 1 and not info.bound:
                move = info.pv[0].uci()
                lines.append(
                    SolvedLine(_milliseconds(begun), info.nodes, info.depth, move, info.score)
                )

        answer = await self._process.search(board, self._limits, record, game=object())
        if not answer:
            raise chess.engine.EngineError("no move")
        last = lines[-1] if lines else SolvedLine(0, 0, 0, answer.uci(), Score(centipawns=0))
        return [*lines, replace(last, milliseconds=_milliseconds(begun), move=answer.uci())]


def _milliseconds(since: float) -> int:
    return int((time.monotonic() - since) * 1000)
