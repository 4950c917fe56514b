"""Random bits: those that are published, in Python and in kernels."""

from __future__ import annotations

import numpy as np
import pytest

from boomslang.core.board.splitmix import STEP, mix, mix_array, random_bits, stream
from boomslang.core.jit.jit import kernel, load_kernels, u64


@kernel(u64(u64))
def mixed_in_a_kernel(state: np.uint64) -> np.uint64:
    """What other kernels draw."""
    return mix(state)


def test_the_published_numbers() -> None:
    """Of the reference implementation in C, seed 1234567."""
    assert [random_bits(1234567, number) for number in range(1, 4)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_kernels_draw_the_same(seed: int) -> None:
    load_kernels()
    state = np.array([seed], dtype=np.uint64)
    for number in range(1, 30):
        state += STEP
        assert mixed_in_a_kernel(state[0]) == random_bits(seed, number)
        assert mix_array(state).tolist() == [random_bits(seed, number)]


def test_streams_do_not_meet() -> None:
    """Each may take more steps than there are moves in a game or positions near one."""
    steps = np.arange(2_000, dtype=np.uint64) * STEP
    states = [stream(seed, number) for seed in range(1, 20) for number in range(40)]
    met = np.sort((np.array(states, dtype=np.uint64)[:, None] + steps).ravel())
    assert len(met) == len(states) * len(steps) and (met[1:] != met[:-1]).all()
