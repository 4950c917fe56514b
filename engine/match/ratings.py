"""Ratings of many engines by maximum likelihood: the model of Bradley and Terry, a draw half a win.

The ratings are those with which the expected points of each engine, by the logistic curve of Elo, equal its
points. Their errors come from the pairs of games, whose two results depend on each other, by the sandwich
estimator; for two engines they are those of `Pentanomial`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_SCALE: Final = math.log(10.0) / 400.0  # of logistic Elo
_CLOSE: Final = 1e-9  # points
_SINGULAR: Final = 1e-10  # of the greatest eigenvalue; one engine's is greater, rounding is less
_MAX_STEPS: Final = 100
_MAX_CHANGE: Final = 400.0  # Elo in one step
_NORMAL: Final = 1.96  # standard errors, 95 %


class PairResult(NamedTuple):
    """A pair of games between two engines, given by number, and the points of the first: 0 to 2."""

    first: int
    second: int
    points: float


class Ratings(NamedTuple):
    """Ratings in Elo, and the covariances of their errors."""

    elo: NDArray[np.float64]
    covariances: NDArray[np.float64]
    # A drawn pair was added to each pairing, since somebody won or lost everything.
    with_prior: bool

    def errors(self) -> NDArray[np.float64]:
        """Half of the 95 % interval of each rating; against the mean of all, or else the anchors.

        NaN if it is unknown: too few pairs, or all as the ratings expect them.
        """
        errors: NDArray[np.float64] = _NORMAL * np.sqrt(self.covariances.diagonal().clip(0.0))
        return errors

    def superiority(self, first: int, second: int) -> float:
        """The likelihood that the first engine is stronger than the second; NaN if it is unknown."""
        direction = np.zeros(len(self.elo))
        direction[first], direction[second] = 1.0, -1.0
        variance = float(direction @ self.covariances @ direction)
        difference = float(self.elo[first] - self.elo[second])
        if variance <= 0.0:
            return 0.5 + 0.5 * math.copysign(1.0, difference) if difference else 0.5
        return 0.5 * (1.0 + math.erf(difference / math.sqrt(2.0 * variance)))


def rate(count: int, pairs: Sequence[PairResult], anchors: Mapping[int, float]) -> Ratings:
    """The ratings of `count` engines. Those of `anchors` are fixed; without any the mean is 0."""
    scored = _scored(count, pairs)
    with_prior = not _is_connected(scored)
    known = len(pairs)
    if with_prior:
        played = np.argwhere(np.triu(scored + scored.T))
        pairs = [*pairs, *(PairResult(one, other, 1.0) for one, other in played)]
        scored = _scored(count, pairs)
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    points = np.array([pair.points for pair in pairs], dtype=np.float64)
    games = scored + scored.T
    elo = np.zeros(count)
    elo[list(anchors)] = list(anchors.values())
    free = np.array([number not in anchors for number in range(count)])
    if anchors:
        elo[free] = np.mean(list(anchors.values()))
    curvature = np.zeros((count, count))
    for _ in range(_MAX_STEPS):
        expected = 1.0 / (1.0 + np.exp(_SCALE * (elo[None, :] - elo[:, None])))
        gradient = (scored - games * expected).sum(axis=1)
        weights = _SCALE * games * expected * expected.T
        curvature = np.diag(weights.sum(axis=1)) - weights
        if np.abs(gradient[free]).max(initial=0.0) < _CLOSE:
            break
        step = _inverse(curvature, free)[np.ix_(free, free)] @ gradient[free]
        elo[free] += step * min(1.0, _MAX_CHANGE / np.abs(step).max())
    if not anchors:
        elo -= elo.mean()
    fitted = int(free.sum()) - bool(free.all())
    if fitted and known <= fitted:
        return Ratings(elo, np.full(curvature.shape, np.nan), with_prior)
    covariances = _covariances(elo, curvature, free, first, second, points, fitted)
    return Ratings(elo, covariances, with_prior)


def _scored(count: int, pairs: Sequence[PairResult]) -> NDArray[np.float64]:
    """The points of each engine against each other one."""
    scored = np.zeros((count, count))
    for first, second, points in pairs:
        scored[first, second] += points
        scored[second, first] += 2.0 - points
    return scored


def _covariances(
    elo: NDArray[np.float64],
    curvature: NDArray[np.float64],
    free: NDArray[np.bool_],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    points: NDArray[np.float64],
    fitted: int,
) -> NDArray[np.float64]:
    expected = 2.0 / (1.0 + np.exp(_SCALE * (elo[second] - elo[first])))
    squares = (points - expected) ** 2
    spread = np.zeros(curvature.shape)
    for one, other, sign in (
        (first, first, 1.0), (second, second, 1.0), (first, second, -1.0), (second, first, -1.0),
    ):  # fmt: skip
        np.add.at(spread, (one, other), sign * squares)
    inverse = _inverse(curvature, free)
    # Residuals are too small by what the ratings have fitted; `Pentanomial` does not count the first.
    covariances = inverse @ spread @ inverse * ((len(points) - 1) / max(len(points) - fitted, 1))
    is_known = covariances.diagonal() > _CLOSE
    covariances[free & ~is_known, :] = covariances[:, free & ~is_known] = np.nan
    return covariances


def _inverse(curvature: NDArray[np.float64], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The inverse for the free ratings, whose mean the games do not tell; 0 for fixed ones."""
    inverse = np.zeros(curvature.shape)
    inverse[np.ix_(free, free)] = np.linalg.pinv(
        curvature[np.ix_(free, free)], rcond=_SINGULAR, hermitian=True
    )
    return inverse


def _is_connected(scored: NDArray[np.float64]) -> bool:
    """True if the likelihood has a maximum: any division in two has points on both sides."""
    reached = scored > 0.0
    np.fill_diagonal(reached, True)
    for _ in range(len(scored)):
        reached = (reached @ reached.astype(np.int64)) > 0
    return bool(reached.all())
