"""Training of the model of people's moves: Adam, on batches of shuffled parts of the samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.engine.optimiser import AdamTrainer, Floats
from boomslang.engine.people.gradient import add_gradient, mirror_samples
from boomslang.engine.people.network import PARTS, SIZE, STARTS, WORKSPACE

HELD_OUT: Final = 2  # folds below are not learnt from

_F: Any = np.float32
_MAX_WEIGHT: Final = 8.0
_WINDOW: Final = 1 << 19  # samples that are shuffled together


@dataclass(frozen=True, slots=True)
class PeoplePlan:
    """Hyperparameters of a training; the result depends on all of them."""

    epochs: int = 2
    batch_size: int = 4096  # positions
    learning_rate: float = 2e-3
    weight_decay: float = 0.03
    dropout: float = 0.1  # share of the hidden numbers
    seed: int = 1
    jobs: int = 2


def initial(seed: int) -> Floats:
    """Random parameters."""
    dice = np.random.default_rng(seed)
    parameters = np.zeros(SIZE, np.float32)
    spread = {"input": 0.05, "line": 0.02, "place": 0.02, "mix": 0.03, "trait": 0.1}
    spread |= {"landing": 0.05, "context": 0.05, "out": 0.2}
    for name, deviation in spread.items():
        size = PARTS[name][0] * PARTS[name][1]
        parameters[STARTS[name] :][:size] = dice.normal(0, deviation, size)
    return parameters


class PeopleTrainer(AdamTrainer):
    """Training of the model of people's moves."""

    def __init__(self, parameters: Floats, plan: PeoplePlan, steps: int = 0) -> None:
        """`steps` of the whole training are to be known before the first."""
        super().__init__(parameters, np.full(SIZE, _MAX_WEIGHT, np.float32), plan.jobs)
        self.plan = plan
        self.steps = steps
        self._workspaces = [new_record(WORKSPACE) for _ in range(plan.jobs)]

    def learn(self, words: Any, samples: Any, order: npt.NDArray[np.int64], shift: int) -> float:
        """One step on the samples that `order` names; returns the mean loss before it, in nats.

        Raises ValueError if the loss is not finite.
        """
        losses = self._spread(
            lambda job, first, last: add_gradient(
                words,
                samples,
                order,
                first,
                last,
                shift,
                self.parameters,
                self._gradients[job],
                self._workspaces[job],
                _F(1.0 / len(order)),
                _F(self.plan.dropout),
                self.number + 1,
            ),
            len(order),
        )
        loss = float(sum(losses)) / len(order)
        plan = self.plan
        self._update(loss, self.steps, plan.learning_rate, plan.weight_decay)
        return loss


def count_steps(samples: Any, plan: PeoplePlan) -> int:
    """The steps of a training."""
    return plan.epochs * sum(
        int((samples.fold[first : first + _WINDOW] >= HELD_OUT).sum()) // plan.batch_size
        for first in range(0, len(samples), _WINDOW)
    )


def batches(
    words: Any, samples: Any, plan: PeoplePlan, epoch: int
) -> Iterator[tuple[Any, Any, Any, int]]:
    """Words, samples, order and shift of each batch of an epoch; they depend on its number and the seed."""
    dice = np.random.default_rng([plan.seed, epoch])
    for window in dice.permutation(-(-len(samples) // _WINDOW)).tolist():
        part = samples[window * _WINDOW : (window + 1) * _WINDOW]
        shift, end = int(part.start[0]), int(part.start[-1]) + (1 << 11)
        near = np.array(words[shift:end])
        mirror_samples(near, part, shift, dice.integers(0, 2, len(part), np.uint8))
        learnt = np.flatnonzero(part.fold >= HELD_OUT)
        dice.shuffle(learnt)
        for first in range(0, len(learnt) - plan.batch_size + 1, plan.batch_size):
            yield near, part, learnt[first : first + plan.batch_size], shift
