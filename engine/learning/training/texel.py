"""Fitting the evaluation's weights to games: logistic regression by gradient descent.

The model is: the probability that White wins is sigmoid(evaluation / scale). It is fitted to the results of
the games and the scores of the searches (Österlund's "Texel tuning", with Adam instead of local search:
Kingma and Ba 2014). The evaluation is linear in its weights except for king danger, so its gradient is
written by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import ONE, ZERO, U
from boomslang.core.jit.jit import i64, jit, kernel, types
from boomslang.engine.learning.data.game_reader import is_held_out
from boomslang.engine.learning.training.classical_features import (
    Features,
    counts_t,
    dangers_t,
    names_t,
    rows_t,
)
from boomslang.engine.learning.training.train_settings import WeightTuning
from boomslang.engine.optimiser import correct_bias, rate_at, step

Floats = npt.NDArray[np.float64]
_F: Any = np.float32

DANGER_SQUARE: Final = 1024.0  # middlegame penalty: danger squared, divided by this
DANGER_LINE: Final = 8.0  # endgame penalty: danger, divided by this

HOLDOUT_SHARE: Final = 0.05  # of the games
_BATCH: Final = 16384

f64: Any = types.float64
matrix_t: Any = types.float64[:, ::1]
vector_t: Any = types.float64[::1]


@dataclass(slots=True)
class Weights:
    """Centipawns: `linear` by feature, and middlegame or endgame; `danger` by source, in its units."""

    linear: Floats
    danger: Floats

    def flat(self) -> Floats:
        """All in one vector."""
        return np.concatenate([self.linear.ravel(), self.danger])

    def with_values(self, flat: npt.NDArray[Any]) -> Weights:
        """Weights of the same shape with the values of such a vector."""
        linear, danger = np.split(flat.astype(np.float64), [self.linear.size])
        return Weights(linear.reshape(self.linear.shape), danger)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The result of one epoch; losses are means over positions, epoch 0 is before the first."""

    number: int
    training_loss: float
    holdout_loss: float


@jit
def _danger(dangers: Any, number: np.uint64, king: np.uint64, weights: Any) -> Any:
    """Danger to one king, 0 at least."""
    total = 0.0
    for index in range(weights.size):
        total += dangers[number, king, U(index)] * weights[U(index)]
    return max(total, 0.0)


@kernel(
    f64(rows_t, names_t, counts_t, dangers_t, i64[::1], f64, matrix_t, vector_t, matrix_t, vector_t)
)
def add_gradient(
    rows: Any,
    names: Any,
    counts: Any,
    dangers: Any,
    chosen: Any,
    scale: float,
    linear: Any,
    danger: Any,
    linear_gradient: Any,
    danger_gradient: Any,
) -> float:
    """Cross entropy of the `chosen` rows, summed; its gradient is added to the last two, in place.

    `scale` is in centipawns: the evaluation of odds e : 1.
    """
    loss = 0.0
    for position in range(chosen.size):
        number = U(chosen[U(position)])
        row = rows[number]
        # 1. The evaluation.
        middlegame = 0.0
        endgame = 0.0
        for index in range(row.start, row.start + row.count):
            feature = U(names[U(index)])
            middlegame += counts[U(index)] * linear[feature, ZERO]
            endgame += counts[U(index)] * linear[feature, ONE]
        white = _danger(dangers, number, ZERO, danger)
        black = _danger(dangers, number, ONE, danger)
        middlegame += (black * black - white * white) / DANGER_SQUARE
        endgame += (black - white) / DANGER_LINE
        early = row.early
        late = row.late
        logit = (middlegame * early + endgame * late + row.offset) / scale

        # 2. The loss, in a form that does not overflow.
        size = abs(logit)
        small = math.exp(-size)
        loss += math.log(1.0 + small) + max(logit, 0.0) - row.label * logit
        probability = (1.0 if logit > 0.0 else small) / (1.0 + small)

        # 3. The gradient.
        slope = (probability - row.label) / scale
        early *= slope
        late *= slope
        for index in range(row.start, row.start + row.count):
            feature = U(names[U(index)])
            linear_gradient[feature, ZERO] += counts[U(index)] * early
            linear_gradient[feature, ONE] += counts[U(index)] * late
        slope_white = early * 2.0 * white / DANGER_SQUARE + late / DANGER_LINE
        slope_black = early * 2.0 * black / DANGER_SQUARE + late / DANGER_LINE
        for index in range(danger.size):
            source = U(index)
            if black > 0.0:
                danger_gradient[source] += dangers[number, ONE, source] * slope_black
            if white > 0.0:
                danger_gradient[source] -= dangers[number, ZERO, source] * slope_white
    return loss


def fit_scale(scores: Floats, results: Floats) -> float:
    """The scale with which sigmoid(score / scale) fits the results (0..1) best, by golden section."""

    def loss(scale: float) -> float:
        logit = scores / scale
        return float(np.mean(np.logaddexp(0.0, logit) - results * logit))

    low, high = 20.0, 2000.0
    golden = (math.sqrt(5.0) - 1.0) / 2.0
    while high - low > 0.1:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if loss(left) < loss(right):
            high = right
        else:
            low = left
    return (low + high) / 2.0


def labels(records: npt.NDArray[np.void], scale: float, result_share: float) -> Floats:
    """Target win probabilities of White."""
    results = records["result"] / 2.0
    expected = 1.0 / (1.0 + np.exp(-records["score"].astype(np.float64) / scale))
    mixed: Floats = result_share * results + (1.0 - result_share) * expected
    return mixed


def split(
    records: npt.NDArray[np.void], seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Row numbers for training, and of the held-out games."""
    validation = is_held_out(seed, records["game"].astype(np.uint64), HOLDOUT_SHARE)
    return np.flatnonzero(~validation), np.flatnonzero(validation)


def loss_and_gradient(
    features: Features, chosen: npt.NDArray[np.int64], scale: float, weights: Weights
) -> tuple[float, Weights]:
    """Mean loss of the `chosen` rows and its gradient."""
    gradient = Weights(np.zeros_like(weights.linear), np.zeros_like(weights.danger))
    loss = add_gradient(
        features.rows.view(np.recarray),
        features.names,
        features.counts,
        features.dangers,
        chosen,
        float(scale),
        weights.linear,
        weights.danger,
        gradient.linear,
        gradient.danger,
    )
    number = max(len(chosen), 1)
    gradient.linear /= number
    gradient.danger /= number
    return float(loss) / number, gradient


def tune(
    features: Features,
    training: npt.NDArray[np.int64],
    holdout: npt.NDArray[np.int64],
    scale: float,
    start: Weights,
    plan: WeightTuning,
    report: Callable[[Epoch], None] = lambda epoch: None,
) -> Weights:
    """Fit the weights to the labels of the `training` rows, from `start` on."""
    source = np.random.default_rng(plan.seed)
    origin = start.flat()
    parameters = origin.astype(np.float32)
    means, squares = np.zeros_like(parameters), np.zeros_like(parameters)
    gradients, unlimited = parameters[np.newaxis].copy(), np.full_like(parameters, np.inf)
    batches = max(1, math.ceil(len(training) / _BATCH))
    done = 0

    def loss_of(rows: npt.NDArray[np.int64]) -> float:
        return loss_and_gradient(features, rows, scale, start.with_values(parameters))[0]

    report(Epoch(0, loss_of(training), loss_of(holdout)))
    for number in range(1, plan.epochs + 1):
        total = 0.0
        for batch in np.array_split(source.permutation(training), batches):
            done += 1
            weights = start.with_values(parameters)
            loss, gradient = loss_and_gradient(features, batch, scale, weights)
            # By the logit instead of centipawns: Adam's smallest divisor is nothing beside such a slope.
            gradients[0] = scale * (gradient.flat() + plan.decay * (parameters - origin))
            highest = rate_at(plan.rate, done, plan.epochs * batches)
            rate, root = map(_F, correct_bias(highest, done))
            step(
                0,
                parameters.size,
                parameters,
                gradients,
                means,
                squares,
                unlimited,
                rate,
                root,
                _F(0.0),
            )
            total += loss * len(batch)
        report(Epoch(number, total / max(len(training), 1), loss_of(holdout)))
    return start.with_values(parameters)
