"""Whether an answer is right: by the analysis if it has looked at the move, else by a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

import chess
from chess.engine import Cp, Mate

from boomslang.cli.analysis.exercises.exercise import Exercise
from boomslang.cli.analysis.win_percent import win_chance

if TYPE_CHECKING:
    from boomslang.engine.jobs.engine_connection import EngineCommand
    from boomslang.engine.labels.search_position import AnalysedPosition, Evaluation

    Search = Callable[[AnalysedPosition], Evaluation]

_NODES: Final = 250_000  # as many as an analysis uses for a position


def find_known_chance(exercise: Exercise, move: chess.Move) -> float | None:
    """The winning chance of a move without a search, percent; None if it needs one."""
    if (chance := exercise.known.get(move.uci())) is not None:
        return chance
    if move.uci() == exercise.best[0]:
        return exercise.chance
    board = exercise.board()
    board.push(move)
    if board.is_checkmate():
        return 100 - win_chance(Mate(0))
    return win_chance(Cp(0)) if board.is_game_over() else None


def search_chance(fen: str, chess960: bool, move: str, search: Search | None = None) -> float:
    """The winning chance of a move by a search, percent; by default one that loads the kernels."""
    from boomslang.engine.labels.search_position import AnalysedPosition

    board = chess.Board(fen, chess960=chess960)
    board.push_uci(move)
    found = (search or _searcher())(AnalysedPosition.of(board))
    return 100 - win_chance(found.best.score)


def new_search(engine: EngineCommand | None = None) -> Search:
    """A search by this engine, whose kernels are loaded, or another one."""
    from boomslang.engine.labels.search_position import AnalysisSettings, searcher

    return searcher(AnalysisSettings(nodes=_NODES, engine=engine))


_searcher = cache(new_search)
