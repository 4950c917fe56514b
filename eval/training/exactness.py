"""What is lost when the numbers of learning become the integers of play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.constants import ONE, I, U
from engine.system.jit import i64, jit, kernel, void
from eval.network.features import bucket_for
from eval.network.shape import (
    HIDDEN,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_SCORE,
    ROW,
    network_t,
)
from eval.training.gradient import ACTIVATIONS, floats_t, predict, records_t
from eval.training.parameters import Floats
from eval.training.rows import INDICES, OTHER_VIEW, find_rows, indices_t

sums_t: Any = i64[::1]

_ONE_INPUT: Final = I(ONE_INPUT)


@dataclass(frozen=True, slots=True)
class Exactness:
    """Integers against floating-point numbers, in centipawns, and how large the outputs are."""

    positions: int
    mean: float  # size of the error
    largest: float
    spread: float  # standard deviation of the integer outputs


@jit
def _add_up(network: Any, rows: Any, start: np.uint64, count: np.uint64, sums: Any) -> None:
    """The accumulator of `count` pieces, whose rows begin at index `start`, into `sums`, in place."""
    for index in range(ROW):
        sums[U(index)] = network.bias[U(index)]
    for place in range(count):
        feature = rows[start + U(place)] // U(ROW)
        for index in range(ROW):
            sums[U(index)] += network.input[feature, U(index)]


@kernel(void(records_t, i64, i64, network_t, indices_t, sums_t, floats_t))
def predict_exactly(
    records: Any, first: int, last: int, network: Any, rows: Any, sums: Any, outputs: Any
) -> None:
    """The outputs of a NETWORK for the records `first` to `last`, into `outputs`, in place.

    Only the last division is not done in integers. `rows` [INDICES] and `sums` [ROW] are to work in.
    """
    for number in range(first, last):
        count = find_rows(records[U(number)], rows)
        bucket = bucket_for(count)
        positional = I(0)
        material = I(0)
        for view in range(2):
            side = U(view)
            _add_up(network, rows, OTHER_VIEW * side, count, sums)
            for index in range(HIDDEN):
                active = min(max(I(sums[U(index)]), I(0)), _ONE_INPUT)
                positional += active * active * I(network.output[bucket, side, U(index)])
            part = I(sums[U(HIDDEN) + bucket])
            material += -part if side == ONE else part
        whole = positional / ONE_INPUT + I(network.output_bias[bucket])
        outputs[U(number)] = whole / ONE_SCORE + material / ONE_MATERIAL


def compare(vector: Floats, network: Any, records: npt.NDArray[np.void]) -> Exactness:
    """How far the outputs of a NETWORK are from those of the vector it was made of."""
    plain = np.ascontiguousarray(records).view(np.recarray)
    floating, whole = np.zeros((2, len(records)), dtype=np.float32)
    rows = np.zeros(INDICES, dtype=np.uint64)
    room = np.zeros(ACTIVATIONS, dtype=np.float32)
    predict(plain, 0, len(records), vector, room, rows, floating)
    sums = np.zeros(ROW, dtype=np.int64)
    predict_exactly(plain, 0, len(records), network, rows, sums, whole)
    errors = np.abs(floating.astype(np.float64) - whole) * int(network.scale)
    spread = math.sqrt(float(np.var(whole.astype(np.float64)))) * int(network.scale)
    return Exactness(len(records), float(errors.mean()), float(errors.max()), spread)
