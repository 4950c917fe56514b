"""Positions from files of games, for training: all at once, in order, or shuffled with little memory.

Files are read in blocks of whole games. For a shuffled pass, the blocks of all files are read in random
order, and their positions go through a shuffle pool: each position that goes in replaces a random one,
which comes out. So neighbours in a game end up far apart, and memory does not grow with the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boomslang.core.board.splitmix import STEP, mix_array
from boomslang.core.system.files import open_file, quote_path
from boomslang.engine.learning.data.game_encoding import FIT, FIT_OF_GAMES, PositionFilter
from boomslang.engine.learning.data.game_files import (
    MAX_BYTES,
    DamagedBlock,
    GameFileReader,
    Report,
    warn,
)
from boomslang.engine.learning.data.records import RECORD, has_true_result
from boomslang.engine.learning.data.replay import Replay
from boomslang.engine.learning.data.shuffle import exchange, mix_up, state_of

Records = npt.NDArray[np.void]  # dtype RECORD
_Words = npt.NDArray[np.uint64]  # the same, one row per record

BATCH: Final = 1 << 14
POOL: Final = 1 << 20  # positions, 40 MB
VALIDATION_SHARE: Final = 0.02  # share of held-out games

_BLOCK: Final = 1 << 13  # plies, or a little more
_WORDS: Final = RECORD.itemsize // 8


class PositionBlock(NamedTuple):
    """Consecutive games of a file."""

    file: int  # number of the path
    offset: int  # byte
    size: int  # bytes
    game: int  # number of the first
    games: int
    plies: int


class GameReader:
    """Files of games, scanned once and read any number of times. Kernels must be loaded.

    A damaged file is read up to the damage, which is passed to `report`. Raises FileError for an unreadable
    file and GameFileError for one that is not a file of games.
    """

    def __init__(self, paths: Iterable[Path], report: Report = warn) -> None:
        self.paths = tuple(paths)
        self.headers: list[dict[str, Any]] = []
        self.games: list[int] = []  # games of each file
        self._report = report
        blocks: list[PositionBlock] = []
        for number, path in enumerate(self.paths):
            with GameFileReader(path) as walk:
                blocks.extend(_blocks(number, walk))
                self.headers.append(walk.header)
                self.games.append(walk.games)
                if walk.damage:
                    report(walk.damage)
        self._blocks = np.array(blocks, dtype=np.uint64).reshape(-1, len(PositionBlock._fields))

    @property
    def plies(self) -> int:
        """Plies of all games without sidelines, before any filter."""
        return int(self._blocks[:, PositionBlock._fields.index("plies")].sum())

    def in_order(self, position_filter: PositionFilter = FIT) -> Iterator[tuple[int, Records]]:
        """The selected positions in the order of files and games, in arrays with the index of their path."""
        replay = Replay(position_filter)
        for row in self._blocks:
            block = PositionBlock(*map(int, row))
            yield block.file, self._read(block, replay, np.ones(block.games, dtype=np.uint8))

    def shuffle(
        self,
        seed: int,
        number: int = 0,
        *,
        position_filter: PositionFilter = FIT,
        batch: int = BATCH,
        pool: int = POOL,
        validation: float = VALIDATION_SHARE,
        held_out: bool = False,
    ) -> Iterator[Records]:
        """The selected positions in random order, each once, in arrays of `batch`; the last may be smaller.

        The order depends only on the content of the files, the seed and the `number` of the pass. A share
        `validation` of the games (see `is_held_out`) is left out, or with `held_out` is returned alone.
        """
        random = state_of(seed, number)
        order = self._blocks.copy()
        random = mix_up(order, random)
        parts = self._parts(order, position_filter, validation, held_out)
        return _in_batches(_through_pool(parts, pool, random), batch)

    def _parts(
        self,
        order: _Words,
        position_filter: PositionFilter,
        validation: float,
        held_out: bool,
    ) -> Iterator[Records]:
        replay = Replay(position_filter)
        for row in order:
            block = PositionBlock(*map(int, row))
            numbers = np.arange(block.game, block.game + block.games, dtype=np.uint64)
            seed = self.headers[block.file].get("seed", 0)
            chosen = is_held_out(seed, numbers, validation) == held_out
            if chosen.any():
                yield self._read(block, replay, chosen.astype(np.uint8))

    def _read(self, block: PositionBlock, replay: Replay, wanted: npt.NDArray[np.uint8]) -> Records:
        """The positions of one block; a change of the file since the scan is reported."""
        path = self.paths[block.file]
        with open_file(path, MAX_BYTES) as file:
            file.seek(block.offset)
            data = file.read(block.size)
        records, games = replay.play(data, block.game, block.plies, wanted)
        if games < block.games:
            reason = "its moves make no sense to this version of the engine"
            self._report(DamagedBlock(path, block.offset, block.game + games, reason))
        return records


def read(
    path: Path, position_filter: PositionFilter = FIT, report: Report = warn
) -> tuple[dict[str, Any], Records]:
    """Header and selected positions of a file.

    Raises GameFileError if it is not a file of games, FileError if it cannot be read.
    """
    reader = GameReader([path], report)
    parts = [records for _, records in reader.in_order(position_filter)]
    return reader.headers[0], np.concatenate([np.empty(0, RECORD), *parts])


def read_all(paths: Iterable[Path], report: Report = warn) -> tuple[Records, int]:
    """The usable positions of several files, and their number of games; games are renumbered.

    Positions for which the result of their game is not valid are left out, see `records.has_true_result`.
    Raises ValueError if a file is not a file of games, has no position or cannot be read.
    """
    reader = GameReader(paths, report)
    before = np.cumsum([0, *reader.games]).astype(np.uint32)
    parts = []
    position_counts = np.zeros(len(reader.paths), dtype=np.int64)
    for file, read_records in reader.in_order(FIT_OF_GAMES):
        records = read_records[has_true_result(read_records)]
        records["game"] += before[file]
        position_counts[file] += len(records)
        parts.append(records)
    for path, positions in zip(reader.paths, position_counts, strict=True):
        if not positions:
            raise ValueError(f"{quote_path(path)} has no positions")
    return np.concatenate(parts), int(before[-1])


def is_held_out(seed: int, games: npt.NDArray[np.uint64], share: float) -> npt.NDArray[np.bool_]:
    """Which games, by their numbers in the file, are held out: about a share of them, at random."""
    drawn = mix_array(games * STEP + state_of("aside", seed))
    return (drawn >> np.uint64(32)) < share * 2.0**32


def _blocks(file: int, walk: GameFileReader) -> Iterator[PositionBlock]:
    """The games of a reader, grouped into blocks."""
    offset, game, plies = walk.start, 0, 0
    for each in walk:
        plies += each.plies
        end = each.offset + len(each.data)
        if plies >= _BLOCK:
            yield PositionBlock(file, offset, end - offset, game, each.number + 1 - game, plies)
            offset, game, plies = end, each.number + 1, 0
    if walk.games > game:
        yield PositionBlock(file, offset, walk.end - offset, game, walk.games - game, plies)


def _words(records: Records) -> _Words:
    """Records viewed as rows of words, in the same memory."""
    return records.view(np.uint64).reshape(-1, _WORDS)


def _through_pool(parts: Iterator[Records], size: int, random: np.uint64) -> Iterator[_Words]:
    """The same positions, shuffled by the pool."""
    size = max(size, 1)
    pool = np.empty((size, _WORDS), dtype=np.uint64)
    filled = 0
    for part in parts:
        words = _words(part)
        some = min(size - filled, len(words))
        pool[filled : filled + some] = words[:some]
        filled += some
        if some < len(words):
            random = exchange(pool, words[some:], random)
            yield words[some:]
    mix_up(pool[:filled], random)
    yield pool[:filled]


def _in_batches(parts: Iterator[_Words], batch: int) -> Iterator[Records]:
    """The same positions in arrays of `batch`; the last may be smaller."""
    held, count = np.empty((batch, _WORDS), dtype=np.uint64), 0
    for part in parts:
        done = 0
        while done < len(part):
            some = min(batch - count, len(part) - done)
            held[count : count + some] = part[done : done + some]
            count, done = count + some, done + some
            if count == batch:
                yield held.reshape(-1).view(RECORD)
                held, count = np.empty((batch, _WORDS), dtype=np.uint64), 0
    if count:
        yield held[:count].reshape(-1).view(RECORD)
