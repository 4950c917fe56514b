"""Statistics of a file of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.system.files import sha256_of
from boomslang.engine.learning.data.game_encoding import ALL, FIT, FIT_OF_GAMES
from boomslang.engine.learning.data.game_files import MAX_BYTES, DamagedBlock
from boomslang.engine.learning.data.game_reader import GameReader, Records
from boomslang.engine.learning.data.records import (
    CHESS960,
    IN_SIDELINE,
    MAX_TO_COME,
    random_moves_to_come,
)

SCORES: Final = (-1499, -999, -599, -299, -149, -74, -24, 25, 75, 150, 300, 600, 1000, 1500)
PLIES: Final = (16, 30, 45, 60, 75, 90, 120, 150, 200, 300, 512)
PIECES: Final = (2, 5, 9, 13, 17, 21, 25, 29, 33)  # the stages of `eval.network.shape`

# Plies before the end of a game, where results are compared with scores.
BEFORE_END: Final = (20, 40)
_AGREEMENT_SCALE: Final = 220.0  # centipawns of odds e : 1 in self-play

_SAMPLE: Final = 1 << 18  # maximum number of positions compared with each other
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)

Counts = npt.NDArray[np.int64]


class Distribution:
    """A histogram of integers: counts by range, from each edge up to the next."""

    def __init__(self, edges: tuple[int, ...]) -> None:
        self.edges = edges
        self.counts: Counts = np.zeros(len(edges) - 1, dtype=np.int64)

    def add(self, values: npt.NDArray[Any]) -> None:
        """Add values."""
        self.counts += np.histogram(values, self.edges)[0]

    def rows(self) -> list[tuple[str, int]]:
        """The ranges as text, and their counts."""
        names = (f"{low} .. {high - 1}" for low, high in pairwise(self.edges))
        return list(zip(names, self.counts.tolist(), strict=True))


class Repetitions:
    """The share of repeated positions, estimated from a sample by hash, which is halved as it grows."""

    def __init__(self) -> None:
        self._hashes = np.empty(0, dtype=np.uint64)
        self._mask = np.uint64(0)

    def add(self, records: Records) -> None:
        """Add positions."""
        hashes = _hashes(records)
        self._hashes = np.concatenate([self._hashes, hashes[hashes & self._mask == 0]])
        while len(self._hashes) > _SAMPLE:
            self._mask = self._mask << np.uint64(1) | np.uint64(1)
            self._hashes = self._hashes[self._hashes & self._mask == 0]

    @property
    def share(self) -> float:
        """The share of positions equal to an earlier one."""
        compared = len(self._hashes)
        return (compared - len(np.unique(self._hashes))) / max(compared, 1)


class Agreement:
    """How well scores predict results, by the number of later random moves in the game.

    Only positions at some distance from the end of a game count: nearer to it all agree, farther from it few.
    """

    def __init__(self) -> None:
        self._sums = np.zeros((int(MAX_TO_COME) + 1, 6))  # sums of 1, x, y, x², y², xy

    def add(self, records: Records) -> None:
        """Add positions; all positions of a game must come together."""
        lengths = np.zeros(int(records["game"].max(initial=0)) + 1, dtype=np.int64)
        np.maximum.at(lengths, records["game"], records["ply"])
        left = lengths[records["game"]] - records["ply"]
        taken = (left >= BEFORE_END[0]) & (left < BEFORE_END[1]) & FIT_OF_GAMES.takes(records)
        some = records[taken]
        x = 1.0 / (1.0 + np.exp(-some["score"] / _AGREEMENT_SCALE))
        y = some["result"] / 2.0
        for column, values in enumerate((np.ones(len(some)), x, y, x * x, y * y, x * y)):
            np.add.at(self._sums[:, column], random_moves_to_come(some), values)

    def rows(self) -> list[tuple[int, int, float]]:
        """Later random moves (the last row: or more), positions, correlation; 0 if undefined."""
        rows = []
        for number, (n, x, y, xx, yy, xy) in enumerate(self._sums):
            spread = (n * xx - x * x) * (n * yy - y * y)
            correlation = (n * xy - x * y) / spread**0.5 if spread > 0 else 0.0
            rows.append((number, int(n), float(correlation)))
        return rows


@dataclass(slots=True)
class DataStatistics:
    """The statistics of a file."""

    path: Path
    header: dict[str, Any]
    size: int = 0  # bytes
    sha256: str = ""
    games: int = 0
    chess960: int = 0  # games from other arrays than the ordinary ones
    results: Counts = field(default_factory=lambda: np.zeros(3, dtype=np.int64))  # as in RECORD
    positions: int = 0  # positions of the games
    in_sidelines: int = 0  # at the ends of sidelines
    fit: int = 0  # positions usable for training; the following are of these
    # Centipawns, White's view.
    scores: Distribution = field(default_factory=lambda: Distribution(SCORES))
    plies: Distribution = field(default_factory=lambda: Distribution(PLIES))
    pieces: Distribution = field(default_factory=lambda: Distribution(PIECES))
    repetitions: Repetitions = field(default_factory=Repetitions)
    agreement: Agreement = field(default_factory=Agreement)
    damage: list[DamagedBlock] = field(default_factory=list)

    def add(self, records: Records) -> None:
        """Add positions; all positions of a game must come together."""
        starts = records[(records["ply"] == 0) & (records["traits"] & IN_SIDELINE == 0)]
        self.games += len(starts)
        self.chess960 += int(np.count_nonzero(starts["traits"] & CHESS960))
        self.results += np.bincount(starts["result"], minlength=3)
        fit = records[FIT.takes(records)]
        in_sidelines = int(np.count_nonzero(records["traits"] & IN_SIDELINE))
        self.positions += len(records) - in_sidelines
        self.in_sidelines += in_sidelines
        self.fit += len(fit)
        self.scores.add(fit["score"])
        self.plies.add(fit["ply"])
        self.pieces.add(np.bitwise_count(fit["occupied"]))
        self.repetitions.add(fit)
        self.agreement.add(records)


def take(
    path: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> DataStatistics:
    """The statistics of a file, up to its first damage. Kernels must be loaded.

    `progress(plies done, all)` is called from time to time. Raises GameFileError if it is not a file of
    games, FileError if it cannot be read.
    """
    damage: list[DamagedBlock] = []
    reader = GameReader([path], damage.append)
    statistics = DataStatistics(path, reader.headers[0], damage=damage)
    for _, records in reader.in_order(ALL):
        statistics.add(records)
        progress(statistics.positions, reader.plies)
    statistics.size = path.stat().st_size
    statistics.sha256 = sha256_of(path, MAX_BYTES)
    return statistics


def _hashes(records: Records) -> npt.NDArray[np.uint64]:
    """A hash of each position, equal for equal ones: pieces, side, castling, en passant."""
    pieces = np.ascontiguousarray(records["pieces"]).view(np.uint64)
    state = records["side"].astype(np.uint64)
    state |= records["castling"].astype(np.uint64) << np.uint64(8)
    state |= records["ep"].astype(np.uint64) << np.uint64(16)
    mixed = records["occupied"].copy()
    for word in (pieces[:, 0], pieces[:, 1], state):
        mixed = (mixed ^ word) * _FACTOR
        mixed ^= mixed >> np.uint64(29)
    return mixed
