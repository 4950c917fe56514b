"""Kinds of mistakes, by the reasons of the report, and without one by the lines of the analysis."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, ReasonKind
from boomslang.engine.levels.piece_values import POINTS, balance
from boomslang.engine.limits import Info

_MAX_PLIES: Final = 7  # plies of a line in which material changes hands
_MIN_GAIN: Final = 2  # pawns that are more than the usual exchange of one


class MistakeKind(StrEnum):
    """What a judged move did."""

    MISSED_MATE = "missed a mate"
    ALLOWED_MATE = "allowed a mate"
    LOST_MATERIAL = "lost material"
    MISSED_MATERIAL = "missed material"
    DRAW = "allowed or missed a draw"
    ONLY_MOVE = "missed the only move"
    REPLY = "allowed a strong reply"
    THREAT = "overlooked a threat"
    MISSED_THREAT = "missed a threat"
    TRADE = "wrong trade"
    HARM = "worse than a pass"
    IDLE = "no better than a pass"
    OTHER = "other"


_BY_REASON: Final = {
    ReasonKind.ALLOWS_MATE: MistakeKind.ALLOWED_MATE,
    ReasonKind.MISSES_MATE: MistakeKind.MISSED_MATE,
    ReasonKind.LOSES_MATERIAL: MistakeKind.LOST_MATERIAL,
    ReasonKind.MISSES_MATERIAL: MistakeKind.MISSED_MATERIAL,
    ReasonKind.ONLY_MOVE: MistakeKind.ONLY_MOVE,
}
_BY_MEANS: Final[Mapping[Motif | None, MistakeKind]] = {
    Motif.REPLY: MistakeKind.REPLY,
    Motif.THREAT: MistakeKind.THREAT,
    Motif.MISSED_THREAT: MistakeKind.MISSED_THREAT,
    Motif.TRADE: MistakeKind.TRADE,
    Motif.HARM: MistakeKind.HARM,
    Motif.IDLE: MistakeKind.IDLE,
}


def kind_of(move: MoveReport) -> str:
    """The kind of a judged move, with the means of its reason: "lost material: fork".

    Without a reason material is lost if the best reply wins at least two pawns, as `won_material` counts
    them, and missed if the best move would have won as much.
    """
    if reason := move.reason:
        kind = _BY_REASON.get(reason.kind, MistakeKind.DRAW)
        if reason.kind == ReasonKind.POSITION:
            return _BY_MEANS.get(reason.means, MistakeKind.OTHER)
        return f"{kind}: {reason.means}" if reason.means else kind
    if move.missed_mate is not None:
        return MistakeKind.MISSED_MATE
    if move.allowed_mate is not None:
        return MistakeKind.ALLOWED_MATE
    after = move.board.copy(stack=False)
    after.push(move.move)
    gained = balance(after, not move.board.turn) - balance(move.board, not move.board.turn)
    if gained + won_material(after, move.after.best) >= _MIN_GAIN:
        return MistakeKind.LOST_MATERIAL
    if won_material(move.board, move.before.best) >= _MIN_GAIN:
        return MistakeKind.MISSED_MATERIAL
    return MistakeKind.OTHER


def won_material(board: chess.Board, line: Info) -> int:
    """Pawns that the side to move wins in a line, where its last exchange within seven plies is over.

    That is before a quiet move, or at the end of the line. If a piece there has captured and can be captured,
    it counts as lost: a line may end in the middle of an exchange.
    """
    side = board.turn
    before = balance(board, side)
    after = board.copy(stack=False)
    won = 0
    taken: chess.Square | None = None  # where the last move has captured
    for move in line.pv[:_MAX_PLIES]:
        is_capture = after.is_capture(move)
        if not is_capture and move.promotion is None:
            won = balance(after, side) - before
        taken = move.to_square if is_capture else None
        after.push(move)
    if len(line.pv) <= _MAX_PLIES:
        won = balance(after, side) - before
        if taken is not None and any(move.to_square == taken for move in after.legal_moves):
            kind = after.piece_type_at(taken) or chess.PAWN
            won += POINTS[kind] if after.turn == side else -POINTS[kind]
    return won
