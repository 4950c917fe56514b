"""A review of a game: mistakes with their reasons, accuracy, opening."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.cli.mcp.bounded_searcher import BoundedSearcher
from boomslang.cli.mcp.results import PLAYER, Answer, Data
from boomslang.cli.mcp.words import (
    SCALE,
    count,
    opening_words,
    percent,
    quoted_line,
    score_fields,
    score_words,
    side,
)
from boomslang.core.system.sanitize import sanitize
from boomslang.engine.analysis.annotate import remark
from boomslang.engine.analysis.assessment import GameReport, MoveReport
from boomslang.engine.analysis.export import player_data
from boomslang.engine.analysis.openings.table import opening_of, theory_of
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.report_page import describe
from boomslang.engine.analysis.segment import Evaluations, search_segment
from boomslang.engine.analysis.summary.mistakes import kind_of
from boomslang.engine.analysis.win_percent import SEVERE, Judgement
from boomslang.engine.notation.pgn import InputGame, result_of
from boomslang.engine.notation.players import player_names
from boomslang.engine.search_settings import AnalysisSettings

_MAX_NODES: Final = 12_000_000  # in a game, before doubtful moves are searched again
_MIN_NODES: Final = 2_000  # for a position
SEVERAL: Final = dict(zip(Judgement, ("inaccuracies", "mistakes", "blunders"), strict=True))
_MAX_TOLD: Final = 24  # mistakes and blunders
_MAX_NAME: Final = 60  # characters


def review(searcher: BoundedSearcher, entry: InputGame, has_more: bool, nodes: int) -> Answer:
    """The review of a game in which each position is searched with `nodes` nodes, or fewer if it is long."""
    report, settings = report_of(searcher, entry, nodes)
    severe = [move for move in report.moves if move and move.judgement in SEVERE]
    worst_moves = sorted(severe, key=lambda move: -move.chance_loss)[:_MAX_TOLD]
    played = opening_of(report.game)
    found = game_data(report) | {
        "nodes": settings.nodes,
        "moves": [mistake_data(move) for move in sorted(worst_moves, key=lambda move: move.ply)],
        "untold": len(severe) - len(worst_moves),
        "remarks": [*entry.messages],
    }
    lines = list(_lines(found, theory_of(report.game, played) if played else ""))
    lines.append(
        f"Searched with {describe(settings)}, and longer in doubt: mistakes are counted as that many see "
        f"them. {SCALE}"
    )
    if has_more:
        lines.insert(0, f"The text has more games; this is number {entry.number}.")
    return Answer("\n".join(lines), found)


def game_data(report: GameReport) -> Data:
    """Players, result and opening of a game."""
    players, names = (report.white, report.black), player_names(report.game)
    data: Data = {
        side(colour).lower(): dict.fromkeys(SEVERAL.values(), 0)
        | {n: value for n, value in player_data(player).items() if {n, f"{n}?"} & PLAYER.keys()}
        | {"name": sanitize(name)[:_MAX_NAME] if name.strip("?") else side(colour)}
        for colour, player, name in zip(chess.COLORS, players, names, strict=True)
    }
    played = opening_of(report.game)
    data["opening"] = opening_words(played.opening if played else None)
    return data | {"result": sanitize(result_of(report.game))[:_MAX_NAME]}


def mistake_data(move: MoveReport) -> Data:
    """A judged move."""
    before, after = (
        score_fields(score, move.board.turn, found.best, found.nodes)
        for score, found in ((move.score_before, move.before), (move.score_after, move.after))
    )
    best, peers = move.before.best.pv, move.peers
    return {
        "fen": move.board.fen(shredder=move.board.chess960),
        "move": line_words(move.board, [move.move]),
        "uci": move.move.uci(),
        "judgement": move.judgement,
        "kind": kind_of(move),
        "before": before,
        "after": after,
        "best": quoted_line(move.board, best) if best else "",
        "best_uci": [each.uci() for each in best],
        "reason": move.reason.text if move.reason else None,
        "remark": remark(move),
        "peers": peers
        and {"rating": peers.rating, "find": percent(peers.best), "play": percent(peers.played)},
    }


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


def _lines(found: Data, theory: str) -> Iterator[str]:
    yield f"{found['white']['name']} - {found['black']['name']} {found['result']}"
    if found["opening"]:
        yield f"Opening: {found['opening']}, {theory}."
    yield f"White: {_player(found['white'])}"
    yield f"Black: {_player(found['black'])}"
    yield from map(mistake_words, found["moves"])
    if found["untold"]:
        yield f"{found['untold']} more mistakes and blunders cost less."
    if not found["moves"]:
        yield "No mistake and no blunder."
    for problem in found["remarks"]:
        yield f"The text: {problem}"


def _player(player: Data) -> str:
    if player["accuracy"] is None or player["average_centipawn_loss"] is None:
        return "no move"
    return (
        f"accuracy {player['accuracy']:.1f} %, {player['average_centipawn_loss']:.0f} centipawns lost per "
        f"move, {count_judgements(player)}."
    )


def count_judgements(counted: Data) -> str:
    """How many moves were judged, in words."""
    return ", ".join(count(counted[several], kind, several) for kind, several in SEVERAL.items())


def mistake_words(move: Data) -> str:
    """A bad move with its scores, the reason if one is proved, and the better line."""
    change = f"{score_words(move['before'])} to {score_words(move['after'])}"
    better = f" Better line: {move['best']}" if move["best"] else ""
    words = f"{move['move']} ({change}): {move['remark']}{better}"
    if peers := move.get("peers"):
        words += f" Of players rated {peers['rating']} {peers['find']:g} % find the best move and"
        words += f" {peers['play']:g} % play this one."
    return words
