"""Alpha-beta: the value of minimax without looking at what cannot change it.

    alphabeta(node, alpha, beta):
        if the game is over, or the depth is used up: return the value of the node
        for each child, the most promising first:
            value = -alphabeta(child, -beta, -alpha)
            if value >= beta: return          # the opponent will not let us come here
            alpha = max(alpha, value)         # we have this much already
        return the best value

Alpha is what the player to move is sure of elsewhere, beta what the opponent is sure of. A value
inside the window alpha < value < beta is exact. Outside of it there are two schools:

* fail-hard returns the border of the window, alpha or beta, and nothing is known beyond;
* fail-soft returns the best value seen: an upper bound if it is <= alpha, a lower bound if >= beta.

Both visit the same nodes; the tighter bounds of fail-soft pay when they are kept in a table.

With the best move always first, a uniform tree of b moves and depth d costs b^ceil(d/2) +
b^floor(d/2) - 1 leaves instead of b^d, and no method can do with fewer (Knuth and Moore, 1975).
Fail-soft is Fishburn's ("Analysis of Speedup in Distributed Algorithms", 1981).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf
from typing import Any, Generic, Protocol

from boomslang.engine.textbook.game import UNLIMITED, G, K, NodeCounter, SearchOutcome


def as_generated(game: Any, moves: Sequence[Any]) -> Sequence[Any]:
    """No ordering: the moves as the game lists them."""
    return moves


def forget(game: Any, move: Any) -> None:
    """Learn nothing."""


def no_extension(game: Any) -> int:
    """Every line is searched to the same depth."""
    return 0


def settle_at_once(game: G, plan: AlphaBetaFeatures[G], alpha: float, beta: float) -> SearchOutcome:
    """At the horizon: trust the evaluation."""
    plan.counter.visit()
    return SearchOutcome(game.value() if game.is_over() else game.evaluate())


@dataclass(frozen=True)
class AlphaBetaFeatures(Generic[G]):
    """What may be exchanged in an alpha-beta search. The default is the bare algorithm."""

    counter: NodeCounter = field(default_factory=NodeCounter)
    order: Callable[[G, Sequence[Any]], Sequence[Any]] = as_generated
    """Sorts the moves. The sooner the best one comes, the more is cut off."""
    learn: Callable[[G, Any], None] = forget
    """Is told the best move of a position, or the one that refuted it, for use by `order`."""
    extend: Callable[[G], int] = no_extension
    """How many plies deeper than the rest to search this position."""
    settle: Callable[[G, AlphaBetaFeatures[G], float, float], SearchOutcome] = settle_at_once
    """The value of a position at the horizon, within the window; counts its own nodes."""
    highest: float = inf
    """Extreme-value pruning: after a move worth this much no other is tried."""


class AlphaBeta(Protocol[G]):
    """`fail_hard`, `fail_soft` and searches with the same arguments."""

    def __call__(
        self,
        game: G,
        plan: AlphaBetaFeatures[G],
        depth: int = ...,
        alpha: float = ...,
        beta: float = ...,
    ) -> SearchOutcome:
        """The value of `game` for the player to move and a line of best play."""
        ...


def fail_hard(
    game: G,
    plan: AlphaBetaFeatures[G],
    depth: int = UNLIMITED,
    alpha: float = -inf,
    beta: float = inf,
) -> SearchOutcome:
    """Alpha-beta whose answer never leaves the window."""
    depth += plan.extend(game)
    if depth <= 0:
        settled = plan.settle(game, plan, alpha, beta)
        return settled._replace(value=max(alpha, min(beta, settled.value)))
    plan.counter.visit()
    if game.is_over():
        return SearchOutcome(max(alpha, min(beta, game.value())))
    best = SearchOutcome(alpha)
    for move in plan.order(game, game.moves()):
        answer = fail_hard(game.play(move), plan, depth - 1, -beta, -best.value)
        value = -answer.value
        if value > best.value:
            best = SearchOutcome(value, (move, *answer.line))
        if value >= min(beta, plan.highest):
            break
    if best.line:
        plan.learn(game, best.line[0])
    return best


def fail_soft(
    game: G,
    plan: AlphaBetaFeatures[G],
    depth: int = UNLIMITED,
    alpha: float = -inf,
    beta: float = inf,
) -> SearchOutcome:
    """Alpha-beta whose answer outside the window is the tightest bound that was seen."""
    depth += plan.extend(game)
    if depth <= 0:
        return plan.settle(game, plan, alpha, beta)
    plan.counter.visit()
    if game.is_over():
        return SearchOutcome(game.value())
    best = SearchOutcome(-inf)
    for move in plan.order(game, game.moves()):
        answer = fail_soft(game.play(move), plan, depth - 1, -beta, -max(alpha, best.value))
        value = -answer.value
        if value > best.value:
            best = SearchOutcome(value, (move, *answer.line))
        if value >= min(beta, plan.highest):
            break
    plan.learn(game, best.line[0])
    return best


class TranspositionDict(Generic[K]):
    """Remembers each position's best move, and orders it first when the position comes again."""

    def __init__(self, order: Callable[[K, Sequence[Any]], Sequence[Any]] = as_generated) -> None:
        self._order = order
        self._best: dict[Hashable, Any] = {}

    def learn(self, game: K, move: Any) -> None:
        """Remember the best move of a position."""
        self._best[game.key()] = move

    def order(self, game: K, moves: Sequence[Any]) -> Sequence[Any]:
        """The remembered move, then the rest in the order that was given at the start."""
        ordered = self._order(game, moves)
        best = self._best.get(game.key())
        if best is None or best not in ordered:
            return ordered
        return [best, *(move for move in ordered if move != best)]


def iterative_deepening(
    game: K, plan: AlphaBetaFeatures[K], search: AlphaBeta[K] = fail_soft
) -> Iterator[SearchOutcome]:
    """Search one ply deep, then two, three ... with the best moves of the last time first.

    The repeated work costs little, as the last search is the largest by far, and the ordering that
    it brings saves more. And there is an answer whenever time is up (Slate and Atkin, "Chess 4.5",
    1977). Endless: the caller takes as many as it wants.
    """
    memory = TranspositionDict(plan.order)
    plan = replace(plan, order=memory.order, learn=memory.learn)
    for depth in count(1):
        yield search(game, plan, depth)
