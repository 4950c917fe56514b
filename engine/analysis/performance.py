"""How strongly a side played: the rating of players with moves and losses like these, with its interval.

Each game tells of a rating by two things: under which rating the model of people's moves finds its moves
likeliest, and how much they lose. Together, with weights fitted to games of Lichess, they are a reading with
an error of three parts: one shrinks with the number of moves, one with that of games, and the player's own
way to play stays. What ratings people have at all pulls a reading to the middle, the more the fewer moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

MIN_MOVES: Final = 20
RATINGS: Final = (400, 3300)  # others are no ratings of people
GRID: Final = tuple(range(600, 2601, 200))  # ratings of the likelihoods
_LOST: Final = 2.0  # winning chances in percent: a move that loses more is not the best one
WORST: Final = 30.0  # winning chances in percent: a move that loses more counts as this
LEAST: Final = 0.001  # of the least likely move
_TEMPER: Final = 0.6  # moves of a game are alike: so much of each counts
# Fitted by `python -m tools.levels.performance`.
_TOLD: Final = (-103.0, 0.17, 322.0, 1091.0, 523.0, -70.0, -280.0)  # weights of `Reading.columns`
_OWN_WAY: Final = 220.0  # points, one standard deviation
_OF_A_GAME: Final = 210.0  # points, of one game
_OF_A_MOVE: Final = 1430.0  # points, of one move alone
_MEAN, _SPREAD = 1600.0, 430.0  # points, of ratings of people
_EIGHTY: Final = 1.2816  # standard deviations on either side that hold 80 %


@dataclass(frozen=True, slots=True)
class Reading:
    """What one side of one game tells of a rating."""

    moves: int
    signs: tuple[
        float, float, float
    ]  # rating under which they are likeliest, two of what they lose

    @property
    def columns(self) -> tuple[float, ...]:
        """What its rating is a weighted sum of: the signs, and squares, as the best players err alike."""
        likeliest, lost, inexact = self.signs
        thousands = likeliest / 1000
        return 1.0, likeliest, lost, inexact, thousands**2, lost**2, thousands * lost

    @property
    def rating(self) -> float:
        """The rating that it tells, not pulled to the middle."""
        return float(sum(map(mul, _TOLD, self.columns)))


def reading_of(likelihoods: Sequence[float], losses: Sequence[float]) -> Reading | None:
    """That of moves by the logarithms of their likelihoods under the ratings of GRID, and their losses.

    Losses are winning chances in percent. None without a move.
    """
    if not losses:
        return None
    most = max(likelihoods)
    weights = [math.exp(_TEMPER * (each - most)) for each in likelihoods]
    likeliest = sum(map(mul, weights, GRID)) / sum(weights)
    mean = sum(min(loss, WORST) for loss in losses) / len(losses)
    inexact = sum(loss > _LOST for loss in losses) / len(losses)
    return Reading(len(losses), (round(likeliest, 1), round(math.sqrt(mean), 3), round(inexact, 3)))


@dataclass(frozen=True, slots=True)
class Performance:
    """A rating on the scale of games on Lichess; it is between the bounds in 80 % of the cases."""

    rating: int
    low: int
    high: int

    def __str__(self) -> str:
        """For example "1480 (1330 to 1640)"."""
        return f"{self.rating} ({self.low} to {self.high})"


def performance(readings: Iterable[Reading | None]) -> Performance | None:
    """The rating by one game or many of one player; None under MIN_MOVES."""
    known = [reading for reading in readings if reading]
    moves = sum(reading.moves for reading in known)
    if moves < MIN_MOVES:
        return None
    mean = sum(reading.moves * reading.rating for reading in known) / moves
    variance = _OWN_WAY**2 + _OF_A_GAME**2 / len(known) + _OF_A_MOVE**2 / moves
    trust = _SPREAD**2 / (_SPREAD**2 + variance)
    rating = _MEAN + trust * (mean - _MEAN)
    error = _EIGHTY * (trust * variance) ** 0.5
    # The signs of random moves tell of ratings below zero, which nobody has.
    within = (
        min(max(10 * round(each / 10), RATINGS[0]), RATINGS[1])
        for each in (rating, rating - error, rating + error)
    )
    return Performance(*within)
