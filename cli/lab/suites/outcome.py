"""The outcome of a task: solved or not, and the time and nodes to the solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess

from boomslang.cli.lab.suites.epd import TestPosition
from boomslang.engine.limits import Info, Score


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
