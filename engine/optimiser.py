"""The optimiser: Adam with weight decay, and a learning rate schedule with warm-up and cosine decay.

After Kingma and Ba (2014), "Adam", and Loshchilov and Hutter (2017), decoupled weight decay ("AdamW") and
the cosine schedule.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import U
from boomslang.core.jit.jit import i64, kernel, types, void

Floats = npt.NDArray[np.float32]

_F: Any = np.float32
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


class AdamTrainer:
    """Parameters and the state of Adam; a context manager, which ends its threads.

    Each thread computes the gradient of a fixed part of a batch, then updates a fixed part of the parameters.
    So the result depends only on the data, the settings and the number of threads.
    """

    def __init__(self, parameters: Floats, limits: Floats, jobs: int) -> None:
        self.parameters = parameters
        self.number = 0  # steps done
        self.means = np.zeros_like(parameters)
        self.squares = np.zeros_like(parameters)
        self._limits = limits
        self._gradients = np.zeros((jobs, len(parameters)), np.float32)
        self._threads = ThreadPoolExecutor(jobs)

    def __enter__(self) -> Self:
        """The trainer itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Ends the threads."""
        self._threads.shutdown()

    def _update(self, loss: float, steps: int, learning_rate: float, weight_decay: float) -> None:
        """One step of `steps` along the gradients; ValueError if the loss before it is not finite."""
        if not np.isfinite(loss):
            raise ValueError(
                "training diverged (loss is not finite); use a smaller --learning-rate"
            )
        self.number += 1
        rate = rate_at(learning_rate, self.number, steps)
        size, root = map(_F, correct_bias(rate, self.number))
        self._spread(
            lambda job, first, last: step(
                first,
                last,
                self.parameters,
                self._gradients,
                self.means,
                self.squares,
                self._limits,
                size,
                root,
                _F(rate * weight_decay),
            ),
            len(self.parameters),
        )

    def _spread(self, work: Callable[[int, int, int], Any], size: int) -> list[Any]:
        """Run `work(job, first, last)` on every thread, each for its part of 0..size; returns the results."""
        jobs = len(self._gradients)
        ends = [size * job // jobs for job in range(jobs + 1)]
        waiting = [self._threads.submit(work, job, ends[job], ends[job + 1]) for job in range(jobs)]
        return [one.result() for one in waiting]
