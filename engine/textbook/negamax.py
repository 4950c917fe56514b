"""Negamax: minimax with one case instead of two.

    negamax(node):
        if the game is over: return its value for the player to move
        if the depth is used up: return the estimated value for the player to move
        return the largest -negamax(child)

One player's gain is the other's loss, and min(a, b) = -max(-a, -b). So if every value is from the view of
the player to move, both players maximise. The form is Knuth's and Moore's ("An Analysis
of Alpha-Beta Pruning", 1975, function F).
"""

from __future__ import annotations

from math import inf

from boomslang.engine.textbook.game import UNLIMITED, G, NodeCounter, SearchOutcome


def negamax(game: G, counter: NodeCounter, depth: int = UNLIMITED) -> SearchOutcome:
    """The value of `game` for the player to move, `depth` plies deep, and a line of best play.

    Visits the same nodes as minimax.
    """
    counter.visit()
    if game.is_over():
        return SearchOutcome(game.value())
    if depth == 0:
        return SearchOutcome(game.evaluate())
    best = SearchOutcome(-inf)
    for move in game.moves():
        answer = negamax(game.play(move), counter, depth - 1)
        if -answer.value > best.value:
            best = SearchOutcome(-answer.value, (move, *answer.line))
    return best
