"""The outcome of a task, solved by this engine or another one: the time and nodes to the solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import chess

from boomslang.cli.lab.suites.epd import TestPosition
from boomslang.engine.analyst import Analyst, OtherAnalyst, new_analyst
from boomslang.engine.limits import Info, Score
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.search_settings import SuiteSettings


@dataclass(frozen=True, slots=True)
class Outcome:
    """A task and its answer, as in the reports and the JSON files.

    If the engine crashed or played an illegal move, `failure` is set and the answer is empty. Time and nodes
    of the solution are those from which on the engine kept to it.
    """

    suite: str
    place: str
    id: str
    fen: str
    wanted: str
    solved: bool = False
    points: int = 0
    most_points: int = 0
    played: str | None = None  # SAN
    score: str | None = None  # "+0.35" in pawns or "#-3", side to move
    depth: int | None = None
    nodes: int | None = None
    milliseconds: int | None = None
    solution_nodes: int | None = None
    solution_milliseconds: int | None = None
    failure: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the same task in another run."""
        return self.suite, self.id, self.fen


def outcome_of(
    task: TestPosition, lines: Sequence[Info], best: chess.Move, milliseconds: int
) -> Outcome:
    """The outcome of a search, by its exact lines in their order, its move and the time until that."""
    last = lines[-1] if lines else Info.of(Score(centipawns=0))
    answer = replace(last, pv=(best,), time=milliseconds)
    solved = task.is_solved_by(best.uci(), answer.score)
    first = answer
    for line in reversed(lines):
        if not task.is_solved_by(line.pv[0].uci(), line.score):
            break
        first = line
    return replace(
        _unanswered_outcome(task),
        solved=solved,
        points=task.points.get(best.uci(), 0),
        played=task.board().san(best),
        score=str(answer.score) if lines else None,
        depth=answer.depth,
        nodes=answer.nodes,
        milliseconds=milliseconds,
        solution_nodes=first.nodes if solved else None,
        solution_milliseconds=first.time if solved else None,
    )


def failed_outcome(task: TestPosition, failure: str) -> Outcome:
    """The outcome when there is no answer."""
    return replace(_unanswered_outcome(task), failure=failure)


def _unanswered_outcome(task: TestPosition) -> Outcome:
    return Outcome(
        suite=task.suite,
        place=task.place,
        id=task.name,
        fen=task.fen,
        wanted=task.describe(),
        most_points=max(task.points.values(), default=0),
    )


def solver(
    settings: SuiteSettings, other: EngineCommand | None
) -> Callable[[tuple[bool, TestPosition]], tuple[bool, Outcome]]:
    """For `engine.jobs.run`: a function of (whether by the other engine, task)."""
    analysts: dict[bool, Analyst] = {}

    def solve(item: tuple[bool, TestPosition]) -> tuple[bool, Outcome]:
        by_other, task = item
        try:
            if by_other not in analysts:
                analysts[by_other] = (
                    OtherAnalyst(other, replace(settings, tables=None), attempts=1)
                    if by_other and other
                    else new_analyst(settings)
                )
            return by_other, _solve(analysts[by_other], settings, task)
        except Exception as problem:  # one failure must not stop the others
            return by_other, failed_outcome(task, f"{type(problem).__name__}: {problem}")

    return solve


def _solve(analyst: Analyst, settings: SuiteSettings, task: TestPosition) -> Outcome:
    """The outcome of a search that knows nothing."""
    lines: list[Info] = []
    begun = time.monotonic()

    def record(info: Info) -> None:
        if info.multipv == 1 and not info.bound:
            lines.append(replace(info, time=_milliseconds(begun)))

    best = analyst.analyse(task.board(), settings.limits, record).best
    if best is None:
        raise ValueError("no move")
    return outcome_of(task, lines, best, _milliseconds(begun))


def _milliseconds(since: float) -> int:
    return int((time.monotonic() - since) * 1000)
