"""The summary of a player as plain data, for the terminal, JSON and HTML."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

import chess

from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.analysis.performance import performance
from boomslang.engine.analysis.phases import Phase
from boomslang.engine.analysis.summary.figures import GameFigures
from boomslang.engine.analysis.summary.mistakes import MistakeKind
from boomslang.engine.analysis.win_percent import Judgement

FORMAT: Final = 1  # counts up when the meaning of a name changes


def summary(player: str, games: Sequence[GameFigures]) -> dict[str, Any]:
    """All totals over a player's games; accuracies in percent, means over games."""
    return {
        "format": FORMAT,
        "engine": f"{NAME} {VERSION}",
        "player": player,
        "total": _row(games),
        "played_like": _played_like(games),
        "win_chances": {
            rule: sum(game.by_wdl == by_wdl for game in games)
            for rule, by_wdl in (("wdl", True), ("curve", False))
        },
        "colours": {
            name: _row([game for game in games if game.colour == colour])
            for name, colour in (("white", chess.WHITE), ("black", chess.BLACK))
        },
        "openings": _openings(games),
        "phases": {phase: _phase(games, phase) for phase in Phase},
        "kinds": _kinds(games),
        "time_trouble": _time_trouble(games),
        "repertoire": _repertoire(games),
        "games": [_game(game) for game in games],
    }


def _played_like(games: Sequence[GameFigures]) -> dict[str, Any] | None:
    """The rating that the games tell together, and how many do; None without enough moves."""
    readings = [game.reading for game in games if game.reading]
    found = performance(readings)
    return {**asdict(found), "games": len(readings)} if found else None


def _game(game: GameFigures) -> dict[str, Any]:
    return {
        "date": game.date,
        "colour": chess.COLOR_NAMES[game.colour],
        "opponent": game.opponent,
        "result": game.result,
        "opening": game.opening.name if game.opening else None,
        "accuracy": _mean([game.accuracy]),
        "errors": sum(game.kinds.values()),
        "file": game.file,
        "number": game.number,
        "site": game.site or None,
    }


def _row(games: Sequence[GameFigures]) -> dict[str, Any]:
    """Games, results, accuracy and errors."""
    points = [game.points for game in games if game.points is not None]
    return {
        "games": len(games),
        "wins": points.count(1.0),
        "draws": points.count(0.5),
        "losses": points.count(0.0),
        "score": _percent(points),
        "accuracy": _mean(game.accuracy for game in games),
        "average_centipawn_loss": _mean(game.loss for game in games),
        "errors_per_game": _mean(float(sum(game.kinds.values())) for game in games),
    }


def _openings(games: Sequence[GameFigures]) -> list[dict[str, Any]]:
    """Openings by name without variations and by colour, the most frequent first."""
    groups: dict[tuple[str, chess.Color], list[GameFigures]] = {}
    for game in games:
        name = game.opening.family if game.opening else "no named opening"
        groups.setdefault((name, game.colour), []).append(game)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [
        {
            "name": name,
            "colour": chess.COLOR_NAMES[colour],
            "codes": sorted({game.opening.eco for game in own if game.opening}),
            **_row(own),
            "opening_accuracy": _mean(
                game.phases[Phase.OPENING].accuracy for game in own if Phase.OPENING in game.phases
            ),
        }
        for (name, colour), own in ordered
    ]


def _phase(games: Sequence[GameFigures], phase: Phase) -> dict[str, Any]:
    parts = [game.phases[phase] for game in games if phase in game.phases]
    moves = sum(part.moves for part in parts)
    judged = {f"{kind}": sum(part.judgements[kind] for part in parts) for kind in Judgement}
    lost = sum(part.chance_loss for part in parts)
    return {
        "games": len(parts),
        "moves": moves,
        "accuracy": _mean(part.accuracy for part in parts),
        "judgements": judged,
        "errors_per_100_moves": round(100 * sum(judged.values()) / moves, 1) if moves else None,
        "chance_loss_per_move": round(lost / moves, 2) if moves else None,
    }


def _kinds(games: Sequence[GameFigures]) -> dict[str, dict[str, int]]:
    """Judged moves by kind, the most frequent kind first, the rest last."""
    totals: Counter[str] = Counter()
    for game in games:
        for (kind, _), number in game.kinds.items():
            totals[kind] += number
    ordered = sorted(totals, key=lambda kind: (kind == MistakeKind.OTHER, -totals[kind], kind))
    return {
        kind: {
            f"{judgement}": sum(game.kinds[kind, judgement] for game in games)
            for judgement in Judgement
        }
        for kind in ordered
    }


def _time_trouble(games: Sequence[GameFigures]) -> dict[str, Any] | None:
    """Time trouble in the games with clocks; None without any."""
    timed = [game for game in games if game.is_timed]
    if not timed:
        return None
    return {
        "games_with_clocks": len(timed),
        "games": sum(game.trouble_moves > 0 for game in timed),
        "moves": sum(game.trouble_moves for game in timed),
        "errors": sum(game.trouble_errors for game in timed),
        "errors_with_time": sum(sum(game.kinds.values()) - game.trouble_errors for game in timed),
    }


def _repertoire(games: Sequence[GameFigures]) -> list[dict[str, Any]]:
    """Where games leave the repertoire, by whom and with which results, the most frequent first."""
    groups: dict[tuple[str, str], list[GameFigures]] = {}
    for game in games:
        if game.left:
            groups.setdefault((game.left, game.left_by), []).append(game)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [{"left": left, "by": by or None, **_row(own)} for (left, by), own in ordered]


def _mean(values: Iterable[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return round(statistics.fmean(numbers), 1) if numbers else None


def _percent(points: Sequence[float]) -> float | None:
    return round(100 * statistics.fmean(points), 1) if points else None
