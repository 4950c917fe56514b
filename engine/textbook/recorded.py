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

from boomslang.engine.textbook.game import F, G


def all_moves(game: Any, moves: Sequence[Any]) -> Sequence[Any]:
    """Every move may be searched."""
    return moves


@dataclass(slots=True)
class Visited:
    """A node. Values are for the player to move, as in negamax; None as long as nothing is known.

    Positions are not kept, for there may be very many: who wants one plays the moves from the root.
    """

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
    nodes: list[Visited] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    _path: list[int] = field(default_factory=list)  # nodes that are not left yet

    def watch(self, game: G) -> Recorded[G]:
        """The root, to be searched; called once."""
        return self._enter(game, Visited(-1, None))

    def enter(self, parent: int, move: Any, game: G) -> Recorded[G]:
        """A move was made."""
        self._leave_until(parent)
        above = self.nodes[parent]
        above.searched += 1
        best = -inf if above.value is None else above.value
        return self._enter(game, Visited(parent, move, -above.beta, -max(above.alpha, best)))

    def finish(self) -> None:
        """The search has ended."""
        self._leave_until(-1)

    def _enter(self, game: G, node: Visited) -> Recorded[G]:
        number = len(self.nodes)
        self.nodes.append(node)
        self.events.append(number)
        self._path.append(number)
        return Recorded(self, number, game)

    def _leave_until(self, parent: int) -> None:
        while self._path and self._path[-1] != parent:
            number = self._path.pop()
            node = self.nodes[number]
            self.events.append(~number)
            if self._path and node.value is not None:
                above = self.nodes[self._path[-1]]
                above.value = max(-inf if above.value is None else above.value, -node.value)


class Narrowed(Generic[G]):
    """A position of a game in which only some of the moves are searched; nothing is noted."""

    __slots__ = ("choose", "game")

    def __init__(self, game: G, choose: Callable[[G, Sequence[Any]], Sequence[Any]]) -> None:
        self.game = game
        self.choose = choose

    def moves(self) -> Sequence[Any]:
        """Those that are chosen."""
        return self.choose(self.game, self.game.moves())

    def play(self, move: Any) -> Narrowed[G]:
        """The position after a move, narrowed too."""
        return Narrowed(self.game.play(move), self.choose)

    def is_over(self) -> bool:
        """As the game says."""
        return self.game.is_over()

    def value(self) -> float:
        """As the game says."""
        return self.game.value()

    def evaluate(self) -> float:
        """As the game says."""
        return self.game.evaluate()

    def forcing_moves(self: Narrowed[F]) -> Sequence[Any]:
        """As the game says: all of them may be searched."""
        return self.game.forcing_moves()

    def is_forced(self: Narrowed[F]) -> bool:
        """As the game says."""
        return self.game.is_forced()


class Recorded(Narrowed[G]):
    """A position of a game that is watched."""

    __slots__ = ("_node", "_number", "_recorder")

    def __init__(self, recorder: Recorder[G], number: int, game: G) -> None:
        super().__init__(game, recorder.choose)
        self._recorder = recorder
        self._number = number
        self._node = recorder.nodes[number]

    def moves(self) -> Sequence[Any]:
        """The moves that the recorder lets pass."""
        moves = super().moves()
        self._node.moves = len(moves)
        return moves

    def play(self, move: Any) -> Recorded[G]:
        """The position after a move, watched too."""
        return self._recorder.enter(self._number, move, self.game.play(move))

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

    def _note(self, value: float) -> float:
        self._node.value = value
        return value
