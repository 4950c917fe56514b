"""The floating-point parameters of the network in training: one float32 vector, and its initial values.

The vector is `input` [INPUTS, ROW], `bias` [ROW], `output` [BUCKETS, 2, HIDDEN], `output_bias` [BUCKETS],
`threat` [BUCKETS, 2, THREATS] and `threatened` [STATES * INPUTS, HIDDEN], one after the other; see
eval.network.shape for their meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from boomslang.engine.optimiser import Floats
from boomslang.eval.network.file import MAX_INT16, MAX_OUTPUT, MAX_THREATENED
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    INPUTS,
    MAX_WEIGHT,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_OUTPUT,
    ONE_SCORE,
    ONE_THREAT,
    ROW,
    STATES,
    THREATS,
    Network,
)

BIAS: Final = INPUTS * ROW  # where each part begins
OUTPUT: Final = BIAS + ROW
OUTPUT_BIAS: Final = OUTPUT + BUCKETS * 2 * HIDDEN
THREAT: Final = OUTPUT_BIAS + BUCKETS
THREATENED: Final = THREAT + BUCKETS * 2 * THREATS
SIZE: Final = THREATENED + STATES * INPUTS * HIDDEN

_PAWNS: Final = (1.0, 3.0, 3.0, 5.0, 9.0, 0.0)  # by piece type
_PAWN: Final = 100.0  # centipawns
_BIAS: Final = 0.2  # bias of hidden units, so that most are active in the beginning
_USED: Final = HIDDEN + BUCKETS  # used numbers of a row


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a vector, as views."""

    input: Floats  # [INPUTS, ROW]
    bias: Floats  # [ROW]
    output: Floats  # [BUCKETS, 2, HIDDEN]
    output_bias: Floats  # [BUCKETS]
    threat: Floats  # [BUCKETS, 2, THREATS]
    threatened: Floats  # [STATES * INPUTS, HIDDEN]


def parts_of(vector: Floats) -> Parts:
    """Views of a vector of SIZE numbers, which share its memory."""
    return Parts(
        vector[:BIAS].reshape(INPUTS, ROW),
        vector[BIAS:OUTPUT],
        vector[OUTPUT:OUTPUT_BIAS].reshape(BUCKETS, 2, HIDDEN),
        vector[OUTPUT_BIAS:THREAT],
        vector[THREAT:THREATENED].reshape(BUCKETS, 2, THREATS),
        vector[THREATENED:].reshape(STATES * INPUTS, HIDDEN),
    )


def initial(seed: int, scale: float) -> Floats:
    """An initial vector: small random numbers, and the values of the pieces.

    `scale` is centipawns of 1.0. A piece is in both sides' accumulators, with opposite signs, so each gets
    half of its value.
    """
    source = np.random.default_rng(seed)
    vector = np.zeros(SIZE, dtype=np.float32)
    parts = parts_of(vector)
    parts.input[:, :HIDDEN] = source.normal(0.0, 0.1, (INPUTS, HIDDEN))
    parts.bias[:HIDDEN] = _BIAS
    parts.output[:] = source.normal(0.0, (2 * HIDDEN) ** -0.5, (BUCKETS, 2, HIDDEN))
    worth = np.array(_PAWNS) * _PAWN / scale / 2.0
    both = np.concatenate((worth, -worth))  # own pieces, the opponent's
    parts.input[:, HIDDEN:_USED] = np.repeat(both, 64)[:, None]
    return vector


def limits() -> Floats:
    """The maximum absolute value of each parameter; infinite if it is not clipped."""
    vector = np.full(SIZE, np.inf, dtype=np.float32)
    parts = parts_of(vector)
    parts.input[:, :HIDDEN] = MAX_WEIGHT
    parts.output[:] = min(MAX_WEIGHT, MAX_OUTPUT / ONE_OUTPUT)
    parts.input[:, _USED:] = 0.0
    parts.threat[:] = MAX_INT16 / ONE_THREAT
    parts.threatened[:] = MAX_THREATENED / ONE_INPUT
    return vector


def from_network(network: Network, scale: float) -> Floats:
    """The parameters of a NETWORK record, for further training; `scale` is the new centipawns of 1.0."""
    vector = np.zeros(SIZE, dtype=np.float32)
    parts = parts_of(vector)
    # Factor of the parts that go straight to the score.
    factor = np.float32(int(network.scale) / scale)
    for target, source in ((parts.input, network.input), (parts.bias, network.bias)):
        target[..., :HIDDEN] = source[..., :HIDDEN] / np.float32(ONE_INPUT)
        target[..., HIDDEN:_USED] = source[..., HIDDEN:_USED] * (factor / np.float32(ONE_MATERIAL))
    parts.output[:] = network.output * (factor / np.float32(ONE_OUTPUT))
    parts.output_bias[:] = network.output_bias * (factor / np.float32(ONE_SCORE))
    parts.threat[:] = network.threat * (factor / np.float32(ONE_THREAT))
    parts.threatened[:] = network.threatened / np.float32(ONE_INPUT)
    return vector
