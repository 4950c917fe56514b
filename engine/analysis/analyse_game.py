"""The analysis of a game from Python: `boomslang.analyse_game`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, Final

import chess.pgn

from boomslang.engine.analysis.export import game_data
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.segment import Evaluations, search_segments
from boomslang.engine.analyst import AnalysisSettings
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import MAX_COUNT, Limits, whole_number
from boomslang.engine.notation.pgn import start_board
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_runner import KnownEngine, probe_engine
from boomslang.engine.other_engines.programs import split_command

USUAL_NODES: Final = 250_000


def analyse_game(
    game: chess.pgn.Game,
    engine: str | None = None,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    multipv: int = 1,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Analyse a game as `boomslang analyse` does, by Boomslang or by the command of another engine.

    Limits are those of each position, `depth` in plies, `movetime` in milliseconds; without any, 250,000
    nodes. `multipv` is the number of lines, `jobs` that of processes; `options` are those of the other
    engine. The game is left as it is.

    Returns what the JSON of a report has of a game: `positions`, with `lines` of which the best is first, one
    more than `moves`, which have judgement, loss and reason; `white` and `black`, with their accuracy in per
    cent; `phases`, `opening`, `headers`. Scores (`cp`, centipawns, or `mate`, moves) are in White's view.

    Raises TypeError for wrong types, CommandError (a ValueError) for wrong numbers, for options without an
    engine, for a game of another variant and for one whose position or a move of whose main line, named by
    its ply, cannot be played, ValueError for an empty command, and `chess.engine.EngineError` if the engine
    fails.
    """
    if not isinstance(game, chess.pgn.Game):
        raise TypeError(f"game is a chess.pgn.Game, not of type {type(game).__name__}")
    if not isinstance(engine, str | None):
        raise TypeError(f"engine is a command in one string, not of type {type(engine).__name__}")
    if not isinstance(options, Mapping | None):
        raise TypeError(f"options are a mapping, not of type {type(options).__name__}")
    game = copy(game)  # whose tags are mended
    game.headers = game.headers.copy()
    start, reason = start_board(game.headers)
    if start is None:
        raise CommandError(reason)
    _check_moves(game)
    Limits(depth, nodes, movetime, multipv=multipv)  # refuses numbers that are none
    jobs = whole_number("jobs", jobs, 1, MAX_COUNT)
    if options and engine is None:
        raise CommandError("options are those of another engine, and none is named")
    other: KnownEngine | None = None
    if engine is not None:
        words = split_command(engine)
        if not words:
            raise ValueError("an engine needs a command")
        given = {option: str(value) for option, value in (options or {}).items()}
        other = probe_engine(EngineCommand(tuple(words), given))
    settings = AnalysisSettings(
        nodes=nodes if nodes or depth or movetime else USUAL_NODES,
        depth=depth,
        movetime=movetime,
        multipv=multipv,
        engine=other and other.command,
        engine_name=other and other.name,
        by_wdl=bool(other and other.shows_wdl),
    )
    plan = AnalysisPlan(game, settings)
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        results |= search_segments(tasks, settings, min(jobs, len(tasks)))
    return game_data(plan.report(results))


def _check_moves(game: chess.pgn.Game) -> None:
    """Raise CommandError for a move that cannot be played; a null move is one that has been left out."""
    board = game.board()
    for ply, move in enumerate(game.mainline_moves(), 1):
        if not isinstance(move, chess.Move) or (move and not board.is_legal(move)):
            raise CommandError(f"ply {ply}, {move}, cannot be played in {board.fen()}")
        board.push(move)
