"""Random bits from a counter with constant increment: SplitMix64 (Steele, Lea and Flood 2014).

The same bits on every computer, whatever the version of NumPy, in Python and in kernels.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.jit.jit import jit

_U = np.uint64
_STEP: Final = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_BETWEEN_SEEDS: Final = 0xD1B54A32D192ED03
_MASK: Final = (1 << 64) - 1

STEP: Final = _U(_STEP)  # from one state of a kernel to the next


def random_bits(seed: int, number: int = 1) -> int:
    """The `number`th 64 random bits after a seed: `mix` after `number` steps."""
    bits = (seed + number * _STEP) & _MASK
    bits = ((bits ^ (bits >> 30)) * _FIRST) & _MASK
    bits = ((bits ^ (bits >> 27)) * _SECOND) & _MASK
    return bits ^ (bits >> 31)


def stream(seed: int, number: int) -> int:
    """The initial state of stream `number` of a seed; streams are too far apart to overlap."""
    return (seed * _BETWEEN_SEEDS + (number << 32)) & _MASK


def mix_array(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The 64 random bits of each state, for Python; in kernels there is `mix`."""
    bits = (states ^ (states >> _U(30))) * _U(_FIRST)
    bits = (bits ^ (bits >> _U(27))) * _U(_SECOND)
    return bits ^ (bits >> _U(31))


@jit
def mix(state: np.uint64) -> np.uint64:
    """The 64 random bits of a state; for more, add STEP to it."""
    bits = (state ^ (state >> _U(30))) * _U(_FIRST)
    bits = (bits ^ (bits >> _U(27))) * _U(_SECOND)
    return bits ^ (bits >> _U(31))


@jit
def next_bits(holder: Any) -> np.uint64:
    """The next 64 random bits of a record whose field `random` is a state, which is changed in place."""
    holder.random += STEP
    return mix(_U(holder.random))
