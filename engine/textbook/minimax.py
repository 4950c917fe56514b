"""Minimax: the basic algorithm, which all others only speed up.

    minimax(node):
        if the game is over: return its value for the first player
        if the depth is used up: return the estimated value for the first player
        if the first player moves: return the largest minimax(child)
        else: return the smallest minimax(child)

The rule is von Neumann's (1928). Stopping at a depth and estimating there is Shannon's "type A"
program ("Programming a Computer for Playing Chess", 1950).
"""

from __future__ import annotations

from boomslang.engine.textbook.game import UNLIMITED, G, NodeCounter, SearchOutcome


def minimax(
    game: G, counter: NodeCounter, depth: int = UNLIMITED, first_moves: bool = True
) -> SearchOutcome:
    """The value of `game` for the first player, `depth` plies deep, and a line of best play.

    `first_moves` is False when the opponent of the first player is to move. Of equally good moves the first
    is taken. Visits every node: b + b^2 + ... + b^depth below the root with b moves everywhere.
    """
    counter.visit()
    sign = 1 if first_moves else -1
    if game.is_over():
        return SearchOutcome(sign * game.value())
    if depth == 0:
        return SearchOutcome(sign * game.evaluate())
    choose = max if first_moves else min
    answers = (
        (move, minimax(game.play(move), counter, depth - 1, not first_moves))
        for move in game.moves()
    )
    move, answer = choose(answers, key=lambda pair: pair[1].value)
    return SearchOutcome(answer.value, (move, *answer.line))
