"""The training loop's inner part: one optimiser step for each batch of positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.core.board.tables import new_rules
from boomslang.engine.learning.training.gradient import WORKSPACE, add_gradient
from boomslang.engine.learning.training.parameters import limits
from boomslang.engine.optimiser import AdamTrainer, Floats
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


class Trainer(AdamTrainer):
    """Training of the network that evaluates."""

    def __init__(self, parameters: Floats, plan: TrainingSettings) -> None:
        super().__init__(parameters, limits(), plan.jobs)
        self.plan = plan
        self._rules = new_rules()
        self._workspaces = [new_record(WORKSPACE) for _ in range(plan.jobs)]

    def learn(self, records: Records) -> float:
        """One optimiser step on a batch of RECORDs; returns the mean loss over its positions before the step.

        Raises ValueError if the loss is not finite.
        """
        plan = self.plan
        share = plan.wdl
        if plan.wdl_ramp:
            share *= max(0.0, 2.0 * (self.number + 1) / plan.steps - 1.0)
        loss = self._sum_losses(records, share, 1.0 / len(records)) / len(records)
        self._update(loss, plan.steps, plan.learning_rate, plan.weight_decay)
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
