"""Whether an answer is right: by the analysis if it has looked at the move, else by a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

import chess
from chess.engine import Cp, Mate

from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.win_percent import judged_score, win_chance

if TYPE_CHECKING:
    from boomslang.engine.analyst import AnalysedPosition, Evaluation
    from boomslang.engine.other_engines.engine_connection import EngineCommand

    Search = Callable[[AnalysedPosition], Evaluation]

_NODES: Final = 250_000  # as many as an analysis uses for a position


def find_known_chance(exercise: Exercise, move: chess.Move) -> float | None:
    """The winning chance of a move without a search, percent; None if it needs one."""
    if (chance := exercise.known.get(move.uci())) is not None:
        return chance
    if move.uci() == exercise.best[0]:
        return exercise.chance
    if exercise.is_repertoire:
        return 0.0
    board = exercise.board()
    board.push(move)
    if board.is_checkmate():
        return 100 - win_chance(Mate(0))
    return win_chance(Cp(0)) if board.is_game_over() else None


def search_chance(exercise: Exercise, move: str, search: Search | None = None) -> float:
    """The winning chance of a move, as `search_reply` finds it."""
    return search_reply(exercise, move, search)[0]


def search_reply(
    exercise: Exercise, move: str, search: Search | None = None
) -> tuple[float, tuple[chess.Move, ...]]:
    """The winning chance of a move by a search, percent, and the best line behind it.

    The search is by default one that loads the kernels. The best move is searched too: the chances of the
    exercise may be those of another engine or of more nodes, and only the difference of the two moves holds
    there, by the same rule.
    """
    from boomslang.engine.analyst import AnalysedPosition, finished_evaluation

    evaluations = []
    for each in (exercise.best[0], move):
        board = exercise.board()
        board.push_uci(each)
        answer = finished_evaluation(board)
        evaluations.append(answer or (search or _searcher())(AnalysedPosition.of(board)))
    best, other = (win_chance(judged_score(one.best, exercise.by_wdl)) for one in evaluations)
    return min(max(exercise.chance + best - other, 0.0), 100.0), evaluations[1].best.pv


def new_search(engine: EngineCommand | None = None, by_wdl: bool = False) -> Search:
    """A search by this engine, whose kernels are loaded, or another one, with its WDL if that is wanted."""
    from boomslang.engine.analyst import searcher
    from boomslang.engine.search_settings import AnalysisSettings

    return searcher(AnalysisSettings(nodes=_NODES, engine=engine, by_wdl=by_wdl))


_searcher = cache(new_search)
