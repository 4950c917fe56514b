"""The training loop's inner part: one optimiser step for each batch of positions, on several threads.

Each thread computes the gradient of a fixed part of the batch, then updates a fixed part of the
parameters. So the result depends only on the data, the settings and the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.core.board.tables import new_rules
from boomslang.engine.learning.training.gradient import WORKSPACE, add_gradient
from boomslang.engine.learning.training.optimiser import correct_bias, rate_at, step
from boomslang.engine.learning.training.parameters import SIZE, Floats, limits
from boomslang.eval.network.shape import SCALE

Records = npt.NDArray[np.void]  # dtype RECORD

_F: Any = np.float32
_PART: Final = 1 << 14  # records per evaluation of the loss


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Hyperparameters of a training run; the result depends on all of them."""

    steps: int  # batches, over all epochs
    batch_size: int = 16384  # positions
    learning_rate: float = 1e-3  # the highest, after the warm-up
    weight_decay: float = 0.01  # decoupled: multiplied by the learning rate
    eval_scale: int = SCALE  # centipawns that correspond to odds of e : 1
    wdl: float = 0.0  # weight of the game's result in the target, at the end
    wdl_ramp: bool = True  # this weight grows from 0 during the second half
    seed: int = 1
    jobs: int = 1  # threads: floating-point sums depend on their order


class Trainer:
    """Parameters and optimiser state; a context manager, which ends its threads."""

    def __init__(self, parameters: Floats, plan: TrainingSettings) -> None:
        self.parameters = parameters
        self.plan = plan
        self.number = 0  # steps done
        self.means = np.zeros(SIZE, dtype=np.float32)
        self.squares = np.zeros(SIZE, dtype=np.float32)
        self._gradients = np.zeros((plan.jobs, SIZE), dtype=np.float32)
        self._limits = limits()
        self._rules = new_rules()
        self._workspaces = [new_record(WORKSPACE) for _ in range(plan.jobs)]
        self._threads = ThreadPoolExecutor(plan.jobs)

    def __enter__(self) -> Trainer:
        """The trainer itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Ends the threads."""
        self._threads.shutdown()

    def learn(self, records: Records) -> float:
        """One optimiser step on a batch of RECORDs; returns the mean loss over its positions before the step.

        Raises ValueError if the loss is not finite.
        """
        plan = self.plan
        self.number += 1
        share = plan.wdl
        if plan.wdl_ramp:
            share *= max(0.0, 2.0 * self.number / plan.steps - 1.0)
        loss = self._sum_losses(records, share, 1.0 / len(records)) / len(records)
        if not np.isfinite(loss):
            raise ValueError(
                "training diverged (loss is not finite); use a smaller --learning-rate"
            )
        rate = rate_at(plan.learning_rate, self.number, plan.steps)
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
                _F(rate * plan.weight_decay),
            ),
            SIZE,
        )
        return loss

    def loss(self, records: Records) -> float:
        """The mean squared error over RECORDs, with the final weight of the results."""
        total = 0.0
        for first in range(0, len(records), _PART):
            total += self._sum_losses(records[first : first + _PART], self.plan.wdl, 0.0)
        return total / len(records)

    def _sum_losses(self, records: Records, share: float, weight: float) -> float:
        plain = np.ascontiguousarray(records).view(np.recarray)
        losses = self._spread(
            lambda job, first, last: add_gradient(
                plain,
                first,
                last,
                self.parameters,
                self._gradients[job],
                self._rules,
                self._workspaces[job],
                _F(self.plan.eval_scale),
                _F(share),
                _F(weight),
            ),
            len(records),
        )
        return float(sum(losses))

    def _spread(self, work: Callable[[int, int, int], Any], size: int) -> list[Any]:
        """Run `work(job, first, last)` on every thread, each for its part of 0..size; returns the results."""
        jobs = self.plan.jobs
        ends = [size * job // jobs for job in range(jobs + 1)]
        waiting = [self._threads.submit(work, job, ends[job], ends[job + 1]) for job in range(jobs)]
        return [one.result() for one in waiting]
