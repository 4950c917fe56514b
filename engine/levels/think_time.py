"""The time that people take for a move: drawn by their rating, the clock, and how much there is to choose.

Some moves are made by reflex, the others are thought about. Both times are drawn from log-logistic
distributions. The share of reflexes and the median of thinking depend on what `inputs` says of the moment;
the numbers were fitted to games with clocks by `tools/levels/think_times.py`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Final, NamedTuple

import chess

_MIDDLE: Final = 180.0  # seconds left: there the logarithm of the clock is zero
_CLOCKS: Final = (1.0, 5400.0)  # seconds: what is beyond counts as these
_MAX_INCREMENT: Final = 60.0  # seconds
_RATINGS: Final = (600, 2600)
_OPENING: Final = 12  # plies in which the opening loses its weight by e
_MAX_PLIES: Final = 120
_RAREST: Final = math.exp(-6.0)  # chance of a move: a rarer one counts as this


class Moment(NamedTuple):
    """A move that a person makes: what `inputs` needs to know of it."""

    rating: float
    left: float  # seconds on the clock before it
    increment: float  # seconds
    ply: int  # played before it
    entropy: float  # nats, of the chances of all moves
    chance: float  # of the move itself
    takes_back: bool


# For the logarithm of the median of thinking in seconds, and for the logarithmic odds of a reflex.
WEIGHTS: Final = {
    "always": (1.28, -2.22),
    "clock": (0.52, 0.26),
    "increment": (0.34, 0.27),
    "clock and increment": (-0.15, -0.25),
    "rating": (-0.10, -0.19),
    "opening": (-2.88, 1.41),
    "clock in the opening": (0.73, 0.70),
    "choice": (0.27, -0.25),
    "rareness": (0.11, -0.34),
    "taking back": (-0.53, -0.86),
    "length of the game": (-0.27, 0.74),
}
_THINKING_WIDTH: Final = 0.52
_REFLEX: Final = (1.70, 0.21)  # seconds, width


def inputs(moment: Moment) -> dict[str, float]:
    """What the weights are for."""
    left = math.log(min(max(moment.left, _CLOCKS[0]), _CLOCKS[1]) / _MIDDLE)
    increment = math.log1p(min(moment.increment, _MAX_INCREMENT))
    opening = math.exp(-moment.ply / _OPENING)
    return {
        "always": 1.0,
        "clock": left,
        "increment": increment,
        "clock and increment": left * increment,
        "rating": (min(max(moment.rating, _RATINGS[0]), _RATINGS[1]) - 1600) / 500,
        "opening": opening,
        "clock in the opening": left * opening,
        "choice": moment.entropy,
        "rareness": -math.log(max(moment.chance, _RAREST)),
        "taking back": float(moment.takes_back),
        "length of the game": min(moment.ply, _MAX_PLIES) / 40,
    }


def moment_of(
    board: chess.Board,
    move: chess.Move,
    chances: Mapping[chess.Move, float],
    rating: float,
    left: float,
    increment: float,
) -> Moment:
    """The moment of a legal move, with the chances of all moves and the clock in seconds."""
    entropy = -sum(chance * math.log(chance) for chance in chances.values() if chance > 0)
    takes_back = bool(board.move_stack) and board.is_capture(move)
    if takes_back and (takes_back := move.to_square == board.peek().to_square):
        before = board.copy(stack=1)
        takes_back = before.is_capture(before.pop())
    chance = chances.get(move, 0.0)
    return Moment(rating, left, increment, board.ply(), entropy, chance, takes_back)


def draw_time(moment: Moment, dice: random.Random) -> float:
    """Seconds that a person takes for a move."""
    seen = inputs(moment)
    median, reflex = (
        sum(row[number] * seen[name] for name, row in WEIGHTS.items()) for number in range(2)
    )
    seconds, width = math.exp(median), _THINKING_WIDTH
    if dice.random() < 1 / (1 + math.exp(-reflex)):
        seconds, width = _REFLEX
    part = dice.uniform(1e-6, 1 - 1e-6)
    return seconds * float((part / (1 - part)) ** width)
