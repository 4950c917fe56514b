"""The reason why a move is bad."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

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
    MISSED_THREAT = "missed threat"
    TRADE = "trade"
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


# How the sentences of each kind begin, and what they say where a means is named; the first that fits.
_BEGINNINGS: Final = {
    "Allows mate": ReasonKind.ALLOWS_MATE,
    "Misses mate": ReasonKind.MISSES_MATE,
    r"(Allows |Misses )?stalemate": ReasonKind.STALEMATE,
    r"(Allows |Misses )?threefold": ReasonKind.REPETITION,
    "(Allows|Misses) perpetual": ReasonKind.PERPETUAL,
    "Only": ReasonKind.ONLY_MOVE,
    r"Misses the trade|Trades|Misses \d": ReasonKind.POSITION,
    "Misses": ReasonKind.MISSES_MATERIAL,
    "Opens .* own king": ReasonKind.POSITION,
    r"Loses|Lets|Opens|Leaves .* (without|to \w+ defenders?)\b": ReasonKind.LOSES_MATERIAL,
    "": ReasonKind.POSITION,
}
_MEANS: Final = {
    r"^Allows \d": Motif.REPLY,
    r"^Misses \d": Motif.MISSED_THREAT,
    "^(Trades|Misses the trade)": Motif.TRADE,
    "promot": Motif.PROMOTION,
    "back rank": Motif.BACK_RANK,
    "to the own king": Motif.HARM,
    "^Opens": Motif.OPENED,
    "^Leaves .* (without|to)": Motif.LEFT,
    "forks": Motif.FORK,
    "discovered": Motif.DISCOVERED,
    "skewers": Motif.SKEWER,
    "pin(s|ned)": Motif.PIN,
    "traps": Motif.TRAPPED,
    "takes the defender": Motif.DEFENDER,
    "draws the": Motif.DEFLECTION,
    "threatens mate": Motif.MATE_THREAT,
    "in between": Motif.IN_BETWEEN,
    "undefended": Motif.UNDEFENDED,
    "^Does nothing": Motif.THREAT,
    "^Does harm": Motif.HARM,
    "^Achieves": Motif.IDLE,
}


def read_reason(text: str) -> Reason | None:
    """The reason of a sentence of an annotated game, without its line; None for the words of others."""
    kind = next(kind for words, kind in _BEGINNINGS.items() if re.match(words, text, re.I))
    means = next((means for words, means in _MEANS.items() if re.search(words, text)), None)
    if kind == ReasonKind.POSITION and means is None:
        return None
    return Reason(kind, text, (), text.startswith(("Misses", "Only")), means)
