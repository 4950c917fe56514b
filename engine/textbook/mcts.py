"""Monte Carlo tree search: grow the tree where it looks best, and evaluate by random games.

    repeat:
        selection:       from the root, go to the child with the best upper confidence bound,
                         until a node with untried moves
        expansion:       add one child for an untried move
        simulation:      play random moves from it to the end of the game
        backpropagation: add the result to every node on the path, turning its sign at each step

A child's bound is its mean result plus exploration * sqrt(ln(visits of the parent) / visits of the
child): good children are visited often, the others now and then, for they may have been unlucky.
With enough visits the means converge to the minimax value. This is UCT (Kocsis and Szepesvari,
"Bandit Based Monte-Carlo Planning", 2006; the bound is Auer's UCB1), in the four steps of Chaslot.

The solver keeps for each node a proven range low..high of its minimax value: a finished game is
certain, and a parent's range follows from its children's by the minimax rule. Children that cannot
be best any more are left out, and a root with low = high ends the search. For games that are only
won or lost it is Winands' MCTS-Solver (2008), with draws and other values Cazenave's score-bounded
search (2010).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import log, sqrt
from typing import Any, Generic

from boomslang.engine.textbook.game import UNLIMITED, G, NodeCounter, SearchOutcome


@dataclass(eq=False, slots=True)
class Node(Generic[G]):
    """A position in the tree. Values are for the player to move."""

    game: G
    low: float
    high: float
    untried: list[Any] = field(default_factory=list)
    children: dict[Any, Node[G]] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    @property
    def is_solved(self) -> bool:
        """True if the minimax value is proven."""
        return self.low == self.high

    @property
    def mean(self) -> float:
        """The proven value, or the average result held within the proven range."""
        return max(self.low, min(self.high, self.total / max(1, self.visits)))


@dataclass(frozen=True)
class Playouts:
    """Settings of the playouts.

    After `length` random moves the estimate counts as the result. `squash` maps values and estimates of the
    game to the range +-`highest`.
    """

    highest: float = 1.0
    exploration: float = 1.4
    length: int = UNLIMITED
    squash: Callable[[float], float] = float  # as they are


def monte_carlo(
    game: G, counter: NodeCounter, playouts: int, source: random.Random, how: Playouts | None = None
) -> SearchOutcome:
    """The value of `game` for the player to move after `playouts` playouts, or when it is proven.

    `source` makes a search repeatable. The line follows the most reliable moves.
    """
    how = how or Playouts()
    root = new_node(game, how)
    for _ in islice(grow(root, counter, source, how), playouts):
        pass
    return SearchOutcome(root.mean, _best_line(root, how))


def grow(
    root: Node[G], counter: NodeCounter, source: random.Random, how: Playouts
) -> Iterator[tuple[list[Node[G]], float]]:
    """Run one playout after the other until the root is proven.

    Each yields the path from the root to the evaluated node, which is new unless the game is over there, and
    the result from that node's view.
    """
    while not root.is_solved:
        path = _select(root, how)
        node = _expand(path[-1], how, source)
        if node is not path[-1]:
            path.append(node)
        counter.visit()
        result = node.low if node.is_solved else _simulate(node.game, counter, how, source)
        _backpropagate(path, result)
        yield path, result


def new_node(game: G, how: Playouts) -> Node[G]:
    """A node without children, such as the root of a new tree."""
    if game.is_over():
        value = how.squash(game.value())
        return Node(game, value, value)
    return Node(game, -how.highest, how.highest, list(game.moves()))


def _select(root: Node[G], how: Playouts) -> list[Node[G]]:
    """The path from the root to a node that has untried moves or is the end of a game."""
    path = [root]
    while not path[-1].untried and path[-1].children:
        node = path[-1]
        # Skip solved children, and those that cannot be better than the proven value.
        open_children = [
            child
            for child in node.children.values()
            if not child.is_solved and -child.low > node.low
        ]
        unsure = log(node.visits)
        weight = how.exploration * how.highest
        bounds = [-child.mean + weight * sqrt(unsure / child.visits) for child in open_children]
        path.append(open_children[bounds.index(max(bounds))])
    return path


def _expand(node: Node[G], how: Playouts, source: random.Random) -> Node[G]:
    """Add a child for one of the untried moves; the node itself if there are none."""
    if not node.untried:
        return node
    move = node.untried.pop(source.randrange(len(node.untried)))
    node.children[move] = new_node(node.game.play(move), how)
    return node.children[move]


def _simulate(game: G, counter: NodeCounter, how: Playouts, source: random.Random) -> float:
    """The result of a random game for the player to move at its start."""
    sign = 1
    for _ in range(how.length):
        if game.is_over():
            break
        game = game.play(source.choice(game.moves()))
        counter.visit()
        sign = -sign
    return sign * how.squash(game.value() if game.is_over() else game.evaluate())


def _backpropagate(path: list[Node[G]], result: float) -> None:
    """Add a result, from the view of the path's last node, to all its nodes; update the proven ranges."""
    for node in reversed(path):
        node.visits += 1
        node.total += result
        result = -result
        if node.children:
            children = node.children.values()
            node.low = max(node.low, max(-child.high for child in children))
            if not node.untried:
                node.high = min(node.high, max(-child.low for child in children))


def _best_line(root: Node[G], how: Playouts) -> tuple[Any, ...]:
    """The line of moves with the highest lower confidence bound (the "secure child")."""

    def trust(answer: tuple[Any, Node[G]]) -> float:
        _, child = answer
        return -child.mean - (0.0 if child.is_solved else how.highest / sqrt(child.visits))

    line = []
    node = root
    while node.children:
        move, node = max(node.children.items(), key=trust)
        line.append(move)
    return tuple(line)
