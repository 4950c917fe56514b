"""The analysis of a game from Python: `boomslang.analyse_game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import chess.pgn

from boomslang.engine.analysis.export import game_data
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.segment import Evaluations, search_segments
from boomslang.engine.errors import CommandError
from boomslang.engine.notation.pgn import start_board
from boomslang.engine.other_engines.engine_settings import EngineSettings
from boomslang.engine.search_settings import AnalysisSettings, WorkSettings


def analyse_game(
    game: chess.pgn.Game,
    engine: str | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    multipv: int = 1,
    thresholds: str | Sequence[float] = "lichess",
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> dict[str, Any]:
    """Analyse a game as `boomslang analyse` does, by Boomslang or by the command of another engine.

    Limits are those of each position, `depth` in plies, `movetime` in milliseconds; without any, 250,000
    nodes. `multipv` is the number of lines, `jobs` that of processes (all processors); `options` are those of
    the other engine; `thresholds` are "lichess", "chess.com" or the losses of winning chances in per cent
    that make an inaccuracy, a mistake, a blunder. The game is left as it is.

    Returns what the JSON of a report has of a game: `positions`, with `lines` of which the best is first, one
    more than `moves`, which have judgement, loss and reason; `white` and `black`, with their accuracy in per
    cent; `phases`, `opening`, `headers`. Scores (`cp`, centipawns, or `mate`, moves) are in White's view.

    Raises TypeError for wrong types, CommandError (a ValueError) for wrong values, for options without an
    engine, for a game of another variant and for one whose position or a move of whose main line, named by
    its ply, cannot be played, and `chess.engine.EngineError` if the engine fails.
    """
    if not isinstance(game, chess.pgn.Game):
        raise TypeError(f"game is a chess.pgn.Game, not of type {type(game).__name__}")
    given = locals()
    settings = AnalysisSettings.of(given)
    work, other = WorkSettings.of(given), EngineSettings.of(given)
    game = copy(game)  # whose tags are mended
    game.headers = game.headers.copy()
    start, reason = start_board(game.headers)
    if start is None:
        raise CommandError(reason)
    _check_moves(game)
    settings = settings.by(other.probe())
    plan = AnalysisPlan(game, settings)
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        results |= search_segments(tasks, settings, min(work.count(), len(tasks)))
    return game_data(plan.report(results))


def _check_moves(game: chess.pgn.Game) -> None:
    """Raise CommandError for a move that cannot be played; a null move is one that has been left out."""
    board = game.board()
    for ply, move in enumerate(game.mainline_moves(), 1):
        if not isinstance(move, chess.Move) or (move and not board.is_legal(move)):
            raise CommandError(f"ply {ply}, {move}, cannot be played in {board.fen()}")
        board.push(move)
