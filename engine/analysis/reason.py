"""The reason why a move is bad."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import chess


class ReasonKind(StrEnum):
    """What a reason says of a move."""

    ALLOWS_MATE = "allows mate"
    MISSES_MATE = "misses mate"
    LOSES_MATERIAL = "loses material"
    MISSES_MATERIAL = "misses material"
    STALEMATE = "stalemate"
    PERPETUAL = "perpetual check"
    REPETITION = "repetition"
    ONLY_MOVE = "only move"
    POSITION = "position"


class Motif(StrEnum):
    """How a line wins what it wins."""

    FORK = "fork"
    DISCOVERED = "discovered attack"
    SKEWER = "skewer"
    PIN = "pin"
    TRAPPED = "trapped piece"
    DEFENDER = "capture of the defender"
    DEFLECTION = "deflection"
    MATE_THREAT = "threat of mate"
    IN_BETWEEN = "in-between move"
    PROMOTION = "promotion"
    UNDEFENDED = "undefended"
    LEFT = "defence given up"
    OPENED = "line opened"
    BACK_RANK = "back rank"
    REPLY = "allowed reply"
    THREAT = "overlooked threat"
    SQUARE = "worse square"
    HARM = "harmful move"
    IDLE = "idle move"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is bad, in one sentence."""

    kind: ReasonKind
    text: str
    line: tuple[str, ...]  # UCI moves that show it
    instead: bool  # the line is played instead of the move, not after it
    means: Motif | None = None
    squares: tuple[chess.Square, ...] = ()  # what the sentence names
