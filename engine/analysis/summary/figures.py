"""The figures of each player in each game, small enough to keep for thousands of games."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import chess

from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.analysis.clock_times import move_times
from boomslang.engine.analysis.openings.repertoire import Repertoire
from boomslang.engine.analysis.openings.table import NamedOpening, opening_of
from boomslang.engine.analysis.performance import Reading
from boomslang.engine.analysis.phases import Phase, phase_accuracies, phases_of
from boomslang.engine.analysis.summary.mistakes import kind_of
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.notation.pgn import result_of
from boomslang.engine.notation.players import machines, player_names

_ADDRESSES: Final = ("Link", "Site")  # Chess.com, Lichess
_POINTS: Final = {"1": 1.0, "0": 0.0, "1/2": 0.5}


@dataclass(slots=True)
class PhaseFigures:
    """A player's moves in one phase."""

    accuracy: float | None = None  # percent
    moves: int = 0
    chance_loss: float = 0.0  # winning chances lost in all, percent
    judgements: Counter[Judgement] = field(default_factory=Counter)


@dataclass(slots=True)
class GameFigures:
    """A player's part of one game."""

    player: str
    colour: chess.Color
    points: float | None  # None: no result
    opening: NamedOpening | None
    accuracy: float | None  # percent
    loss: float | None  # centipawns per move
    phases: dict[Phase, PhaseFigures] = field(default_factory=dict)
    kinds: Counter[tuple[str, Judgement]] = field(default_factory=Counter)
    opponent: str = ""
    date: str = ""
    result: str = "*"
    site: str = ""  # address of the game in the web; else empty
    file: str = ""  # the analysis with the game, and its number there
    number: int = 0
    by_wdl: bool = False  # the winning chances are those that the engine says
    is_machine: bool = False
    is_timed: bool = False
    trouble_moves: int = 0
    trouble_errors: int = 0  # judged moves among them
    left: str = ""  # where the game leaves the player's repertoire, in words; empty: it does not
    left_by: str = ""  # player or opponent; empty: its line ends
    reading: Reading | None = None  # what the moves tell of the player's rating


def figures_of(
    report: GameReport, file: str = "", repertoire: Repertoire | None = None
) -> tuple[GameFigures, GameFigures]:
    """White's and Black's figures; the report is one of those stored in `file`."""
    played = opening_of(report.game)
    phases = phases_of(report.game)
    accuracies = phase_accuracies(phases, report.moves)
    times = move_times(report.game) or [None] * len(phases)
    both = []
    white, black = player_names(report.game)
    for colour, name, player in (
        (chess.WHITE, white, report.white),
        (chess.BLACK, black, report.black),
    ):
        figures = GameFigures(
            name,
            colour,
            _points(result_of(report.game), colour),
            played.opening if played else None,
            player.accuracy,
            player.loss,
        )
        headers = report.game.headers
        figures.is_machine = name in machines(report.game)
        figures.opponent = black if colour == chess.WHITE else white
        figures.date = headers.get("Date", "")
        figures.result = result_of(report.game)
        figures.site = next((a for a in map(headers.get, _ADDRESSES) if _is_address(a)), "") or ""
        figures.file, figures.number = file, report.number
        figures.by_wdl = report.by_wdl
        figures.reading = player.reading
        departure = repertoire.departure(report.game, colour) if repertoire else None
        if departure:
            figures.left = departure.words
            figures.left_by = departure.side_of(colour)
        for phase, pair in accuracies.items():
            figures.phases[phase] = PhaseFigures(pair[0 if colour == chess.WHITE else 1])
        both.append(figures)
    for move, phase, time in zip(report.moves, phases, times, strict=True):
        if move is None:
            continue
        figures = both[0] if move.board.turn == chess.WHITE else both[1]
        part = figures.phases[phase]
        part.moves += 1
        part.chance_loss += move.chance_loss
        if time:
            figures.is_timed = True
            figures.trouble_moves += time.trouble
        if move.judgement:
            part.judgements[move.judgement] += 1
            figures.kinds[kind_of(move), move.judgement] += 1
            figures.trouble_errors += bool(time and time.trouble)
    return both[0], both[1]


def _is_address(text: str | None) -> bool:
    return bool(text and text.startswith("https://") and text.isprintable() and " " not in text)


def _points(result: str, colour: chess.Color) -> float | None:
    white, _, black = result.partition("-")
    return _POINTS.get(white if colour == chess.WHITE else black)
