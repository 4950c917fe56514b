"""The output layer: from two accumulators and the threats to a score."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.engine.core.board.position import Position, Positions, Rules
from boomslang.engine.core.constants import ONE, I, U
from boomslang.engine.core.system.jit import jit
from boomslang.eval.network.accumulator import Accumulators, bring_up_to_date, refresh
from boomslang.eval.network.features import bucket_of
from boomslang.eval.network.shape import (
    HIDDEN,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_SCORE,
    ONE_THREAT,
    Network,
)
from boomslang.eval.network.threats import count_threats

# Of the accumulators' type: a wider number would prevent operations on 16 numbers at once.
_NOTHING = np.int16(0)
_FULL = np.int16(ONE_INPUT)


@jit
def _weigh(row: Any, weights: Any) -> np.int32:
    """Sum of clipped, squared activations times their weights; int16[ROW] and int16[HIDDEN].

    The weight is first multiplied by one factor of the square: that product fits into 16 bits, and the rest
    is a single instruction. Each step is cast back to its width at once, or Numba would compute it in 64
    bits.
    """
    total = np.int32(0)
    for number in range(HIDDEN):
        index = U(number)
        active = min(max(row[index], _NOTHING), _FULL)
        weighed = np.int16(active * weights[index])
        total = np.int32(total + np.int32(weighed) * np.int32(active))
    return total


@jit
def positional(
    network: Network, accumulators: Accumulators, position: Position, ply: np.uint64
) -> np.int64:
    """The positional part, centipawns for the side to move; accumulators must be up to date."""
    us = U(position.side)
    bucket = bucket_of(position)
    own, other = accumulators.row[ply, us], accumulators.row[ply, us ^ ONE]
    total = I(_weigh(own, network.output[bucket, U(0)]))
    total += I(_weigh(other, network.output[bucket, U(1)]))
    return (total // I(ONE_INPUT) + network.output_bias[bucket]) * network.scale // I(ONE_SCORE)


@jit
def material(
    network: Network, accumulators: Accumulators, position: Position, ply: np.uint64
) -> np.int64:
    """The material part, centipawns for the side to move; accumulators must be up to date."""
    us = U(position.side)
    column = U(HIDDEN) + bucket_of(position)
    own, other = accumulators.row[ply, us], accumulators.row[ply, us ^ ONE]
    return (I(own[column]) - I(other[column])) * network.scale // I(ONE_MATERIAL)


@jit
def _weigh_threats(counts: Any, weights: Any) -> np.int64:
    """Sum of the THREATS counts of one side times their weights, int16[THREATS].

    Unrolled, because a loop over a tuple would send the counts through memory: 3 % of all time.
    """
    p, n, b, r, q, harried_minor, harried_rook, harried_queen, by_n, by_b, by_r, by_q = counts
    total = I(p) * I(weights[U(0)]) + I(n) * I(weights[U(1)]) + I(b) * I(weights[U(2)])
    total += I(r) * I(weights[U(3)]) + I(q) * I(weights[U(4)])
    total += I(harried_minor) * I(weights[U(5)]) + I(harried_rook) * I(weights[U(6)])
    total += I(harried_queen) * I(weights[U(7)])
    total += I(by_n) * I(weights[U(8)]) + I(by_b) * I(weights[U(9)])
    return total + I(by_r) * I(weights[U(10)]) + I(by_q) * I(weights[U(11)])


@jit
def threats(network: Network, rules: Rules, position: Position) -> np.int64:
    """The threats part, centipawns for the side to move."""
    ours, theirs = count_threats(rules, position)
    weights = network.threat[bucket_of(position)]
    total = _weigh_threats(ours, weights[U(0)]) + _weigh_threats(theirs, weights[U(1)])
    return total * network.scale // I(ONE_THREAT)


@jit
def _whole(
    network: Network, rules: Rules, accumulators: Accumulators, position: Position, ply: np.uint64
) -> np.int64:
    """Sum of all parts, centipawns for the side to move; the accumulators at `ply` must be up to date."""
    score = positional(network, accumulators, position, ply)
    score += material(network, accumulators, position, ply)
    return score + threats(network, rules, position)


@jit
def network_evaluation(
    network: Network, rules: Rules, accumulators: Accumulators, positions: Positions, ply: np.uint64
) -> np.int64:
    """The evaluation of `positions[ply]`, centipawns for the side to move.

    Changes `accumulators` in place, see `bring_up_to_date`.
    """
    bring_up_to_date(network, accumulators, positions, ply, U(0))
    bring_up_to_date(network, accumulators, positions, ply, U(1))
    return _whole(network, rules, accumulators, positions[ply], ply)


@jit
def evaluate_afresh(
    network: Network, rules: Rules, accumulators: Accumulators, position: Position
) -> np.int64:
    """The evaluation of a single POSITION, centipawns for the side to move.

    Overwrites the accumulators at ply 0.
    """
    refresh(network, accumulators, position, U(0), U(0))
    refresh(network, accumulators, position, U(0), U(1))
    return _whole(network, rules, accumulators, position, U(0))
