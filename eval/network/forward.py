"""The output layer: from two accumulators and the threats to a score."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.position import Position, Positions, Rules
from boomslang.core.jit.jit import jit
from boomslang.eval.network.accumulator import (
    Accumulators,
    add_two,
    bring_up_to_date,
    find_threatened,
    refresh,
)
from boomslang.eval.network.features import bucket_of
from boomslang.eval.network.shape import (
    HIDDEN,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_SCORE,
    ONE_THREAT,
    Network,
)
from boomslang.eval.network.threat_counts import count_threats

# Of the accumulators' type: a wider number would prevent operations on 16 numbers at once.
_NOTHING = np.int16(0)
_FULL = np.int16(ONE_INPUT)


@jit
def _weigh_unit(number: Any, weight: Any) -> np.int32:
    """The activation of a hidden unit, its sum clipped and squared, times its output weight; int16 both.

    The weight is first multiplied by one factor of the square: that product fits into 16 bits, and the rest
    is a single instruction. Each step is cast back to its width at once, or Numba would compute it in 64
    bits.
    """
    active = min(max(number, _NOTHING), _FULL)
    weighed = np.int16(active * weight)
    return np.int32(np.int32(weighed) * np.int32(active))


@jit
def _weigh(row: Any, weights: Any) -> np.int32:
    """The sum of all hidden units, weighted; int16[HIDDEN] or longer, int16[HIDDEN]."""
    total = np.int32(0)
    for number in range(HIDDEN):
        index = U(number)
        total = np.int32(total + _weigh_unit(row[index], weights[index]))
    return total


@jit
def _weigh_one_more(row: Any, added: Any, weights: Any) -> np.int32:
    """`_weigh` with the weights of a threatened piece, int8[HIDDEN], added to `row`, which stays as it is."""
    total = np.int32(0)
    for number in range(HIDDEN):
        index = U(number)
        summed = np.int16(row[index] + np.int16(added[index]))
        total = np.int32(total + _weigh_unit(summed, weights[index]))
    return total


@jit
def _weigh_two_more(row: Any, first: Any, second: Any, weights: Any) -> np.int32:
    """`_weigh_one_more` with two threatened pieces."""
    total = np.int32(0)
    for number in range(HIDDEN):
        index = U(number)
        summed = np.int16(row[index] + np.int16(np.int16(first[index]) + np.int16(second[index])))
        total = np.int32(total + _weigh_unit(summed, weights[index]))
    return total


@jit
def _weigh_side(
    network: Network,
    accumulators: Accumulators,
    weights: Any,
    side: np.uint64,
    ply: np.uint64,
    count: np.uint64,
) -> np.int32:
    """The weighted hidden units of one side, with its `count` threatened pieces.

    Of the evaluations of `bench` 92 % have two or fewer (2026-11-27): their weights are added where the sums
    are read. Of more, all but the first one or two are added up in `accumulators.hidden` before.
    """
    row, inputs = accumulators.row[ply, side], accumulators.threatened[side]
    added = network.threatened
    if count == ZERO:
        return _weigh(row, weights)
    if count == ONE:
        return _weigh_one_more(row, added[inputs[ZERO]], weights)
    if count == U(2):
        return _weigh_two_more(row, added[inputs[ZERO]], added[inputs[ONE]], weights)
    hidden = accumulators.hidden
    left = count - U(2)
    add_two(hidden, row, added[inputs[left]], added[inputs[left + ONE]])
    while left > U(2):
        left -= U(2)
        add_two(hidden, hidden, added[inputs[left]], added[inputs[left + ONE]])
    if left == ONE:
        return _weigh_one_more(hidden, added[inputs[ZERO]], weights)
    return _weigh_two_more(hidden, added[inputs[ZERO]], added[inputs[ONE]], weights)


@jit
def positional(
    network: Network,
    accumulators: Accumulators,
    position: Position,
    ply: np.uint64,
    count: np.uint64,
) -> np.int64:
    """The positional part, centipawns for the side to move, with `count` pieces that `find_threatened` found.

    The accumulators must be up to date.
    """
    us = U(position.side)
    them = us ^ ONE
    bucket = bucket_of(position)
    output = network.output
    total = I(_weigh_side(network, accumulators, output[bucket, U(0)], us, ply, count))
    total += I(_weigh_side(network, accumulators, output[bucket, U(1)], them, ply, count))
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
def threats(network: Network, position: Position, ours: Any, theirs: Any) -> np.int64:
    """The threats part, centipawns for the side to move, from the counts of both sides."""
    weights = network.threat[bucket_of(position)]
    total = _weigh_threats(ours, weights[U(0)]) + _weigh_threats(theirs, weights[U(1)])
    return total * network.scale // I(ONE_THREAT)


@jit
def _whole(
    network: Network, rules: Rules, accumulators: Accumulators, position: Position, ply: np.uint64
) -> np.int64:
    """Sum of all parts, centipawns for the side to move; the accumulators at `ply` must be up to date."""
    ours, theirs, attacks = count_threats(rules, position)
    count = find_threatened(network, accumulators, position, attacks)
    score = positional(network, accumulators, position, ply, count)
    score += material(network, accumulators, position, ply)
    return score + threats(network, position, ours, theirs)


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
