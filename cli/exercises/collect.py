"""Exercises from the reports of analysed games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.cli.analysis.assessment import GameReport, MoveReport, san_line
from boomslang.cli.analysis.winning import Judgement, win_chance
from boomslang.cli.exercises.exercise import TOLERANCE, Exercise

_LONGEST: Final = 12  # plies of a solution


def exercises_of(
    report: GameReport, colour: chess.Color, judgements: frozenset[Judgement]
) -> Iterator[Exercise | None]:
    """The positions in which a player's move was judged so and cost more than is right in an exercise.

    Yields None for a move without a known better one.
    """
    for move in report.moves:
        if (
            move
            and move.board.turn == colour
            and move.judgement in judgements
            and round(move.chance_before, 1) - round(move.chance_after, 1) > TOLERANCE
        ):
            yield _exercise(report, move) if move.before.best.moves else None


def _exercise(report: GameReport, move: MoveReport) -> Exercise:
    board = move.board
    known = {
        line.moves[0]: round(win_chance(line.score), 1) for line in move.before.lines if line.moves
    }
    known[move.move.uci()] = round(move.chance_after, 1)
    return Exercise(
        fen=board.fen(shredder=board.chess960, en_passant="fen"),
        chess960=board.chess960,
        best=tuple(played.uci() for played, _ in san_line(board, move.before.best, _LONGEST)),
        chance=round(move.chance_before, 1),
        played=move.move.uci(),
        known=known,
        origin=_origin(report),
    )


def _origin(report: GameReport) -> str:
    headers = report.game.headers
    players = f"{headers.get('White', '?')} – {headers.get('Black', '?')}"
    date = headers.get("Date", "?")
    return f"{players}, {date}" if date.strip("?.") else players
