"""The parameters that a training begins with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boomslang.eval.network.shape import HIDDEN
from boomslang.eval.network.widening import EARLIER_HIDDEN, narrow, widen
from boomslang.eval.training.parameters import from_network, parts_of, wake
from boomslang.eval.training.trainer import Trainer, TrainingSettings
from tests.support.networks import random_network
from tests.support.training import predict, random_boards, records_of

ADDED = slice(EARLIER_HIDDEN, HIDDEN)


@pytest.fixture
def network() -> Any:
    return widen(narrow(random_network(4)))


@pytest.mark.jit_only
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("wakes", [True, False])
def test_units_that_were_added_learn_once_they_are_awake(network: Any, wakes: bool) -> None:
    records = records_of(random_boards(200))
    vector = from_network(network, 400.0)
    before = predict(vector, records)
    if wakes:
        wake(vector)
    assert np.array_equal(predict(vector, records), before)
    parts = parts_of(vector)
    begun = parts.input[:, ADDED].copy()
    with Trainer(vector, TrainingSettings(steps=5, batch_size=200, weight_decay=0.0)) as trainer:
        for _ in range(5):
            trainer.learn(records)
    assert parts.output[:, :, ADDED].any() == wakes
    assert (parts.input[:, ADDED] != begun).any() == wakes


def test_units_that_have_learnt_are_not_changed(network: Any) -> None:
    vector = from_network(network, 400.0)
    begun = vector.copy()
    wake(vector)
    parts, old = parts_of(vector), parts_of(begun)
    awake = parts.input[:, :HIDDEN].std(axis=0)
    assert 0.04 < awake[ADDED].min() < awake[ADDED].max() < 0.06
    parts.input[:, ADDED] = parts.bias[ADDED] = 0.0
    for name in ("input", "bias", "output", "threatened"):
        assert np.array_equal(getattr(parts, name), getattr(old, name)), name


@pytest.mark.parametrize("learnt", ["input", "threatened", "output"])
def test_a_unit_with_one_weight_of_any_kind_is_not_changed(network: Any, learnt: str) -> None:
    vector = from_network(network, 400.0)
    weights = getattr(parts_of(vector), learnt)
    weights[(0,) * (weights.ndim - 1) + (HIDDEN - 1,)] = 0.5
    begun = parts_of(vector).input[:, HIDDEN - 1].copy()
    wake(vector)
    assert np.array_equal(parts_of(vector).input[:, HIDDEN - 1], begun)
