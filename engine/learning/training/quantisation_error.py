"""The quantisation error: the integers of play against the floating-point numbers of training."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import ZERO, U
from boomslang.core.board.position import (
    POSITION,
    Positions,
    Rules,
    new_record,
    position_t,
    rules_t,
)
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import i64, kernel, types, void
from boomslang.engine.learning.data.records import DataRecords, unpack
from boomslang.engine.learning.training.gradient import WORKSPACE, predict, records_t
from boomslang.engine.optimiser import Floats
from boomslang.eval.network.accumulator import ACCUMULATORS, Accumulators, accumulators_t
from boomslang.eval.network.forward import network_evaluation
from boomslang.eval.network.shape import Network, network_t

positions_t: Any = types.Array(position_t, 1, "C")
scores_t: Any = i64[::1]

_PART: Final = 1 << 16  # records at a time


@dataclass(frozen=True, slots=True)
class QuantisationReport:
    """The error of the integers in centipawns, and the spread of the outputs."""

    positions: int
    mean: float  # absolute error; includes rounding down to whole centipawns, three times
    largest: float
    spread: float  # standard deviation of the integer outputs


@kernel(void(rules_t, network_t, accumulators_t, positions_t, records_t, scores_t))
def evaluate_all(
    rules: Rules,
    network: Network,
    accumulators: Accumulators,
    positions: Positions,
    records: DataRecords,
    scores: Any,
) -> None:
    """Evaluate each RECORD by the integer NETWORK, centipawns for the side to move, into `scores`.

    `positions` is a workspace for one POSITION, `accumulators` for its accumulators.
    """
    for number in range(records.size):
        unpack(rules, records[U(number)], positions[ZERO])
        scores[U(number)] = network_evaluation(network, rules, accumulators, positions, ZERO)


def play_scores(network: Network, records: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """The scores of RECORDs by an integer NETWORK, centipawns for the side to move; int64[n]."""
    scores = np.zeros(len(records), dtype=np.int64)
    evaluate_all(
        new_rules(),
        network,
        new_record(ACCUMULATORS),
        np.zeros(1, dtype=POSITION).view(np.recarray),
        np.ascontiguousarray(records).view(np.recarray),
        scores,
    )
    return scores


def _floating_scores(vector: Floats, scale: int, records: npt.NDArray[np.void]) -> Floats:
    """The same by the floating-point numbers of training; float32[n]."""
    plain = np.ascontiguousarray(records).view(np.recarray)
    outputs = np.zeros(len(records), dtype=np.float32)
    predict(plain, 0, len(records), vector, new_rules(), new_record(WORKSPACE), outputs)
    return outputs * np.float32(scale)


def compare(vector: Floats, network: Network, records: npt.NDArray[np.void]) -> QuantisationReport:
    """The error of the scores of a NETWORK against those of the vector that it was quantised from.

    Raises ValueError if there are no records.
    """
    if not len(records):
        raise ValueError("no positions to compare whole numbers with floating-point ones on")
    errors, scores = [], []
    for first in range(0, len(records), _PART):
        part = records[first : first + _PART]
        floating, whole = _floating_scores(vector, network.scale, part), play_scores(network, part)
        errors.append(np.abs(floating - whole))
        scores.append(whole)
    error = np.concatenate(errors)
    spread = math.sqrt(float(np.var(np.concatenate(scores))))
    return QuantisationReport(len(records), float(error.mean()), float(error.max()), spread)
