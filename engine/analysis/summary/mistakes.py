"""Kinds of mistakes, by the reasons of the report, and without one by the lines of the analysis."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, ReasonKind
from boomslang.engine.analysis.reasons.exchange import steps
from boomslang.engine.analysis.reasons.material import outcome

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

    Without a reason material is lost if the line after the move loses at least two pawns, and missed if the
    best line wins as much.
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
    lines = ([move.move, *move.after.best.pv], move.before.best.pv)
    played, best = (
        outcome(steps(move.board, line, move.board.turn), move.board.turn) or 0 for line in lines
    )
    if played <= -_MIN_GAIN:
        return MistakeKind.LOST_MATERIAL
    return MistakeKind.MISSED_MATERIAL if best >= _MIN_GAIN else MistakeKind.OTHER
