"""The counting game "22": from 0, the players in turn add 1, 2 or 3, until the sum is 20 or more.

Ending at 20 is a draw, at 21 a win, at 22 a double win for the player of the last move. Best play is a
draw: the player to move wins at 18 or 19, so the move at 17 must be to 20, and at 16 to 17. From any lower
sum, down to 0 at the start, the player to move can leave the opponent a sum with no more than a draw.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

DRAW: Final = 20


@dataclass(frozen=True, slots=True)
class TwentyTwo:
    """A position: the sum so far."""

    total: int = 0

    def moves(self) -> Sequence[int]:
        """The numbers that may be added."""
        return (1, 2, 3)

    def play(self, move: int) -> TwentyTwo:
        """Add a number."""
        return TwentyTwo(self.total + move)

    def is_over(self) -> bool:
        """True from 20 on."""
        return self.total >= DRAW

    def value(self) -> float:
        """0, -1 or -2: the opponent has drawn, won or doubly won."""
        return DRAW - self.total

    def evaluate(self) -> float:
        """Nothing is known before the end."""
        return 0

    def key(self) -> Hashable:
        """The sum."""
        return self.total
