"""Quiescence search and check extension: two remedies for the horizon effect.

A search of fixed depth trusts the evaluation at its last ply, although a capture may be pending there.
Worse, it pushes an unavoidable loss beyond its horizon by delaying moves that cost something
(Berliner, "Some Necessary Conditions for a Master Chess Program", 1973).

    quiesce(node, alpha, beta):
        if the game is over: return its value
        unless a threat must be answered:
            best = the evaluation             # "stand pat": no one is forced to capture
            if best >= beta: return best
        for each capture, or each move when a threat must be answered:
            go on as in alpha-beta

The idea is Turing's and Shannon's: evaluate quiet positions only.
"""

from __future__ import annotations

from math import inf

from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures
from boomslang.engine.textbook.game import UNLIMITED, F, SearchOutcome


def quiesce(
    game: F, plan: AlphaBetaFeatures[F], alpha: float, beta: float, plies: int = UNLIMITED
) -> SearchOutcome:
    """The value of `game` after all exchanges, fail-soft; for the feature `settle` of alpha-beta.

    After `plies` plies of exchanges the evaluation is returned as it is.
    """
    plan.counter.visit()
    if game.is_over():
        return SearchOutcome(game.value())
    if plies == 0:
        return SearchOutcome(game.evaluate())
    if game.is_forced():
        best, moves = SearchOutcome(-inf), game.moves()
    else:
        best = SearchOutcome(game.evaluate())
        if best.value >= beta:
            return best
        moves = game.forcing_moves()
    for move in plan.order(game, moves):
        answer = quiesce(game.play(move), plan, -beta, -max(alpha, best.value), plies - 1)
        if -answer.value > best.value:
            best = SearchOutcome(-answer.value, (move, *answer.line))
        if best.value >= beta:
            break
    return best


def extend_forced(game: F) -> int:
    """One ply more where a threat must be answered; for the feature `extend` of alpha-beta."""
    return 1 if game.is_forced() else 0
