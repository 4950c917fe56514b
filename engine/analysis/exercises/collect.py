"""Exercises from the reports of analysed games, and from a repertoire."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import chess

from boomslang.engine.analysis.assessment import GameReport, MoveReport
from boomslang.engine.analysis.exercises.exercise import TOLERANCE, Exercise
from boomslang.engine.analysis.openings.repertoire import RepertoirePosition
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.win_percent import Judgement, judged_score, win_chance

_MAX_PLIES: Final = 12  # plies of a solution


class LeftOut(StrEnum):
    """Why a bad move makes no exercise, in the words of a message."""

    CHEAP = f"cost at most {TOLERANCE:.0f} percentage points of winning chances"
    NO_BETTER = "without a better move in the file; boomslang analyse finds it"


def exercises_of(
    report: GameReport, colour: chess.Color, judgements: frozenset[Judgement]
) -> Iterator[Exercise | LeftOut]:
    """The positions in which a player's move was judged so, or why they make no exercise.

    The move must have cost more than an exercise allows, and a better one must be known.
    """
    for move in report.moves:
        if move and move.board.turn == colour and move.judgement in judgements:
            yield exercise_of(report, move)


def repertoire_exercise(position: RepertoirePosition) -> Exercise:
    """A position of a repertoire, whose moves are all right; its name is that of all ways to it."""
    board = position.board
    line = line_words(position.start, position.line)
    moves = [move.uci() for move in position.right_moves()]
    return Exercise(
        fen=board.fen(shredder=board.chess960),
        chess960=board.chess960,
        best=(moves[0],),
        chance=100.0,
        played="",
        known=dict.fromkeys(moves, 100.0),
        origin=": ".join(filter(None, [position.chapter, line])),
    )


def exercise_of(report: GameReport, move: MoveReport) -> Exercise | LeftOut:
    """The position before a judged move, or why it makes no exercise."""
    if round(move.chance_before, 1) - round(move.chance_after, 1) <= TOLERANCE:
        return LeftOut.CHEAP
    if not move.before.best.pv:
        return LeftOut.NO_BETTER
    board = move.board
    known_chances = {
        line.pv[0].uci(): round(win_chance(judged_score(line, report.by_wdl)), 1)
        for line in move.before.lines
        if line.pv
    }
    known_chances[move.move.uci()] = round(move.chance_after, 1)
    return Exercise(
        fen=board.fen(shredder=board.chess960, en_passant="fen"),
        chess960=board.chess960,
        best=tuple(map(chess.Move.uci, move.before.best.pv[:_MAX_PLIES])),
        chance=round(move.chance_before, 1),
        played=move.move.uci(),
        known=known_chances,
        origin=_origin(report),
        reason=move.reason.text if move.reason else "",
        by_wdl=report.by_wdl,
        found=move.peers.best if move.peers else None,
    )


def _origin(report: GameReport) -> str:
    headers = report.game.headers
    players = f"{headers.get('White', '?')} – {headers.get('Black', '?')}"
    date = headers.get("Date", "?")
    return f"{players}, {date}" if date.strip("?.") else players
