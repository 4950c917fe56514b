"""Training data: some games are held out for validation, the rest comes in random order in each epoch.

Positions that fit into memory are kept and shuffled there. Otherwise `GameReader` replays them from their
files in each epoch, with memory that does not grow with the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from boomslang.core.system.files import quote_path, sha256_of
from boomslang.engine.learning.data.game_encoding import FIT, PositionFilter
from boomslang.engine.learning.data.game_files import MAX_BYTES, Report, warn
from boomslang.engine.learning.data.game_reader import VALIDATION_SHARE, GameReader, is_held_out
from boomslang.engine.learning.data.records import RECORD

Records = npt.NDArray[np.void]  # dtype RECORD

IN_MEMORY: Final = 7 << 30  # bytes of records, 187 million positions; more are read in every epoch
_POOL: Final = 1 << 23  # positions in the shuffle pool when reading from files, 320 MB
_MAX_HOLDOUT: Final = 1_000_000  # positions; more do not make the loss more accurate
_CHUNK: Final = 1 << 16  # records gathered at once
_GROWTH: Final = 1 << 20  # records by which the memory grows at least, 42 MB


class PositionSource(Protocol):
    """A source of the positions of each epoch."""

    def arrays(self, seed: int, number: int) -> Iterator[Records]:
        """The positions of epoch `number` in a reproducible random order, in arrays of any size."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """The training and validation data of a training run."""

    source: PositionSource
    games: int
    positions: int  # per epoch
    holdout: Records  # from held-out games
    files: list[dict[str, object]]  # name, SHA-256 of the positions, their number


@dataclass(frozen=True, slots=True)
class PositionMemory:
    """Positions in memory."""

    records: Records

    def arrays(self, seed: int, number: int) -> Iterator[Records]:
        """See Source."""
        order = np.arange(len(self.records), dtype=np.uint32)
        np.random.default_rng((seed, number)).shuffle(order)
        for first in range(0, len(order), _CHUNK):
            # `take` without bounds checks is eight times faster here than indexing.
            yield self.records.take(order[first : first + _CHUNK], mode="clip")


@dataclass(frozen=True, slots=True)
class FileSource:
    """Positions replayed from their files."""

    reader: GameReader
    position_filter: PositionFilter

    def arrays(self, seed: int, number: int) -> Iterator[Records]:
        """See Source."""
        return self.reader.shuffle(
            seed,
            number,
            position_filter=self.position_filter,
            pool=_POOL,
            validation=VALIDATION_SHARE,
        )


@dataclass(slots=True)
class _Counts:
    path: Path
    positions: int = 0
    games: int = 0


def read_data(paths: Sequence[Path], report: Report = warn, half_life: float = 0.0) -> Dataset:
    """The positions of several files of games; kernels must be loaded.

    With a `half_life` their scores include later scores of the game, see `PositionFilter`.

    Whether a game is held out depends only on its file and its number in it. A damaged file is read up to the
    damage, which is passed to `report`. Raises ValueError if a file is not a file of games, has no position
    or cannot be read.
    """
    position_filter = replace(FIT, half_life=half_life)
    reader = GameReader(paths, report)
    all_counts = [_Counts(path) for path in reader.paths]
    taught: Records | None = np.empty(0, dtype=RECORD)  # None: too many for memory
    validation: list[Records] = []
    positions = 0
    for number, records in reader.in_order(position_filter):
        seed = reader.headers[number].get("seed", 0)
        held_out = is_held_out(seed, records["game"].astype(np.uint64), VALIDATION_SHARE)
        validation.append(records[held_out])
        rest = records[~held_out]
        positions += len(rest)
        if positions * rest.itemsize > IN_MEMORY:
            taught = None
        elif taught is not None:
            _put(taught, positions, rest)
        counts = all_counts[number]
        counts.positions += len(records)
        counts.games = max(counts.games, int(records["game"].max(initial=0)) + bool(len(records)))
    for counts in all_counts:
        if not counts.positions:
            raise ValueError(f"{quote_path(counts.path)} has no positions")
    if taught is not None:
        taught.resize(positions, refcheck=False)
    holdout = np.concatenate(validation)
    holdout = holdout[:: max(-(-len(holdout) // _MAX_HOLDOUT), 1)]
    return Dataset(
        FileSource(reader, position_filter) if taught is None else PositionMemory(taught),
        sum(counts.games for counts in all_counts),
        positions,
        holdout,
        [
            {
                "name": one.path.name,
                "sha256": sha256_of(one.path, MAX_BYTES),
                "positions": one.positions,
            }
            for one in all_counts
        ],
    )


def _put(memory: Records, end: int, records: Records) -> None:
    """Write records before `end`, in place; a memory that is too small grows.

    Linux moves its pages instead of copying them, so no data is in memory twice there. (A list of arrays,
    joined at last, would be.)
    """
    if len(memory) < end:
        memory.resize(end + max(_GROWTH, end // 32), refcheck=False)
    memory[end - len(records) : end] = records


def batches(arrays: Iterable[Records], size: int) -> Iterator[Records]:
    """Arrays of any size, cut and joined to batches of `size`; an incomplete last batch is dropped."""
    rest: list[Records] = []
    have = 0
    for array in arrays:
        begin = 0
        while have + len(array) - begin >= size:
            end = begin + size - have
            part = array[begin:end]
            yield np.concatenate([*rest, part]) if rest else part
            rest, have, begin = [], 0, end
        if begin < len(array):
            rest.append(array[begin:])
            have += len(array) - begin
