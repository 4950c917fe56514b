"""The loss of the network over positions, and its gradient: the kernels that dominate training time.

A position has at most 32 pieces, so only their rows of the first layer have a gradient, and the second rows
of those that are threatened. Forward and backward pass gather from and scatter to these rows, some 57 of
5,376, without multiplying by zeros. The two passes of one position follow each other while its rows are in
the cache.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.position import POSITION, Rules, rules_t
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types, void
from boomslang.engine.learning.data.records import (
    DECIDED,
    DataRecord,
    DataRecords,
    record_t,
    result_counts,
    unpack,
)
from boomslang.engine.learning.training.active_features import (
    INDICES,
    OTHER_VIEW,
    find_rows,
    find_threatened,
)
from boomslang.engine.learning.training.parameters import BIAS, OUTPUT, OUTPUT_BIAS, THREAT
from boomslang.eval.network.features import bucket_for
from boomslang.eval.network.shape import HIDDEN, THREATS
from boomslang.eval.network.threat_counts import count_threats

f32: Any = types.float32
f64: Any = types.float64
floats_t: Any = types.float32[::1]
records_t: Any = types.Array(record_t, 1, "C")

# The workspace of the kernels, one for each thread.
WORKSPACE: Final = np.dtype(
    [
        ("hidden", "f4", (4, HIDDEN)),  # accumulators, own and other; their gradients
        ("rows", "u8", (INDICES,)),  # rows of the pieces, then of those threatened
        ("threats", "i4", (2, THREATS)),
        ("position", POSITION),
    ],
    align=True,
)
workspace_t: Any = record_type(WORKSPACE)
GradientWorkspace: TypeAlias = Any  # a record of WORKSPACE

_F = np.float32
_NONE: Final = _F(0.0)
_FULL: Final = _F(1.0)
_TWO: Final = _F(2.0)
_HIDDEN: Final = U(HIDDEN)
_BIAS: Final = U(BIAS)
_OUTPUT: Final = U(OUTPUT)
_OUTPUT_BIAS: Final = U(OUTPUT_BIAS)
_TWO_SIDES: Final = U(2 * HIDDEN)
_THREAT: Final = U(THREAT)
_BOTH_THREATS: Final = U(2 * THREATS)
_MAX_SCORE: Final = I(DECIDED)


@jit
def _gather(parameters: Any, rows: Any, begin: np.uint64, count: np.uint64, to: Any) -> None:
    """Write the sum of the bias and `count` rows, from index `begin` of `rows` on, into `to` [HIDDEN]."""
    for index in range(HIDDEN):
        to[U(index)] = parameters[_BIAS + U(index)]
    last = begin + count
    place = begin
    while place + U(4) <= last:
        # Four rows at once: the sum is read and written a quarter as often.
        a = rows[place]
        b = rows[place + ONE]
        c = rows[place + U(2)]
        d = rows[place + U(3)]
        for index in range(HIDDEN):
            i = U(index)
            more = (parameters[a + i] + parameters[b + i]) + (parameters[c + i] + parameters[d + i])
            to[i] += more
        place += U(4)
    while place < last:
        a = rows[place]
        for index in range(HIDDEN):
            to[U(index)] += parameters[a + U(index)]
        place += ONE


@jit
def _material(
    parameters: Any, rows: Any, begin: np.uint64, count: np.uint64, column: np.uint64
) -> Any:
    """One column of `count` rows and the bias, added up."""
    total = parameters[_BIAS + column]
    for index in range(count):
        total += parameters[rows[begin + U(index)] + column]
    return total


@jit
def _weigh(parameters: Any, begin: np.uint64, hidden: Any) -> Any:
    """The activations of an accumulator times the output weights from `begin` on, summed."""
    total = _NONE
    for index in range(HIDDEN):
        value = hidden[U(index)]
        value = value if value > _NONE else _NONE
        value = value if value < _FULL else _FULL
        total += value * value * parameters[begin + U(index)]
    return total


@jit
def _go_back(
    parameters: Any, gradient: Any, begin: np.uint64, hidden: Any, slopes: Any, slope: Any
) -> None:
    """Backpropagate the slope of the output to an accumulator and the output weights, in place."""
    twice = slope * _TWO
    for index in range(HIDDEN):
        i = U(index)
        value = hidden[i]
        value = value if value > _NONE else _NONE
        value = value if value < _FULL else _FULL
        gradient[begin + i] += slope * value * value
        inside = value if value < _FULL else _NONE
        slopes[i] = twice * inside * parameters[begin + i]


@jit
def _scatter(
    gradient: Any,
    rows: Any,
    begin: np.uint64,
    pieces: np.uint64,
    count: np.uint64,
    slopes: Any,
    column: np.uint64,
    slope: Any,
) -> None:
    """Add `slopes` [HIDDEN] to the gradient of `count` rows and of the bias, in place.

    Then `slope` to a column of the first `pieces` rows and of the bias.
    """
    for number in range(count + ONE):
        row = rows[begin + U(number)] if U(number) < count else _BIAS
        for index in range(HIDDEN):
            gradient[row + U(index)] += slopes[U(index)]
    for number in range(pieces):
        gradient[rows[begin + U(number)] + column] += slope
    gradient[_BIAS + column] += slope


@jit
def _look(record: DataRecord, rules: Rules, workspace: GradientWorkspace) -> Any:
    """Find the rows and the threats of a record, in place; returns the number of pieces, and of rows."""
    unpack(rules, record, workspace.position)
    ours, theirs, attacks = count_threats(rules, workspace.position)
    for number in range(THREATS):
        workspace.threats[ZERO, U(number)] = ours[number]
        workspace.threats[ONE, U(number)] = theirs[number]
    pieces = find_rows(record, workspace.rows)
    return pieces, pieces + find_threatened(workspace.position, attacks, workspace.rows, pieces)


@jit
def _predict(
    parameters: Any,
    workspace: GradientWorkspace,
    pieces: np.uint64,
    count: np.uint64,
    bucket: np.uint64,
) -> Any:
    """The output for a position after `_look`; fills both accumulators, in place.

    Of the `count` rows the first `pieces` are of all pieces, the others of those that are threatened.
    """
    column = _HIDDEN + bucket
    begin = _OUTPUT + bucket * _TWO_SIDES
    rows, own, other = workspace.rows, workspace.hidden[ZERO], workspace.hidden[ONE]
    _gather(parameters, rows, ZERO, count, own)
    _gather(parameters, rows, OTHER_VIEW, count, other)
    output = parameters[_OUTPUT_BIAS + bucket]
    output += _weigh(parameters, begin, own) + _weigh(parameters, begin + _HIDDEN, other)
    output += _material(parameters, rows, ZERO, pieces, column)
    output -= _material(parameters, rows, OTHER_VIEW, pieces, column)
    begin = _THREAT + bucket * _BOTH_THREATS
    for number in range(THREATS):
        index = U(number)
        output += parameters[begin + index] * _F(workspace.threats[ZERO, index])
        output += parameters[begin + U(THREATS) + index] * _F(workspace.threats[ONE, index])
    return output


@jit
def _target(record: DataRecord, eval_scale: Any, share: Any) -> Any:
    """The target, 0..1 for the side to move: from the score, and by `share` from the game's result.

    The game's result counts only if it is valid for this position, see `records.has_true_result`.
    """
    score = _F(min(max(I(record.score), -_MAX_SCORE), _MAX_SCORE))
    result = _F(record.result) / _TWO
    if record.side:
        score = -score
        result = _FULL - result
    expected = _FULL / (_FULL + math.exp(-score / eval_scale))
    if not result_counts(U(record.traits)):
        return expected
    return expected + share * (result - expected)


@kernel(
    f64(records_t, i64, i64, floats_t, floats_t, rules_t, workspace_t, f32, f32, f32), relaxed=True
)
def add_gradient(
    records: DataRecords,
    first: int,
    last: int,
    parameters: Any,
    gradient: Any,
    rules: Rules,
    workspace: GradientWorkspace,
    eval_scale: float,
    share: float,
    weight: float,
) -> float:
    """The sum of squared errors of the records `first` to `last`; their gradient is added to `gradient`.

    Each error is multiplied by `weight` in the gradient; with a weight of 0 no gradient is computed. Scores
    are converted by sigmoid(score / `eval_scale`), and `share` of the target is the game's result.
    `workspace` is a record of WORKSPACE. The last three numbers are float32.
    """
    rows = workspace.rows
    own, other = workspace.hidden[ZERO], workspace.hidden[ONE]
    own_slopes, other_slopes = workspace.hidden[U(2)], workspace.hidden[U(3)]
    loss = 0.0
    for number in range(first, last):
        # 1. Forward.
        record = records[U(number)]
        pieces, count = _look(record, rules, workspace)
        bucket = bucket_for(pieces)
        output = _predict(parameters, workspace, pieces, count, bucket)
        predicted = _FULL / (_FULL + math.exp(-output))
        error = predicted - _target(record, eval_scale, share)
        loss += f64(error) * f64(error)
        if weight == _NONE:
            continue

        # 2. Backward.
        column = _HIDDEN + bucket
        begin = _OUTPUT + bucket * _TWO_SIDES
        slope = weight * _TWO * error * predicted * (_FULL - predicted)
        gradient[_OUTPUT_BIAS + bucket] += slope
        _go_back(parameters, gradient, begin, own, own_slopes, slope)
        _go_back(parameters, gradient, begin + _HIDDEN, other, other_slopes, slope)
        _scatter(gradient, rows, ZERO, pieces, count, own_slopes, column, slope)
        _scatter(gradient, rows, OTHER_VIEW, pieces, count, other_slopes, column, -slope)
        begin = _THREAT + bucket * _BOTH_THREATS
        for index in range(THREATS):
            place = begin + U(index)
            gradient[place] += slope * _F(workspace.threats[ZERO, U(index)])
            gradient[place + U(THREATS)] += slope * _F(workspace.threats[ONE, U(index)])
    return loss


@kernel(void(records_t, i64, i64, floats_t, rules_t, workspace_t, floats_t), relaxed=True)
def predict(
    records: DataRecords,
    first: int,
    last: int,
    parameters: Any,
    rules: Rules,
    workspace: GradientWorkspace,
    outputs: Any,
) -> None:
    """The outputs for RECORDs `first` to `last` - 1, into `outputs` (float32, one per record), in place.

    They are for the side to move; multiplied by the eval scale of the training they are centipawns.
    """
    for number in range(first, last):
        pieces, count = _look(records[U(number)], rules, workspace)
        bucket = bucket_for(pieces)
        outputs[U(number)] = _predict(parameters, workspace, pieces, count, bucket)
