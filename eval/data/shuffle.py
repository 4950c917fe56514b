"""Putting rows in random order; rows are words of 64 bits, so one kernel does for all kinds.

What comes out depends on the seed alone, whatever the version of NumPy.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from boomslang.engine.core.constants import U
from boomslang.engine.core.system.jit import jit, kernel, u64
from boomslang.engine.core.system.splitmix import STEP, mixed

rows_t: Any = u64[:, ::1]


@jit
def _below(random: np.uint64, size: np.uint64) -> np.uint64:
    """A number from 0 on, less than `size`, which has 32 bits at most."""
    return ((mixed(random) >> U(32)) * size) >> U(32)


@jit
def _swap(one: Any, first: np.uint64, other: Any, second: np.uint64) -> None:
    """Exchange two rows of two tables, in place."""
    for column in range(one.shape[1]):
        word = one[first, U(column)]
        one[first, U(column)] = other[second, U(column)]
        other[second, U(column)] = word


@kernel(u64(rows_t, u64))
def mix_up(rows: Any, random: np.uint64) -> np.uint64:
    """Put rows in random order, in place (Fisher and Yates); returns the next state of `random`."""
    for done in range(1, rows.shape[0]):
        random += STEP
        _swap(rows, U(done), rows, _below(random, U(done + 1)))
    return random


@kernel(u64(rows_t, rows_t, u64))
def exchange(pool: Any, rows: Any, random: np.uint64) -> np.uint64:
    """Put each row into the pool for a random one, which takes its place, in place in both.

    Returns the next state of `random`.
    """
    for number in range(rows.shape[0]):
        random += STEP
        _swap(rows, U(number), pool, _below(random, U(pool.shape[0])))
    return random


def state_of(*words: object) -> np.uint64:
    """The state to begin with for these words: a seed, the number of a pass and the like."""
    text = " ".join(map(str, words)).encode()
    return np.uint64(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little"))
