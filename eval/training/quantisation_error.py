"""What is lost when the numbers of learning become the integers of play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.core.board.position import POSITION, Rules, new_record, position_t, rules_t
from boomslang.engine.core.board.tables import new_rules
from boomslang.engine.core.constants import ZERO, U
from boomslang.engine.core.system.jit import i64, kernel, types, void
from boomslang.eval.data.records import unpack
from boomslang.eval.network.accumulator import ACCUMULATORS, Accumulators, accumulators_t
from boomslang.eval.network.forward import judge
from boomslang.eval.network.shape import Network, network_t
from boomslang.eval.training.gradient import ROOM, predict, records_t
from boomslang.eval.training.parameters import Floats

positions_t: Any = types.Array(position_t, 1, "C")
scores_t: Any = i64[::1]

_PART: Final = 1 << 16  # records at a time


@dataclass(frozen=True, slots=True)
class QuantisationReport:
    """Integers against floating-point numbers, in centipawns, and how large the outputs are."""

    positions: int
    mean: float  # size of the error; rounding down to whole centipawns, three times, is part of it
    largest: float
    spread: float  # standard deviation of the integer outputs


@kernel(void(rules_t, network_t, accumulators_t, positions_t, records_t, scores_t))
def judge_all(
    rules: Rules,
    network: Network,
    accumulators: Accumulators,
    positions: Any,
    records: Any,
    scores: Any,
) -> None:
    """What the NETWORK says in play about each RECORD, centipawns for the side to move, into `scores`.

    `positions` is room for one POSITION, `accumulators` for what belongs to it.
    """
    for number in range(records.size):
        unpack(rules, records[U(number)], positions[ZERO])
        scores[U(number)] = judge(network, rules, accumulators, positions, ZERO)


class _Judge:
    """What the kernels work with."""

    def __init__(self, vector: Floats, network: Network) -> None:
        self._vector, self._network = vector, network
        self._rules = new_rules()
        self._accumulators: Any = new_record(ACCUMULATORS)
        self._positions = np.zeros(1, dtype=POSITION).view(np.recarray)
        self._room = new_record(ROOM)

    def both(self, records: npt.NDArray[np.void]) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Centipawns by floating-point numbers and by integers."""
        plain = np.ascontiguousarray(records).view(np.recarray)
        floating = np.zeros(len(records), dtype=np.float32)
        predict(plain, 0, len(records), self._vector, self._rules, self._room, floating)
        whole = np.zeros(len(records), dtype=np.int64)
        judge_all(self._rules, self._network, self._accumulators, self._positions, plain, whole)
        return floating * np.float32(self._network.scale), whole


def compare(vector: Floats, network: Network, records: npt.NDArray[np.void]) -> QuantisationReport:
    """How far the scores of a NETWORK in play are from those of the vector it was made of.

    Raises ValueError if there are no records.
    """
    if not len(records):
        raise ValueError("no positions to compare whole numbers with floating-point ones on")
    judges = _Judge(vector, network)
    errors, scores = [], []
    for first in range(0, len(records), _PART):
        floating, whole = judges.both(records[first : first + _PART])
        errors.append(np.abs(floating - whole))
        scores.append(whole)
    error = np.concatenate(errors)
    spread = math.sqrt(float(np.var(np.concatenate(scores))))
    return QuantisationReport(len(records), float(error.mean()), float(error.max()), spread)
