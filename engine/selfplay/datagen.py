"""Self-play: the positions, scores and results that the evaluation is tuned on.

A game is one kernel call: random opening moves, then the engine against itself with a fixed number of
nodes a move. What it plays depends on the seed and the number of the game alone, since every game
begins with an empty memory; so a file is the same however many processes write it, and one that was
left half-written is continued where it ended.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from engine import bridge
from engine.board.position import new_record
from engine.jobs.run import in_order, run
from engine.search.history import clear_histories
from engine.search.table import new_table
from engine.selfplay.games import GAME, play_game
from engine.system.jit import load_kernels
from eval.training.records import RECORD, read, read_header, write_header

_HASH_MB: Final = 2  # enough for some thousand nodes a move, and soon emptied
_MASK: Final = (1 << 64) - 1
_NICE: Final = 5  # of processes that do nothing else

Records = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the games depend on."""

    seed: int = 1
    nodes: int = 1500  # a move; an iteration that has begun is finished, up to four times as many
    engine: str = "Boomslang"  # name and version, for the header


class Match:
    """The engine against itself; kernels must be loaded."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._search: Any = bridge.new_search()
        self._table = new_table(_HASH_MB)
        self._game: Any = new_record(GAME)
        bridge.to_position(self._search.rules, chess.Board(), self._game.start)

    def play(self, number: int) -> Records:
        """The records of game `number`; some games have none."""
        self._table.fill(0)
        clear_histories(self._search)
        self._search.generation = 0
        game = self._game
        # Far apart, so that no two games draw the same numbers.
        game.random = (self._settings.seed * 0xD1B54A32D192ED03 + (number << 32)) & _MASK
        game.nodes = self._settings.nodes
        play_game(self._search, self._table, game)
        records = np.array(game.records[: int(game.count)], dtype=RECORD)
        records["game"] = number
        return records


def generate(
    path: Path,
    settings: Settings,
    games: int | None = None,
    positions: int | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], None] = lambda games, positions: None,
) -> tuple[int, int]:
    """Write games to `path` until there are so many games or positions; returns how many there are.

    A file that exists is continued. `progress(games, positions)` is called at the start and after
    each game; `jobs` and `cluster` are as for `engine.jobs.run`. Raises ValueError if the file holds
    games of other settings or of another engine, JobsError if there is nobody to play.
    """
    known, start = _begin_file(path, settings)
    done = int(known["game"][-1]) if len(known) else 0
    kept = int(np.searchsorted(known["game"], done))
    last = known[kept:]  # may be half-written: it is played again
    progress(done, kept)

    def is_enough() -> bool:
        return (games is not None and done >= games) or (
            positions is not None and kept >= positions
        )

    if jobs > 1 and cluster is None:
        load_kernels()  # compiled once, then loaded by each process
    work = run(partial(_player, settings), count(done), jobs=jobs, cluster=cluster)
    with path.open("r+b") as file, contextlib.closing(work):
        source = in_order(work)
        file.seek(start + kept * RECORD.itemsize)
        while not is_enough():
            records = next(source)
            if not np.array_equal(records[: len(last)], last):
                raise ValueError(f"{path} was begun by an engine that plays other games")
            last = last[:0]
            file.write(records.tobytes())
            file.flush()
            done += 1
            kept += len(records)
            progress(done, kept)
        file.truncate()
    return done, kept


def _begin_file(path: Path, settings: Settings) -> tuple[Records, int]:
    """The records that the file has so far, none in a new one, and where they start."""
    header = asdict(settings)
    if not path.exists() or not path.stat().st_size:
        with path.open("wb") as file:
            write_header(file, header)
            return np.empty(0, RECORD), file.tell()
    known, records = read(path)
    for name, value in header.items():
        if known.get(name) != value:
            raise ValueError(f"{path} has {name} {known.get(name)}, not {value}")
    with path.open("rb") as file:
        read_header(file)
        return records, file.tell()


def _player(settings: Settings) -> Callable[[int], Records]:
    """For `engine.jobs.run`: a function that plays the game of a number."""
    if multiprocessing.parent_process() and hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # a machine that makes data for hours stays usable
            os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    load_kernels()
    return Match(settings).play
