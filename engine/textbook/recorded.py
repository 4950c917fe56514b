"""Watches a search from outside: the tree that it visits, in the order in which it does.

A `Recorded` position is a game like any other, so any algorithm of this package can search it. It hands all
questions on to the real game and notes what was asked. Whether a branch was cut off, and the window in
which alpha-beta looked at a node, follow from that:

* a node is left when the search goes on elsewhere; its value is the best of what was seen below it;
* a node with moves that were never played has been cut off;
* the window of a child is that of its parent, seen from the other side, narrowed by what was found there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic

from engine.textbook.game import F, G


def all_moves(game: Any, moves: Sequence[Any]) -> Sequence[Any]:
    """Every move may be searched."""
    return moves


@dataclass(slots=True)
class Visited(Generic[G]):
    """A node. Values are for the player to move, as in negamax; None as long as nothing is known."""

    game: G
    parent: int  # -1 for the root
    move: Any  # that led here
    alpha: float = -inf  # the window when it was entered
    beta: float = inf
    moves: int = 0  # that there were to search; 0 for a leaf
    searched: int = 0  # of them
    value: float | None = None

    @property
    def left_out(self) -> int:
        """The moves that were never looked at, if the node is one that has been left."""
        return self.moves - self.searched if self.searched else 0


@dataclass(slots=True)
class Recorder(Generic[G]):
    """The tree so far: `nodes` in the order in which they were entered, the root first.

    `events` tells the same with what came between: n for entering node n, ~n (-n - 1) for leaving it.
    """

    choose: Callable[[G, Sequence[Any]], Sequence[Any]] = all_moves  # the moves worth searching
    nodes: list[Visited[G]] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    _path: list[int] = field(default_factory=list)  # nodes that are not left yet

    def watch(self, game: G) -> Recorded[G]:
        """The root, to be searched; called once."""
        return self._enter(Visited(game, -1, None))

    def enter(self, parent: int, move: Any, game: G) -> Recorded[G]:
        """A move was made."""
        self._leave_until(parent)
        above = self.nodes[parent]
        above.searched += 1
        best = -inf if above.value is None else above.value
        return self._enter(Visited(game, parent, move, -above.beta, -max(above.alpha, best)))

    def finish(self) -> None:
        """The search has ended."""
        self._leave_until(-1)

    def _enter(self, node: Visited[G]) -> Recorded[G]:
        number = len(self.nodes)
        self.nodes.append(node)
        self.events.append(number)
        self._path.append(number)
        return Recorded(self, number)

    def _leave_until(self, parent: int) -> None:
        while self._path and self._path[-1] != parent:
            number = self._path.pop()
            node = self.nodes[number]
            self.events.append(~number)
            if self._path and node.value is not None:
                above = self.nodes[self._path[-1]]
                above.value = max(-inf if above.value is None else above.value, -node.value)


class Recorded(Generic[G]):
    """A position of a game that is watched."""

    __slots__ = ("_node", "_number", "_recorder", "game")

    def __init__(self, recorder: Recorder[G], number: int) -> None:
        self._recorder = recorder
        self._number = number
        self._node = recorder.nodes[number]
        self.game = self._node.game

    def moves(self) -> Sequence[Any]:
        """The moves that the recorder lets pass."""
        moves = self._recorder.choose(self.game, self.game.moves())
        self._node.moves = len(moves)
        return moves

    def play(self, move: Any) -> Recorded[G]:
        """The position after a move, watched too."""
        return self._recorder.enter(self._number, move, self.game.play(move))

    def is_over(self) -> bool:
        """As the game says."""
        return self.game.is_over()

    def value(self) -> float:
        """As the game says; noted as the value of a leaf."""
        return self._note(self.game.value())

    def evaluate(self) -> float:
        """As the game says; noted as the value of a leaf."""
        return self._note(self.game.evaluate())

    def forcing_moves(self: Recorded[F]) -> Sequence[Any]:
        """As the game says; all of them are let pass."""
        moves = self.game.forcing_moves()
        self._node.moves = len(moves)
        return moves

    def is_forced(self: Recorded[F]) -> bool:
        """As the game says."""
        return self.game.is_forced()

    def _note(self, value: float) -> float:
        self._node.value = value
        return value
