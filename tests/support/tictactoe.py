"""Tic-tac-toe (noughts and crosses): a draw when both play well."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

_LINES: Final = tuple(
    sum(1 << square for square in line)
    for line in (
        *((row, row + 1, row + 2) for row in (0, 3, 6)),
        *((column, column + 3, column + 6) for column in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    )
)
_FULL: Final = (1 << 9) - 1


@dataclass(frozen=True, slots=True)
class TicTacToe:
    """A position: the squares (bits 0 to 8) of the player to move and of the opponent."""

    mine: int = 0
    theirs: int = 0

    def moves(self) -> Sequence[int]:
        """The free squares."""
        return [square for square in range(9) if not (self.mine | self.theirs) >> square & 1]

    def play(self, move: int) -> TicTacToe:
        """Mark a square."""
        return TicTacToe(self.theirs, self.mine | 1 << move)

    def is_over(self) -> bool:
        """True if the opponent has just made a line, or the board is full."""
        return self._is_lost() or self.mine | self.theirs == _FULL

    def value(self) -> float:
        """-1 for a lost game, 0 for a draw; the player to move has never won."""
        return -1 if self._is_lost() else 0

    def evaluate(self) -> float:
        """The lines still open to us less those open to the opponent, between -1 and 1."""
        ours = sum(not line & self.theirs for line in _LINES)
        return (ours - sum(not line & self.mine for line in _LINES)) / 9

    def key(self) -> Hashable:
        """The squares of both."""
        return self.mine, self.theirs

    def _is_lost(self) -> bool:
        return any(line & self.theirs == line for line in _LINES)
