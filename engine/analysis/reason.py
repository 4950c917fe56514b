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
    TURN = "turn of the game"


class Motif(StrEnum):
    """How a line wins what it wins."""

    FORK = "fork"
    DISCOVERED = "discovered attack"
    SKEWER = "skewer"
    PIN = "pin"
    UNDEFENDED = "undefended"
    BACK_RANK = "back rank"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is bad, in one sentence."""

    kind: ReasonKind
    text: str
    line: tuple[str, ...]  # UCI moves that show it
    instead: bool  # the line is played instead of the move, not after it
    means: Motif | None = None
    squares: tuple[chess.Square, ...] = ()  # what the sentence names
