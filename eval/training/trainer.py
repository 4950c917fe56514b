"""How the network learns: one batch of positions after the other, on several threads.

Each thread takes a fixed part of a batch and has a gradient of its own; then each moves a fixed part of
the parameters. So the result depends on data, plan and number of threads alone, not on their luck.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.core.board.position import new_record
from boomslang.engine.core.board.tables import new_rules
from boomslang.eval.network.shape import SCALE
from boomslang.eval.training.gradient import ROOM, add_gradient
from boomslang.eval.training.optimiser import corrected, rate_at, step
from boomslang.eval.training.parameters import SIZE, Floats, limits

Records = npt.NDArray[np.void]  # of RECORD

_F: Any = np.float32
_PART: Final = 1 << 14  # records whose loss is asked for at a time


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to go about it; the result depends on all of this."""

    steps: int  # batches, in all passes
    batch: int = 16384  # positions
    rate: float = 1e-3  # the highest
    decay: float = 0.01  # of the weights, times the rate
    divisor: int = SCALE  # centipawns that are worth e : 1
    results: float = 0.0  # share of the game's result in what is learnt, at the end
    ramp: bool = True  # it grows from 0 in the last half
    seed: int = 1
    jobs: int = 1  # threads: sums of floating-point numbers depend on their order


class Trainer:
    """A vector of parameters that learns; use it as a context, which ends its threads."""

    def __init__(self, parameters: Floats, plan: TrainingSettings) -> None:
        self.parameters = parameters
        self.plan = plan
        self.number = 0  # steps done
        self.means = np.zeros(SIZE, dtype=np.float32)
        self.squares = np.zeros(SIZE, dtype=np.float32)
        self._gradients = np.zeros((plan.jobs, SIZE), dtype=np.float32)
        self._limits = limits()
        self._rules = new_rules()
        self._rooms = [new_record(ROOM) for _ in range(plan.jobs)]
        self._threads = ThreadPoolExecutor(plan.jobs)

    def __enter__(self) -> Trainer:
        """The learner itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Ends the threads."""
        self._threads.shutdown()

    def learn(self, records: Records) -> float:
        """One step with a batch of RECORDs; returns the loss before it, a mean over positions.

        Raises ValueError if the loss has become no number.
        """
        plan = self.plan
        self.number += 1
        share = plan.results
        if plan.ramp:
            share *= max(0.0, 2.0 * self.number / plan.steps - 1.0)
        loss = self._sum_losses(records, share, 1.0 / len(records)) / len(records)
        if not np.isfinite(loss):
            raise ValueError("the learning has run away; try a smaller rate")
        rate = rate_at(plan.rate, self.number, plan.steps)
        size, root = map(_F, corrected(rate, self.number))
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
                _F(rate * plan.decay),
            ),
            SIZE,
        )
        return loss

    def loss(self, records: Records) -> float:
        """The mean squared error over RECORDs, with the share of results that comes at the end."""
        total = 0.0
        for first in range(0, len(records), _PART):
            total += self._sum_losses(records[first : first + _PART], self.plan.results, 0.0)
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
                self._rooms[job],
                _F(self.plan.divisor),
                _F(share),
                _F(weight),
            ),
            len(records),
        )
        return float(sum(losses))

    def _spread(self, work: Callable[[int, int, int], Any], size: int) -> list[Any]:
        """Let each thread do `work(job, first, last)` for its part of 0..size; what came out, by thread."""
        jobs = self.plan.jobs
        ends = [size * job // jobs for job in range(jobs + 1)]
        waiting = [self._threads.submit(work, job, ends[job], ends[job + 1]) for job in range(jobs)]
        return [one.result() for one in waiting]
