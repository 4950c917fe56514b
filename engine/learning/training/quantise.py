"""Quantisation: from the floating-point numbers of training to integers that cannot overflow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.engine.learning.training.parameters import from_network, parts_of
from boomslang.engine.optimiser import Floats
from boomslang.eval.network.file import (
    MAX_BIAS,
    MAX_INPUT,
    MAX_INT16,
    MAX_OUTPUT,
    MAX_SUM,
    MAX_THREATENED,
    largest_sums,
)
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    NETWORK,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_OUTPUT,
    ONE_SCORE,
    ONE_THREAT,
)

# Correlation of the first layers: 0.99 and more after further training, 0 for unrelated networks.
_RELATED: Final = 0.5

_USED: Final = HIDDEN + BUCKETS
_STEP: Final = 0.95  # factor by which a column is reduced until it fits


def quantise(vector: Floats, scale: int) -> Any:
    """A new NETWORK record, as near to the floating-point numbers as its integers come.

    `scale` is centipawns of 1.0. Weights that could overflow are reduced, the largest output weights of a
    stage and side or a whole column of the input; no sensibly trained network comes near that.
    """
    parts = parts_of(vector)
    network = new_record(NETWORK)
    network.input[:, :HIDDEN] = _round(parts.input[:, :HIDDEN], ONE_INPUT, MAX_INPUT)
    network.bias[:HIDDEN] = _round(parts.bias[:HIDDEN], ONE_INPUT, MAX_INT16)
    network.threatened[:] = _round(parts.threatened, ONE_INPUT, MAX_THREATENED)
    material = slice(HIDDEN, _USED)
    network.input[:, material] = _round(parts.input[:, material], ONE_MATERIAL, MAX_INT16)
    network.bias[material] = _round(parts.bias[material], ONE_MATERIAL, MAX_INT16)
    sums = largest_sums(network.input, network.bias, network.threatened)
    for column in np.flatnonzero(sums > MAX_INT16):
        one = slice(column, column + 1)  # `threatened` has none of the material part
        _cut(network.input[:, one], network.bias[one], network.threatened[:, one])
    for bucket in range(BUCKETS):
        for side in range(2):
            weights = _round(parts.output[bucket, side], ONE_OUTPUT, MAX_OUTPUT)
            network.output[bucket, side] = _clip(weights)
    network.output_bias[:] = _round(parts.output_bias, ONE_SCORE, MAX_BIAS)
    network.threat[:] = _round(parts.threat, ONE_THREAT, MAX_INT16)
    network.scale = scale
    return network


def _round(values: Floats, one: int, largest: int) -> npt.NDArray[np.int64]:
    whole = np.rint(values.astype(np.float64) * one)
    return np.clip(whole, -largest, largest).astype(np.int64)


def _cut(
    weights: npt.NDArray[np.int16], bias: npt.NDArray[np.int16], threatened: npt.NDArray[np.int8]
) -> None:
    """Scale a column of all inputs and the bias down until no position can overflow it, in place."""
    while largest_sums(weights, bias, threatened)[0] > MAX_INT16:
        for numbers in (weights, bias, threatened):
            numbers[:] = numbers * _STEP


def _clip(weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The weights, clipped to the largest size at which no sum of one sign is too large."""
    largest = MAX_OUTPUT
    while True:
        cut = np.clip(weights, -largest, largest)
        if max(cut[cut > 0].sum(), -cut[cut < 0].sum()) <= MAX_SUM:
            return cut
        largest -= 1


def mean_of(networks: Sequence[Any]) -> Any:
    """A new NETWORK record with the mean of each parameter: the common part stays, random differences cancel.

    That only works for networks trained further from the same one, and not too far (model soups, Wortsman and
    others 2022): with other random initial values the same unit has another meaning in each. Its scale is the
    first one's. Raises ValueError if there are none, or if they are unrelated.
    """
    if not networks:
        raise ValueError("no networks, no mean")
    scale = int(networks[0].scale)
    vectors = [from_network(network, scale) for network in networks]
    if any(_likeness(vectors[0], vector) < _RELATED for vector in vectors[1:]):
        raise ValueError("no mean of networks that began with different chance numbers")
    return quantise(np.mean(vectors, axis=0, dtype=np.float32), scale)


def _likeness(one: Floats, other: Floats) -> float:
    """Correlation of the first-layer weights of two networks."""
    first, second = (parts_of(vector).input[:, :HIDDEN].ravel() for vector in (one, other))
    return float(np.corrcoef(first, second)[0, 1])
