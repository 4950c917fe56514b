"""A training of the model of people's moves: samples in files beside it, and checkpoints to resume from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from boomslang.core.system.checksummed import FileKind
from boomslang.core.system.files import beside, exists, quote_path, sha256_of
from boomslang.engine.learning import checkpoint
from boomslang.engine.people.gradient import SAMPLE
from boomslang.engine.people.samples import FOLDS, Describer, PeopleGame
from boomslang.engine.people.trainer import PeoplePlan, PeopleTrainer, batches

FILE: Final = FileKind(b"BOOMPEOS", "training state", 1 << 27)
_PART: Final = 2_000  # games that a thread describes at once
_MAX_FILE: Final = 1 << 40


@dataclass(slots=True)
class PeopleRun:
    """The progress of a training."""

    samples: int = 0  # of all folds
    words: int = 0
    epochs: int = 0  # complete ones
    batches: int = 0  # done in the current one
    total: float = 0.0  # sum of their losses
    losses: list[float] = field(default_factory=list)  # mean of each epoch, in nats


def files_beside(out: Path) -> tuple[Path, Path, Path]:
    """The files of samples, of words and of the state of a training."""
    return beside(out, "samples"), beside(out, "words"), beside(out, "state")


def describe_games(
    games: list[PeopleGame], seed: int, jobs: int, folds: int = FOLDS
) -> Iterator[tuple[Any, Any, int]]:
    """Words and SAMPLEs of games in random order, part by part, and how many games are done."""
    order = np.random.default_rng(seed).permutation(len(games)).tolist()
    parts = [
        [games[number] for number in order[first : first + _PART]]
        for first in range(0, len(order), _PART)
    ]
    describers = [Describer() for _ in range(jobs)]
    with ThreadPoolExecutor(jobs) as threads:
        done = 0
        for first in range(0, len(parts), jobs):
            some = parts[first : first + jobs]
            found = threads.map(
                lambda describer, part: describer.describe(part, folds), describers, some
            )
            for (words, samples), part in zip(found, some, strict=False):
                done += len(part)
                yield words, samples, done


def prepare(
    out: Path, games: list[PeopleGame], seed: int, jobs: int, advance: Callable[[int], object]
) -> PeopleRun:
    """Write the samples of the games beside a model; `advance(done)` is told how many games are done."""
    run = PeopleRun()
    sample_path, word_path, _ = files_beside(out)
    with sample_path.open("wb") as sample_file, word_path.open("wb") as word_file:
        for words, samples, done in describe_games(games, seed, jobs):
            samples.start += run.words
            samples.tofile(sample_file)
            words.tofile(word_file)
            run.samples += len(samples)
            run.words += len(words)
            advance(done)
        np.zeros(1 << 11, np.uint16).tofile(word_file)  # what is read behind the last sample
    return run


def load_samples(out: Path, run: PeopleRun) -> tuple[Any, Any]:
    """Words and samples as they lie in the files. Raises ValueError if these are not whole."""
    sample_path, word_path, _ = files_beside(out)
    try:
        samples = np.fromfile(sample_path, SAMPLE)
        if len(samples) != run.samples:
            raise ValueError(f"{len(samples)} samples instead of {run.samples}")
        words = np.memmap(word_path, np.uint16, "r", shape=(run.words + (1 << 11),))
    except (OSError, ValueError) as problem:
        raise ValueError(
            f"{quote_path(sample_path)} and {quote_path(word_path)} are not as they were written "
            f"({problem}); delete the state to start again"
        ) from None
    return words, samples.view(np.recarray)


def follow(run: PeopleRun, trainer: PeopleTrainer, words: Any, samples: Any) -> Iterator[bool]:
    """Train to the last step; yields after each batch, True at the end of an epoch, and may be saved then."""
    plan = trainer.plan
    each = trainer.steps // plan.epochs
    while run.epochs < plan.epochs:
        for batch in islice(batches(words, samples, plan, run.epochs), run.batches, None):
            run.total += trainer.learn(*batch)
            run.batches += 1
            ended = run.batches == each
            if ended:
                run.losses.append(round(run.total / each, 5))
                run.epochs, run.batches, run.total = run.epochs + 1, 0, 0.0
            yield ended


def origin_of(files: tuple[Path, ...], plan: PeoplePlan) -> dict[str, Any]:
    """Everything that the result depends on."""
    return asdict(plan) | {"files": [sha256_of(path, _MAX_FILE) for path in files]}


def resume(path: Path, trainer: PeopleTrainer, origin: Mapping[str, Any]) -> PeopleRun | None:
    """The run that was saved, None if there is none; restores the trainer. Raises ValueError."""
    if not exists(path):
        return None
    return PeopleRun(**checkpoint.resume(FILE, path, trainer, origin))


def join_parts(parts: list[tuple[Any, Any]], count: int, seed: int) -> tuple[Any, Any]:
    """The words of several parts, and `count` of their samples, drawn by lot."""
    place, samples = 0, []
    for words, some in parts:
        some = some.copy()
        some.start += place
        place += len(words)
        samples.append(some)
    words = np.concatenate([*(words for words, _ in parts), np.zeros(1 << 11, np.uint16)])
    every = np.concatenate(samples).view(np.recarray)
    chosen = np.random.default_rng(seed).permutation(len(every))[:count]
    return words, every[np.sort(chosen)]
