"""A chess clock for a game in a terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import chess

_MAX_BASE: Final = 600  # minutes, and seconds of increment


@dataclass(frozen=True, slots=True)
class Control:
    """A time control, in seconds."""

    base: float
    increment: float

    @classmethod
    def parse(cls, text: str) -> Control:
        """Parse minutes and increment in seconds, like 5+3 or 0.5; raises ValueError."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text)
        base, increment = (float(match[1]), float(match[2] or 0)) if match else (0.0, 0.0)
        if not 0 < base <= _MAX_BASE or increment > _MAX_BASE:
            raise ValueError(
                f"'{text}' is not a time control like 5+3: minutes, and increment in seconds"
            )
        return cls(base * 60, increment)

    def tag(self) -> str:
        """The value of the PGN tag TimeControl."""
        return f"{self.base:g}+{self.increment:g}" if self.increment else f"{self.base:g}"


class ChessClock:
    """The remaining seconds of each side, with their history."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self._left = [control.base, control.base]  # by colour, Black first
        self._before: list[list[float]] = []

    def left(self, colour: chess.Color) -> float:
        """The remaining seconds of a side."""
        return self._left[colour]

    def spend(self, colour: chess.Color, seconds: float) -> bool:
        """Deduct the time of a move; False if it exceeds the remaining time."""
        self._before.append(self._left.copy())
        if seconds > self._left[colour]:
            self._left[colour] = 0.0
            return False
        self._left[colour] += self.control.increment - seconds
        return True

    def undo(self) -> None:
        """Undo the last move, or the one that exceeded the time."""
        self._left = self._before.pop()


def format_time(seconds: float) -> str:
    """The time as text: 4:07, or 9.3 when it is short."""
    if seconds < 20:
        return f"{max(seconds, 0.0):.1f}"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
