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
import signal
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from engine import bridge
from engine.board.position import new_record
from engine.jit import load_kernels
from engine.search.history import clear_histories
from engine.search.selfplay import GAME, play_game
from engine.search.state import NO_DEADLINE
from engine.search.table import new_table
from eval.records import RECORD, read, read_header, write_header

_HASH_MB: Final = 2  # enough for some thousand nodes a move, and soon emptied
_MASK: Final = (1 << 64) - 1
_AHEAD: Final = 4  # games that wait for each process

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
        self._search.deadline = NO_DEADLINE
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
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda games, positions: None,
) -> tuple[int, int]:
    """Write games to `path` until there are so many games or positions; returns how many there are.

    A file that exists is continued. `progress(games, positions)` is called at the start and after
    each game. Raises ValueError if the file holds games of other settings or of another engine.
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

    with path.open("r+b") as file, contextlib.closing(_games(settings, done, workers)) as source:
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


def _games(settings: Settings, first: int, workers: int) -> Generator[Records, None, None]:
    """The records of game `first`, the next ... in order, for ever."""
    if workers == 1:
        load_kernels()
        match = Match(settings)
        yield from map(match.play, count(first))
        return
    load_kernels()  # compiled once, then loaded by each process
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (settings,)) as pool:
        waiting: deque[Future[Records]] = deque()
        try:
            for number in count(first):
                waiting.append(pool.submit(_play, number))
                if len(waiting) > workers * _AHEAD:
                    yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


_match: Match | None = None  # of a worker process


def _begin(settings: Settings) -> None:
    """Get a worker process ready; Ctrl-C is for its parent to handle."""
    global _match
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)  # a machine that makes data for hours stays usable
    load_kernels()
    _match = Match(settings)


def _play(number: int) -> Records:
    if _match is None:
        raise RuntimeError("this process has not begun")
    return _match.play(number)
