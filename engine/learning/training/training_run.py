"""A training run: epoch after epoch, with checkpoints from which an interrupted run resumes.

The order of the batches in an epoch depends only on its number and the seed. So the trainer's state, the
epoch and the number of batches done are enough to resume, and the network is the same as without the
interruption.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from boomslang.core.system.checksummed import FileKind
from boomslang.engine.learning import checkpoint
from boomslang.engine.learning.data.dataset import Dataset, batches
from boomslang.engine.learning.training.quantisation_error import QuantisationReport, compare
from boomslang.engine.learning.training.quantise import quantise
from boomslang.engine.learning.training.trainer import Trainer
from boomslang.eval.network import file as network_file

FILE: Final = FileKind(b"BOOMTRAI", "training state", 1 << 26)
_DIGITS: Final = 8  # decimal places of losses


@dataclass(slots=True)
class TrainingRun:
    """The progress of a training run."""

    epochs: int = 0  # complete ones
    batches: int = 0  # done in the current one
    total: float = 0.0  # sum of their losses
    losses: list[dict[str, float]] = field(default_factory=list)  # by epoch; 0 is before training


def follow(run: TrainingRun, trainer: Trainer, data: Dataset) -> Iterator[bool]:
    """Train from the current batch to the last step; yields after each batch, True at the end of an epoch.

    Whenever it yields, `save` may be called. Raises ValueError if the training diverges, or if the files
    have become shorter.
    """
    plan = trainer.plan
    each = data.positions // plan.batch_size
    if not run.losses:
        run.losses.append({"holdout": round(trainer.loss(data.holdout), _DIGITS)})
    while run.epochs * each < plan.steps:
        arrays = data.source.arrays(plan.seed, run.epochs + 1)
        for batch in islice(batches(arrays, plan.batch_size), run.batches, None):
            run.total += trainer.learn(batch)
            run.batches += 1
            ended = run.batches == each
            if ended:
                mean, holdout_loss = run.total / each, trainer.loss(data.holdout)
                run.losses.append(
                    {"training": round(mean, _DIGITS), "holdout": round(holdout_loss, _DIGITS)}
                )
                run.epochs, run.batches, run.total = run.epochs + 1, 0, 0.0
            yield ended
        if run.batches:
            raise ValueError("the files hold fewer positions than when the training began")


def publish(
    path: Path, run: TrainingRun, trainer: Trainer, data: Dataset, description: Mapping[str, Any]
) -> QuantisationReport:
    """Write the network as it is now, with `description` in its header. Raises FileError."""
    network = quantise(trainer.parameters, trainer.plan.eval_scale)
    exactness = compare(trainer.parameters, network, data.holdout)
    outcome = {"losses": run.losses, "steps": trainer.number, "exactness": asdict(exactness)}
    network_file.write(path, network, dict(description) | outcome)
    return exactness


def save(path: Path, run: TrainingRun, trainer: Trainer, origin: Mapping[str, Any]) -> None:
    """Write a checkpoint; `origin` is everything else that the result depends on, as JSON.

    Raises FileError.
    """
    checkpoint.save(FILE, path, run, trainer, asdict(trainer.plan) | dict(origin))


def resume(path: Path, trainer: Trainer, origin: Mapping[str, Any]) -> TrainingRun:
    """The run that was saved; restores the trainer's state.

    Raises ValueError if the file cannot be read, or was saved with other settings or another `origin`.
    """
    whole = asdict(trainer.plan) | dict(origin)
    return TrainingRun(**checkpoint.resume(FILE, path, trainer, whole))
