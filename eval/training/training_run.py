"""The course of a whole training: pass after pass, and how it goes on where it was broken off.

What a pass brings depends on its number and the seed alone. So whoever knows the state of the learner
and how far it has come in which pass gets the same network as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from boomslang.engine.core.system.checksummed import FileKind
from boomslang.engine.core.system.files import shown
from boomslang.eval.data.dataset import Dataset, batches
from boomslang.eval.network import file as network_file
from boomslang.eval.training.parameters import SIZE
from boomslang.eval.training.quantisation_error import QuantisationReport, compare
from boomslang.eval.training.quantise import quantise
from boomslang.eval.training.trainer import Trainer

FILE: Final = FileKind(b"BOOMTRAI", "training state", 1 << 26)
_DIGITS: Final = 8  # of losses
_VECTORS: Final = ("parameters", "means", "squares")


@dataclass(slots=True)
class TrainingRun:
    """How far a training has come."""

    passes: int = 0  # whole ones
    batches: int = 0  # in the next
    total: float = 0.0  # of the losses of these
    losses: list[dict[str, float]] = field(default_factory=list)  # by pass, the start is number 0


def follow(run: TrainingRun, learner: Trainer, data: Dataset) -> Iterator[bool]:
    """Learn from where the course is to the end of the plan; yields after each batch, True if a pass ends.

    Whenever it yields, `save` may be called. Raises ValueError if the learning runs away, or the files
    have become shorter.
    """
    plan = learner.plan
    each = data.positions // plan.batch
    if not run.losses:
        run.losses.append({"holdout": round(learner.loss(data.holdout), _DIGITS)})
    while run.passes * each < plan.steps:
        arrays = data.source.arrays(plan.seed, run.passes + 1)
        for batch in islice(batches(arrays, plan.batch), run.batches, None):
            run.total += learner.learn(batch)
            run.batches += 1
            ended = run.batches == each
            if ended:
                mean, kept = run.total / each, learner.loss(data.holdout)
                run.losses.append(
                    {"training": round(mean, _DIGITS), "holdout": round(kept, _DIGITS)}
                )
                run.passes, run.batches, run.total = run.passes + 1, 0, 0.0
            yield ended
        if run.batches:
            raise ValueError("the files hold fewer positions than when the training began")


def publish(
    path: Path, run: TrainingRun, learner: Trainer, data: Dataset, description: Mapping[str, Any]
) -> QuantisationReport:
    """Write the network as it is now; `description` says what it comes from. Raises FileError."""
    network = quantise(learner.parameters, learner.plan.divisor)
    quantisation = compare(learner.parameters, network, data.holdout)
    came_to = {"losses": run.losses, "steps": learner.number, "exactness": asdict(quantisation)}
    network_file.write(path, network, dict(description) | came_to)
    return quantisation


def save(path: Path, run: TrainingRun, learner: Trainer, origin: Mapping[str, Any]) -> None:
    """Write the state of a training; `origin` is all else that its result depends on, for JSON.

    Raises FileError.
    """
    header = {
        "course": asdict(run),
        "steps": learner.number,
        "plan": asdict(learner.plan),
        "origin": origin,
        "size": SIZE,
    }
    vectors = [getattr(learner, name).astype("<f4").tobytes() for name in _VECTORS]
    FILE.write(path, header, b"".join(vectors))


def resume(path: Path, learner: Trainer, origin: Mapping[str, Any]) -> TrainingRun:
    """The course that was saved; the learner becomes what it was.

    Raises ValueError if it cannot be read or is of another plan or `origin`.
    """
    header, payload = FILE.read(path)
    if header.get("size") != SIZE or len(payload) != 4 * SIZE * len(_VECTORS):
        raise ValueError(f"{shown(path)} is of a network of another shape")
    wanted: dict[str, Any] = asdict(learner.plan) | dict(origin)
    kept = header["plan"] | header["origin"]
    for name, value in wanted.items():
        if kept.get(name) != value:
            raise ValueError(
                f"{shown(path)} was begun with other {name}; repeat its command, or remove it"
            )
    vectors = np.frombuffer(payload, dtype="<f4").reshape(len(_VECTORS), SIZE)
    for name, vector in zip(_VECTORS, vectors, strict=True):
        getattr(learner, name)[:] = vector
    learner.number = header["steps"]
    return TrainingRun(**header["course"])
