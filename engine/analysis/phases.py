"""The phases of a game by material and development, and the accuracy of each player in each.

The idea is that of Lichess (scalachess, Divider); the rule here is simpler. It looks at two things: how many
queens, rooks, bishops and knights both sides have together, and how many pieces a side has on its first rank,
pawns and king included.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import chess
import chess.pgn

from boomslang.engine.analysis.assessment import MoveReport, accuracies

_MIDDLEGAME_PIECES: Final = 10  # queens, rooks, bishops and knights of both sides, of 14
_ENDGAME_PIECES: Final = 6
_UNDEVELOPED: Final = 4  # pieces on the first rank of a side that still is in the opening


class Phase(StrEnum):
    """A phase of a game."""

    OPENING = "opening"
    MIDDLEGAME = "middlegame"
    ENDGAME = "endgame"


def phases_of(game: chess.pgn.Game) -> list[Phase]:
    """The phase in which each move of the main line is made: that of the position before it.

    A phase once reached is not left again for an earlier one.
    """
    if not game.variations:
        return []  # perhaps a game of another variant, whose board cannot be made
    board = game.board()
    phase = Phase.OPENING
    phases: list[Phase] = []
    for move in game.mainline_moves():
        if phase != Phase.ENDGAME:
            phase = _later(phase, phase_of(board))
        phases.append(phase)
        board.push(move)
    return phases


def phase_of(board: chess.Board) -> Phase:
    """The phase that a position is in, looked at alone."""
    pieces = (board.occupied & ~board.pawns & ~board.kings).bit_count()
    if pieces <= _ENDGAME_PIECES:
        return Phase.ENDGAME
    ranks = (
        board.occupied_co[chess.WHITE] & chess.BB_RANK_1,
        board.occupied_co[chess.BLACK] & chess.BB_RANK_8,
    )
    developed = any(rank.bit_count() < _UNDEVELOPED for rank in ranks)
    return Phase.MIDDLEGAME if developed or pieces <= _MIDDLEGAME_PIECES else Phase.OPENING


def phase_accuracies(
    phases: Sequence[Phase], moves: Sequence[MoveReport | None]
) -> dict[Phase, tuple[float | None, float | None]]:
    """White's and Black's accuracy, in percent, in each phase that the game has."""
    return {
        phase: accuracies([m for p, m in zip(phases, moves, strict=True) if p == phase])
        for phase in Phase
        if phase in phases
    }


def _later(one: Phase, other: Phase) -> Phase:
    order = list(Phase)
    return max(one, other, key=order.index)
