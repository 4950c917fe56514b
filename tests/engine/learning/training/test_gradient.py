"""The trainer's kernels say what slow and simple code says, and its steps are those of Adam."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import numpy.typing as npt
import pytest

from boomslang.core.board.position import new_record
from boomslang.core.board.tables import new_rules
from boomslang.engine.learning.data.records import IN_SIDELINE, TO_COME_SHIFT
from boomslang.engine.learning.training import gradient, parameters
from boomslang.engine.optimiser import correct_bias, rate_at, step
from boomslang.eval.network.shape import HIDDEN, MAX_WEIGHT, ROW, THREATS
from tests.support.threat_oracle import threats_of
from tests.support.training import (
    inputs_of,
    outputs_of,
    predict,
    random_boards,
    records_of,
    vector_of_chance,
)

pytestmark = pytest.mark.jit_only

F: Any = np.float32
DIVISOR, SHARE = 400.0, 0.3


def test_outputs_match_the_specification() -> None:
    boards = random_boards(60)
    assert {(len(board.piece_map()) - 1) // 4 for board in boards} >= {3, 4, 5, 6, 7}
    vector = vector_of_chance(1)
    expected = outputs_of(vector.astype(np.float64), boards)
    assert predict(vector, records_of(boards)) == pytest.approx(expected, abs=1e-4)


def test_few_pieces() -> None:
    fens = ("8/8/8/3k4/8/3K4/8/8 w", "8/8/8/3k4/8/3KP3/8/8 b", "8/p7/8/3k4/8/3KP2Q/8/8 b")
    boards = [chess.Board(f"{fen} - - 0 1") for fen in fens]
    vector = vector_of_chance(2)
    expected = outputs_of(vector.astype(np.float64), boards)
    assert predict(vector, records_of(boards)) == pytest.approx(expected, abs=1e-4)


def lesson_of(boards: list[chess.Board]) -> npt.NDArray[np.void]:
    """Records of which every third is the end of a sideline, and every fourth before a random move."""
    records = records_of(boards)
    records["traits"][::3] |= IN_SIDELINE
    records["traits"][::4] |= np.uint8(1) << np.uint8(TO_COME_SHIFT)
    return records


def reference_loss(vector: npt.NDArray[np.float64], boards: list[chess.Board]) -> float:
    """The sum of squared errors, in float64, with results only where they are true."""
    records = lesson_of(boards)
    signs = np.where(records["side"] == 1, -1.0, 1.0)
    scores = 1.0 / (1.0 + np.exp(-signs * np.clip(records["score"], -1500, 1500) / DIVISOR))
    results = 0.5 + signs * (records["result"] / 2.0 - 0.5)
    numbers = np.arange(len(records))
    shares = np.where((numbers % 3 == 0) | (numbers % 4 == 0), 0.0, SHARE)
    targets = (1.0 - shares) * scores + shares * results
    predicted = 1.0 / (1.0 + np.exp(-outputs_of(vector, boards)))
    return float(((predicted - targets) ** 2).sum())


def kernel_gradient(
    vector: npt.NDArray[np.float32], boards: list[chess.Board], weight: float
) -> tuple[float, npt.NDArray[np.float32]]:
    found = np.zeros_like(vector)
    workspace = new_record(gradient.WORKSPACE)
    records = lesson_of(boards).view(np.recarray)
    numbers = (F(DIVISOR), F(SHARE), F(weight))
    loss = gradient.add_gradient(
        records, 0, len(boards), vector, found, new_rules(), workspace, *numbers
    )
    return float(loss), found


def test_the_gradient_is_that_of_the_loss() -> None:
    boards = random_boards(16, seed=12)
    vector = vector_of_chance(4)
    exact = vector.astype(np.float64)
    loss, found = kernel_gradient(vector, boards, 1.0)
    assert loss == pytest.approx(reference_loss(exact, boards), rel=1e-5)

    # 1. Single parameters, of all kinds.
    source = np.random.default_rng(4)
    inputs, threatened = inputs_of(boards[0], True)
    assert threatened
    rows = [place * ROW for place in inputs[:3]]
    hidden = [row + int(source.integers(HIDDEN)) for row in rows]
    buckets = [(len(board.piece_map()) - 1) // 4 for board in boards[:3]]
    material = [row + HIDDEN + bucket for row, bucket in zip(rows, buckets, strict=True)]
    biases = [parameters.BIAS + int(source.integers(HIDDEN)) for _ in range(3)]
    outputs = [
        parameters.OUTPUT + bucket * 2 * HIDDEN + int(source.integers(2 * HIDDEN))
        for bucket in buckets
    ]
    last = [parameters.OUTPUT_BIAS + bucket for bucket in buckets]
    threats = [
        parameters.THREAT + buckets[0] * 2 * THREATS + index
        for index in np.flatnonzero(threats_of(boards[0])).tolist()
    ]
    second = [
        parameters.THREATENED + row * HIDDEN + int(source.integers(HIDDEN))
        for row in threatened[:3]
    ]
    for place in [*hidden, *material, *biases, *outputs, *last, *threats, *second]:
        direction = np.zeros_like(exact)
        direction[place] = 1.0
        assert found[place] == pytest.approx(slope(exact, direction, boards), rel=1e-3, abs=1e-6)

    # 2. All of them at once, in some direction.
    for _ in range(2):
        direction = source.normal(0.0, 1.0, exact.size)
        assert found @ direction == pytest.approx(slope(exact, direction, boards), rel=1e-3)


def slope(
    vector: npt.NDArray[np.float64], direction: npt.NDArray[np.float64], boards: list[chess.Board]
) -> float:
    small = 1e-6
    after = reference_loss(vector + small * direction, boards)
    before = reference_loss(vector - small * direction, boards)
    return (after - before) / (2.0 * small)


def test_the_weight_of_an_error() -> None:
    boards = random_boards(5, seed=5)
    vector = vector_of_chance(5)
    loss, once = kernel_gradient(vector, boards, 1.0)
    again, quarter = kernel_gradient(vector, boards, 0.25)
    assert loss == again and np.allclose(quarter, once / 4.0, rtol=1e-5, atol=1e-9)
    alone, none = kernel_gradient(vector, boards, 0.0)
    assert alone == loss and not none.any()


def test_steps_match_adam() -> None:
    source = np.random.default_rng(6)
    size, jobs, rate, decay = 1000, 3, 0.01, 0.1
    vector = source.normal(0.0, 1.0, size).astype(np.float32)
    exact = vector.astype(np.float64)
    limits = np.full(size, np.inf, dtype=np.float32)
    limits[:500] = F(MAX_WEIGHT)
    means, squares = np.zeros((2, size), dtype=np.float32)
    mean, square = np.zeros((2, size))
    for number in range(1, 40):
        slopes = source.normal(0.1, 1.0, (jobs, size)).astype(np.float32)
        total = slopes.astype(np.float64).sum(0)
        size_of_step, root = map(F, correct_bias(rate, number))
        for first, last in ((0, 300), (300, size)):
            memory = vector, slopes, means, squares, limits
            step(first, last, *memory, size_of_step, root, F(rate * decay))
        assert not slopes.any()
        mean = 0.9 * mean + 0.1 * total
        square = 0.999 * square + 0.001 * total**2
        unbiased = mean / (1.0 - 0.9**number), square / (1.0 - 0.999**number)
        exact -= rate * decay * exact + rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
        exact[:500] = np.clip(exact[:500], -MAX_WEIGHT, MAX_WEIGHT)
        assert np.allclose(vector, exact, rtol=0.0, atol=2e-5)
    assert np.abs(vector[500:]).max() > MAX_WEIGHT > 1.9 < np.abs(vector[:500]).max()


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(1.0, number, 10_000) for number in range(1, 10_001)]
    top = rates.index(max(rates))
    assert 190 <= top <= 210 and rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert 0.0 < rates[0] < 0.01 and rates[-1] == pytest.approx(0.008) and max(rates) <= 1.0
    assert all(0.0 < rate_at(1.0, number, 3) <= 1.0 for number in (1, 2, 3))
