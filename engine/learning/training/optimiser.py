"""The optimiser: Adam with weight decay, and a learning rate schedule with warm-up and cosine decay.

After Kingma and Ba (2014), "Adam", and Loshchilov and Hutter (2017), decoupled weight decay ("AdamW") and
the cosine schedule.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import U
from boomslang.core.jit.jit import i64, kernel, types, void

_F = np.float32
_MEAN: Final = _F(0.9)  # decay of the mean gradient per step
_SQUARE: Final = _F(0.999)  # decay of its mean square
_MEAN_NEW: Final = _F(0.1)
_SQUARE_NEW: Final = _F(0.001)
_TINY: Final = _F(1e-8)
_NONE: Final = _F(0.0)

_WARM_UP: Final = 200  # steps
_FLATTEST: Final = 0.008  # the final rate as a share of the highest

f32: Any = types.float32
floats_t: Any = types.float32[::1]
matrix_t: Any = types.float32[:, ::1]


@kernel(
    void(i64, i64, floats_t, matrix_t, floats_t, floats_t, floats_t, f32, f32, f32), relaxed=True
)
def step(
    first: int,
    last: int,
    parameters: Any,
    gradients: Any,
    means: Any,
    squares: Any,
    limits: Any,
    rate: float,
    root: float,
    decay: float,
) -> None:
    """Update the parameters `first` to `last` by the sum of `gradients`, in place, and zero the gradients.

    `gradients` is [jobs, SIZE]; `means` and `squares` are Adam's state. `rate` and `root` come from
    `correct_bias`. Each step reduces a parameter by the share `decay`; parameters are clipped to their
    limits.
    """
    keep = _F(1.0) - decay
    for job in range(1, gradients.shape[0]):
        for index in range(first, last):
            gradients[0, U(index)] += gradients[U(job), U(index)]
            gradients[U(job), U(index)] = _NONE
    for index in range(first, last):
        i = U(index)
        slope = gradients[0, i]
        gradients[0, i] = _NONE
        mean = _MEAN * means[i] + _MEAN_NEW * slope
        square = _SQUARE * squares[i] + _SQUARE_NEW * slope * slope
        means[i] = mean
        squares[i] = square
        value = parameters[i] * keep - rate * mean / (math.sqrt(square) * root + _TINY)
        limit = limits[i]
        value = value if value < limit else limit
        parameters[i] = value if value > -limit else -limit


def correct_bias(rate: float, number: int) -> tuple[float, float]:
    """`rate` and `root` for step `number`, from 1, with Adam's bias correction: the means start at 0."""
    return rate / (1.0 - 0.9**number), (1.0 - 0.999**number) ** -0.5


def rate_at(highest: float, number: int, steps: int) -> float:
    """The learning rate of step `number`, from 1, of `steps`: a linear warm-up, then half a cosine."""
    rise = min(_WARM_UP, steps // 10)
    if number <= rise:
        return highest * number / (rise + 1)
    along = (number - rise) / max(steps - rise, 1)
    part = _FLATTEST + (1.0 - _FLATTEST) * (1.0 + math.cos(math.pi * along)) / 2.0
    return highest * part
