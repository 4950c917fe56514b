"""What the algorithms of this package know about a game, and what they answer.

A game has two players who move in turn; what one wins the other loses. A position is a value:
`play` returns the next position and leaves the old one alone, so that an algorithm can walk the
tree in any order, and stop anywhere, with nothing to take back.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple, Protocol, Self, TypeVar

UNLIMITED: Final = sys.maxsize  # a depth that no game reaches


class Game(Protocol):
    """A position of a game. Values are those for the player to move: more is better."""

    def moves(self) -> Sequence[Any]:
        """The legal moves; at least one unless the game is over."""
        ...

    def play(self, move: Any) -> Self:
        """The position after one of the moves, with the other player to move."""
        ...

    def is_over(self) -> bool:
        """True if the game has ended here."""
        ...

    def value(self) -> float:
        """What a finished game is worth to the player to move."""
        ...

    def evaluate(self) -> float:
        """An estimate of what an unfinished game is worth to the player to move (a heuristic)."""
        ...


class Keyed(Game, Protocol):
    """A game that tells when two paths have led to the same position."""

    def key(self) -> Hashable:
        """Equal for equal positions, different for different ones."""
        ...


class Forcing(Game, Protocol):
    """A game that tells where its evaluation is not to be trusted."""

    def forcing_moves(self) -> Sequence[Any]:
        """The moves that change the evaluation at one blow, such as captures; there may be none."""
        ...

    def is_forced(self) -> bool:
        """True if the player to move must answer a threat, as when in check."""
        ...


G = TypeVar("G", bound=Game)
K = TypeVar("K", bound=Keyed)
F = TypeVar("F", bound=Forcing)


class SearchOutcome(NamedTuple):
    """The answer of a search: the value of a position, and the line of best moves behind it."""

    value: float
    line: tuple[Any, ...] = ()


class SearchInterruptedError(Exception):
    """Raised by a counter to end a search at once; there is nothing to clean up."""


class NodeCounter:
    """Counts the nodes that a search visits. Subclasses may raise SearchInterruptedError from `visit`."""

    def __init__(self) -> None:
        self.nodes = 0

    def visit(self) -> None:
        """Called by every algorithm once for each position that it looks at, the root included."""
        self.nodes += 1
