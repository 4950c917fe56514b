"""Checkpoints of a training: the state of its optimiser, its progress, and all that the result depends on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from boomslang.core.system.checksummed import FileKind
from boomslang.core.system.files import quote_path
from boomslang.engine.optimiser import AdamTrainer

_VECTORS: Final = ("parameters", "means", "squares")


def save(
    kind: FileKind, path: Path, run: Any, trainer: AdamTrainer, origin: Mapping[str, Any]
) -> None:
    """Write a checkpoint with the progress, a dataclass; `origin` is all else, as JSON. Raises FileError."""
    header = {"course": asdict(run), "steps": trainer.number, "origin": dict(origin)}
    vectors = [getattr(trainer, name).astype("<f4").tobytes() for name in _VECTORS]
    kind.write(path, header | {"size": len(trainer.parameters)}, b"".join(vectors))


def resume(
    kind: FileKind, path: Path, trainer: AdamTrainer, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """The progress that was saved; restores the trainer's state.

    Raises ValueError if the file cannot be read, or was saved with another `origin`.
    """
    header, payload = kind.read(path)
    size = len(trainer.parameters)
    if header.get("size") != size or len(payload) != 4 * size * len(_VECTORS):
        raise ValueError(
            f"{quote_path(path)} was saved for a network of another shape; delete the file to start again"
        )
    for name, value in json.loads(json.dumps(origin)).items():
        if header["origin"].get(name) != value:
            raise ValueError(
                f"{quote_path(path)} was saved with another value of {name.replace('_', '-')}; repeat the "
                "original command, or delete the file to start again"
            )
    vectors = np.frombuffer(payload, "<f4").reshape(len(_VECTORS), size)
    for name, vector in zip(_VECTORS, vectors, strict=True):
        getattr(trainer, name)[:] = vector
    trainer.number = header["steps"]
    return dict(header["course"])
