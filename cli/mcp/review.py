"""A review of a game: mistakes with their reasons, accuracy, opening."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.words import SCALE, count, quoted_line, side
from boomslang.core.system.sanitize import sanitize
from boomslang.engine.analysis.annotate import remark
from boomslang.engine.analysis.assessment import GameReport, MoveReport, PlayerReport, score_text
from boomslang.engine.analysis.openings.table import opening_of, theory_of
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.players import player_names
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.report_page import describe
from boomslang.engine.analysis.segment import Evaluations, search_segment
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.notation.pgn import InputGame, result_of
from boomslang.engine.search_settings import AnalysisSettings

_MAX_NODES: Final = 12_000_000  # in a game, before doubtful moves are searched again
_MIN_NODES: Final = 2_000  # for a position
_SEVERAL: Final = dict(zip(Judgement, ("inaccuracies", "mistakes", "blunders"), strict=True))
_MAX_TOLD: Final = 24  # mistakes and blunders


def review(searcher: BoundedSearcher, entry: InputGame, has_more: bool, nodes: int) -> str:
    """The review of a game in which each position is searched with `nodes` nodes, or fewer if it is long."""
    report, settings = report_of(searcher, entry, nodes)
    lines = list(_lines(report, entry))
    lines.append(
        f"Searched with {describe(settings)}, and longer in doubt: mistakes are counted as that many see "
        f"them. {SCALE}"
    )
    if has_more:
        lines.insert(0, f"The text has more games; this is number {entry.number}.")
    return "\n".join(lines)


def report_of(
    searcher: BoundedSearcher, entry: InputGame, nodes: int
) -> tuple[GameReport, AnalysisSettings]:
    """The report of a game, as `boomslang analyse` makes it with these settings."""
    plies = entry.game.end().ply() - entry.game.ply()
    settings = AnalysisSettings(nodes=max(_MIN_NODES, min(nodes, _MAX_NODES // (plies + 1))))
    plan = AnalysisPlan(entry.game, settings, True, entry)
    results: dict[str, Evaluations] = {}
    done = 0
    while tasks := plan.tasks(results):
        for key, segment in tasks.items():
            results[key] = search_segment(searcher.analyst, settings, segment)
            done += len(segment)
            searcher.work = f"{done} positions searched, {plies + 1} in the game"
    return plan.report(results), settings


def _lines(report: GameReport, entry: InputGame) -> Iterator[str]:
    white, black = (
        sanitize(name)[:60] if name.strip("?") else side(colour)
        for name, colour in zip(player_names(report.game), chess.COLORS, strict=True)
    )
    yield f"{white} - {black} {sanitize(result_of(report.game))[:60]}"
    if played := opening_of(report.game):
        name = f"{played.opening.name} ({played.opening.eco})"
        yield f"Opening: {name}, {theory_of(report.game, played)}."
    yield f"White: {_player(report.white)}"
    yield f"Black: {_player(report.black)}"
    moves = [move for move in report.moves if move and move.judgement]
    severe = [move for move in moves if move.judgement != Judgement.INACCURACY]
    worst_moves = sorted(severe, key=lambda move: -move.chance_loss)[:_MAX_TOLD]
    for move in sorted(worst_moves, key=lambda move: move.ply):
        yield _move(move)
    if len(severe) > len(worst_moves):
        yield f"{len(severe) - len(worst_moves)} more mistakes and blunders cost less."
    if not severe:
        yield "No mistake and no blunder."
    for problem in entry.messages:
        yield f"The text: {problem}"


def _player(player: PlayerReport) -> str:
    if player.accuracy is None or player.loss is None:
        return "no move"
    counts = ", ".join(
        count(player.judgements.get(kind, 0), kind, several) for kind, several in _SEVERAL.items()
    )
    return (
        f"accuracy {player.accuracy:.1f} %, {player.loss:.0f} centipawns lost per move, {counts}."
    )


def _move(move: MoveReport) -> str:
    """A bad move with its scores, the reason if one is proved, and the better line."""
    turn = move.board.turn
    change = f"{score_text(move.score_before, turn)} to {score_text(move.score_after, turn)}"
    words = f"{line_words(move.board, [move.move])} ({change}): {remark(move)}"
    return f"{words} Better line: {quoted_line(move.board, move.before.best.pv)}"
