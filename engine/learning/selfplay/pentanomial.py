"""Statistics of game pairs: Elo with its error, and the log-likelihood ratio of the SPRT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_BEFORE: Final = 0.5  # prior pairs of each kind

Games = tuple[int, ...]  # 1, 0 or -1: won, drawn or lost by the first of the two


@dataclass(slots=True)
class Pentanomial:
    """The results of pairs of games, and their statistics.

    `pairs` counts the pairs with -2, -1, 0, 1 and 2 (won less lost games). The two games of a pair depend on
    each other, so the statistics are based on pairs.
    """

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    games: list[int] = field(default_factory=lambda: [0] * 3)  # won, drawn, lost

    def add(self, results: Games) -> None:
        """Count a pair."""
        self.pairs[sum(results) + 2] += 1
        for result in results:
            self.games[1 - result] += 1

    def elo(self) -> tuple[float, float | None]:
        """The difference and half of its 95 % interval, logistic Elo; infinite if all games were won.

        The interval is None if there is a single pair, or if all pairs have the same result.
        """
        mean, deviation = self._mean()
        if deviation == 0.0:
            return _elo(mean), None
        return _elo(mean), 1.96 * deviation * 400.0 / math.log(10.0) / (mean * (1.0 - mean))

    def log_likelihood_ratio(self, low: float, high: float) -> float:
        """Log-likelihood ratio of `high` against `low` Elo (generalised SPRT, Van den Bergh).

        Half a pair of each kind is added as a prior, so that a few equal pairs at the start prove nothing.
        """
        if not any(self.pairs):
            return 0.0
        mean, deviation = _mean_of([count + _BEFORE for count in self.pairs])
        first, second = _expected_score(low), _expected_score(high)
        return (second - first) * (2.0 * mean - first - second) / (2.0 * deviation**2)

    def _mean(self) -> tuple[float, float]:
        """Mean points per game, and its standard error: 0 as long as all pairs are equal."""
        return _mean_of(self.pairs) if any(self.pairs) else (0.5, 0.0)


def _mean_of(pairs: Sequence[float]) -> tuple[float, float]:
    number = sum(pairs)
    mean = sum(count * value / 4.0 for value, count in enumerate(pairs)) / number
    square = sum(c * (v / 4.0 - mean) ** 2 for v, c in enumerate(pairs)) / number
    return mean, math.sqrt(square / number)


def _elo(points: float) -> float:
    if not 0.0 < points < 1.0:
        return math.copysign(math.inf, points - 0.5)
    return 400.0 * math.log10(points / (1.0 - points))


def _expected_score(elo: float) -> float:
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))
