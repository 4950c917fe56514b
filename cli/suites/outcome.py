"""What came of a task: the verdict, and how long it took to get there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess

from boomslang.cli.suites.epd import Task
from boomslang.engine.limits import Score


@dataclass(frozen=True, slots=True)
class SolvedLine:
    """The best line of an engine at some moment; the last is its answer."""

    milliseconds: int  # since the search began
    nodes: int
    depth: int
    move: str  # in UCI's spelling
    score: Score


@dataclass(frozen=True, slots=True)
class Outcome:
    """A task and its answer, as the reports and the JSON files have them.

    Only `failure` is given, and nothing of the answer, if the engine crashed or played an illegal
    move. The solution's time and nodes are those from which on the engine kept to it.
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
        """By what the same task is found in another run."""
        return self.suite, self.id, self.fen


def judge(task: Task, thoughts: Sequence[SolvedLine]) -> Outcome:
    """The outcome of a search; `thoughts` in order, with the answer as the last."""
    answer = first = thoughts[-1]
    solved = task.solved(answer.move, answer.score)
    for thought in reversed(thoughts):
        if not task.solved(thought.move, thought.score):
            break
        first = thought
    return replace(
        _unanswered(task),
        solved=solved,
        points=task.points.get(answer.move, 0),
        played=task.board().san(chess.Move.from_uci(answer.move)),
        score=in_words(answer.score),
        depth=answer.depth,
        nodes=answer.nodes,
        milliseconds=answer.milliseconds,
        solution_nodes=first.nodes if solved else None,
        solution_milliseconds=first.milliseconds if solved else None,
    )


def failed(task: Task, failure: str) -> Outcome:
    """The outcome when there is no answer."""
    return replace(_unanswered(task), failure=failure)


def in_words(score: Score) -> str:
    """A score for people: pawns, or moves to mate."""
    if score.mate is not None:
        return f"#{score.mate}"
    return f"{(score.centipawns or 0) / 100:+.2f}"


def _unanswered(task: Task) -> Outcome:
    return Outcome(
        suite=task.suite,
        place=task.place,
        id=task.name,
        fen=task.fen,
        wanted=task.wanted(),
        most_points=max(task.points.values(), default=0),
    )
