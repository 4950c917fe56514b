"""The interface of a game to the algorithms of this package, and their results.

A game has two players who move in turn; it is zero-sum. A position is a value: `play` returns the next
position and does not change the old one, so an algorithm can traverse the tree in any order and stop
anywhere without taking moves back.
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
        """The value of a finished game for the player to move."""
        ...

    def evaluate(self) -> float:
        """A heuristic estimate of the value of an unfinished game for the player to move."""
        ...


class SupportsTranspositions(Game, Protocol):
    """A game whose positions have keys, by which transpositions are recognised."""

    def key(self) -> Hashable:
        """Equal for equal positions, different for different ones."""
        ...


class SupportsQuiescence(Game, Protocol):
    """A game that knows where its evaluation is unreliable."""

    def forcing_moves(self) -> Sequence[Any]:
        """The moves that change the evaluation abruptly, such as captures; may be empty."""
        ...

    def is_forced(self) -> bool:
        """True if the player to move must answer a threat, as when in check."""
        ...


G = TypeVar("G", bound=Game)
K = TypeVar("K", bound=SupportsTranspositions)
F = TypeVar("F", bound=SupportsQuiescence)


class SearchOutcome(NamedTuple):
    """The result of a search: the value of a position, and its principal variation."""

    value: float
    line: tuple[Any, ...] = ()


class SearchInterruptedError(Exception):
    """Raised by a counter to end a search at once; no cleanup is needed."""


class NodeCounter:
    """Counts the nodes that a search visits. Subclasses may raise SearchInterruptedError from `visit`."""

    def __init__(self) -> None:
        self.nodes = 0

    def visit(self) -> None:
        """Called by every algorithm once for each node, including the root."""
        self.nodes += 1
