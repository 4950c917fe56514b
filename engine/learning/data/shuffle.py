"""Shuffling rows of 64-bit words, so that one kernel serves all kinds of rows.

The order depends on the seed alone, not on the version of NumPy.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from boomslang.core.board.constants import U
from boomslang.core.board.splitmix import STEP, mix
from boomslang.core.jit.jit import jit, kernel, u64

rows_t: Any = u64[:, ::1]


@jit
def _below(random: np.uint64, size: np.uint64) -> np.uint64:
    """A number in 0 .. `size` - 1; `size` has at most 32 bits."""
    return ((mix(random) >> U(32)) * size) >> U(32)


@jit
def _swap(one: Any, first: np.uint64, other: Any, second: np.uint64) -> None:
    """Exchange two rows of two tables, in place."""
    for column in range(one.shape[1]):
        word = one[first, U(column)]
        one[first, U(column)] = other[second, U(column)]
        other[second, U(column)] = word


@kernel(u64(rows_t, u64))
def mix_up(rows: Any, random: np.uint64) -> np.uint64:
    """Shuffle rows, in place (Fisher and Yates); returns the next state of `random`."""
    for done in range(1, rows.shape[0]):
        random += STEP
        _swap(rows, U(done), rows, _below(random, U(done + 1)))
    return random


@kernel(u64(rows_t, rows_t, u64))
def exchange(pool: Any, rows: Any, random: np.uint64) -> np.uint64:
    """Exchange each row for a random one of the pool, in place in both.

    Returns the next state of `random`.
    """
    for number in range(rows.shape[0]):
        random += STEP
        _swap(rows, U(number), pool, _below(random, U(pool.shape[0])))
    return random


def state_of(*words: object) -> np.uint64:
    """The initial state for these words: a seed, the number of a pass and so on."""
    text = " ".join(map(str, words)).encode()
    return np.uint64(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little"))
