"""Records the tree that a search visits, in the order of visits, without changing the algorithm.

A `RecordedGame` position is a game like any other, so any algorithm of this package can search it. It
forwards all calls to the real game and records them. Cut-offs, and the alpha-beta window of each node,
follow from the calls:

* a node is left when the search continues elsewhere; its value is the best value seen below it;
* a node with moves that were never played has been cut off;
* the window of a child is the negated window of its parent, narrowed by the values found so far.
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
class RecordedNode:
    """A node. Values are for the player to move, as in negamax; None while unknown.

    Positions are not stored, to save memory; they follow from the moves from the root.
    """

    parent: int  # -1 for the root
    move: Any  # that led here
    alpha: float = -inf  # the window when it was entered
    beta: float = inf
    moves: int = 0  # available to search; 0 for a leaf
    searched: int = 0  # those that were searched
    value: float | None = None

    @property
    def left_out(self) -> int:
        """The number of moves that were never searched, once the node has been left."""
        return self.moves - self.searched if self.searched else 0


@dataclass(slots=True)
class Recorder(Generic[G]):
    """The tree so far: `nodes` in the order in which they were entered, the root first.

    `events` is the sequence of entries and exits: n for entering node n, ~n (-n - 1) for leaving it.
    """

    choose: Callable[[G, Sequence[Any]], Sequence[Any]] = all_moves  # the moves worth searching
    nodes: list[RecordedNode] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    _path: list[int] = field(default_factory=list)  # nodes not left yet

    def watch(self, game: G) -> RecordedGame[G]:
        """The root, to be searched; called once."""
        return self._enter(game, RecordedNode(-1, None))

    def enter(self, parent: int, move: Any, game: G) -> RecordedGame[G]:
        """A move was made."""
        self._leave_until(parent)
        above = self.nodes[parent]
        above.searched += 1
        best = -inf if above.value is None else above.value
        return self._enter(game, RecordedNode(parent, move, -above.beta, -max(above.alpha, best)))

    def finish(self) -> None:
        """The search has ended."""
        self._leave_until(-1)

    def _enter(self, game: G, node: RecordedNode) -> RecordedGame[G]:
        number = len(self.nodes)
        self.nodes.append(node)
        self.events.append(number)
        self._path.append(number)
        return RecordedGame(self, number, game)

    def _leave_until(self, parent: int) -> None:
        while self._path and self._path[-1] != parent:
            number = self._path.pop()
            node = self.nodes[number]
            self.events.append(~number)
            if self._path and node.value is not None:
                above = self.nodes[self._path[-1]]
                above.value = max(-inf if above.value is None else above.value, -node.value)


class RestrictedGame(Generic[G]):
    """A position of a game in which only some of the moves are searched; nothing is recorded."""

    __slots__ = ("choose", "game")

    def __init__(self, game: G, choose: Callable[[G, Sequence[Any]], Sequence[Any]]) -> None:
        self.game = game
        self.choose = choose

    def moves(self) -> Sequence[Any]:
        """The chosen moves."""
        return self.choose(self.game, self.game.moves())

    def play(self, move: Any) -> RestrictedGame[G]:
        """The position after a move, narrowed too."""
        return RestrictedGame(self.game.play(move), self.choose)

    def is_over(self) -> bool:
        """As the game says."""
        return self.game.is_over()

    def value(self) -> float:
        """As the game says."""
        return self.game.value()

    def evaluate(self) -> float:
        """As the game says."""
        return self.game.evaluate()

    def forcing_moves(self: RestrictedGame[F]) -> Sequence[Any]:
        """As the game says: all of them may be searched."""
        return self.game.forcing_moves()

    def is_forced(self: RestrictedGame[F]) -> bool:
        """As the game says."""
        return self.game.is_forced()


class RecordedGame(RestrictedGame[G]):
    """A position of a recorded game."""

    __slots__ = ("_node", "_number", "_recorder")

    def __init__(self, recorder: Recorder[G], number: int, game: G) -> None:
        super().__init__(game, recorder.choose)
        self._recorder = recorder
        self._number = number
        self._node = recorder.nodes[number]

    def moves(self) -> Sequence[Any]:
        """The moves chosen by the recorder."""
        moves = super().moves()
        self._node.moves = len(moves)
        return moves

    def play(self, move: Any) -> RecordedGame[G]:
        """The position after a move, recorded too."""
        return self._recorder.enter(self._number, move, self.game.play(move))

    def value(self) -> float:
        """As the game says; noted as the value of a leaf."""
        return self._record(self.game.value())

    def evaluate(self) -> float:
        """As the game says; noted as the value of a leaf."""
        return self._record(self.game.evaluate())

    def forcing_moves(self: RecordedGame[F]) -> Sequence[Any]:
        """As the game says; all of them may be searched."""
        moves = self.game.forcing_moves()
        self._node.moves = len(moves)
        return moves

    def _record(self, value: float) -> float:
        self._node.value = value
        return value
