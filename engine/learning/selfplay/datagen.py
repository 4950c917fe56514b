"""Self-play games, with the scores of their moves: the training data of evaluations.

A game is one kernel call: random opening moves, then the engine against itself with a fixed number of
nodes or plies per move. A game depends only on the settings and its number, since each begins with a
cleared table and histories. So a file does not depend on the number of processes, and an interrupted one
is continued where it ended.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from boomslang.core.board.chess960 import ARRAYS, ORDINARY, set_up
from boomslang.core.board.position import new_record
from boomslang.core.board.splitmix import random_bits, stream
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.files import quote_path, status_of
from boomslang.engine import bridge
from boomslang.engine.jobs.run import run_in_order
from boomslang.engine.learning.data.game_files import (
    GameFileReader,
    Report,
    game_bytes,
    setting_of,
    warn,
    write_header,
)
from boomslang.engine.learning.data.game_reader import GameReader
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.selfplay.fixed_search import MAX_DEPTH
from boomslang.engine.learning.selfplay.games import GAME, play_game
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.params import set_for_data
from boomslang.engine.search.transposition import new_table
from boomslang.eval.network.shape import NETWORK

_NODES_PER_MB: Final = 2_500
_MIN_MB: Final = 2
_NICE: Final = 5  # niceness of the worker processes


class SelfPlayGame(NamedTuple):
    """An encoded game, and the number of its positions usable for training."""

    data: bytes
    positions: int


class SelfPlayPair:
    """Plays the engine against itself; kernels must be loaded."""

    def __init__(self, settings: DatagenSettings, network: bytes | None = None) -> None:
        """`network` holds a NETWORK record; without one the classical evaluation is used."""
        self._settings = settings
        self._search: Any = bridge.new_search()
        self._search.classical = int(network is None)
        if network is not None:
            sent, record = np.frombuffer(network, dtype=NETWORK)[0], new_record(NETWORK)
            for name in NETWORK.names or ():
                record[name] = sent[name]  # where it is aligned
            bridge.set_network(self._search, record)
        self._table = new_table(table_megabytes(settings.nodes))
        if settings.depth:
            set_for_data(self._search.params)
        self._game: Any = new_record(GAME)

    def play(self, number: int) -> SelfPlayGame:
        """Game `number`."""
        self._table.fill(0)
        clear_histories(self._search)
        self._search.generation = 0
        game = self._game
        random = stream(self._settings.seed, number)
        white, black = arrays(random, self._settings.chess960)
        set_up(self._search.rules, game.start, np.uint64(white), np.uint64(black))
        game.random = random
        game.depth = self._settings.depth or MAX_DEPTH
        game.nodes = self._settings.nodes
        game.sidelines = int(self._settings.sidelines * 2.0**32)
        game.random_moves = int(self._settings.random_moves * 2.0**32)
        play_game(self._search, self._table, game)
        data = game_bytes(
            number,
            game.body[: int(game.length)].tobytes(),
            plies=int(game.moves),
            random=int(game.random_plies),
            arrays=(white, black),
            mark=int(game.mark),
            result=int(game.result),
        )
        return SelfPlayGame(data, int(game.count))


def table_megabytes(nodes: int) -> int:
    """Size of the transposition table for searches of `nodes` nodes, in megabytes.

    A move fills less than a tenth of 2 MB even at 20,000 nodes. This size keeps the entries of some twenty
    earlier searches, at any number of nodes, and costs no time.
    """
    return max(_MIN_MB, -(-nodes // _NODES_PER_MB))


def arrays(random: int, share: float) -> tuple[int, int]:
    """Arrays of White and Black: those of ordinary chess, or random ones for a `share` of the games."""
    bits = random_bits(random)
    if bits >> 32 >= share * 2.0**32:
        return int(ORDINARY), int(ORDINARY)
    both = random_bits(bits)
    return (both >> 32) % ARRAYS, (both & 0xFFFF_FFFF) % ARRAYS


def generate(
    path: Path,
    settings: DatagenSettings,
    games: int | None = None,
    positions: int | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], None] = lambda games, positions: None,
    report: Report = warn,
    network: Any = None,
) -> tuple[int, int]:
    """Write games to `path` up to a number of games or usable positions; returns both numbers.

    An existing file is continued; damage is reported, and the games from there on are played again.
    `progress(games, positions)` is called at the start and after each game; `jobs` and `cluster` are as for
    `engine.jobs.run`. `network` is a NETWORK record, None for the classical evaluation. Raises ValueError if
    the file holds games of other settings or of another engine, JobsError if there are no workers.
    """
    check(path, settings)
    if cluster is None:
        load_kernels()  # compiled once, then loaded by each process
    done, kept_positions, end, last = _begin_file(path, settings, report)
    progress(done, kept_positions)

    def is_enough() -> bool:
        return (games is not None and done >= games) or (
            positions is not None and kept_positions >= positions
        )

    if is_enough():
        return done, kept_positions
    sent = None if network is None else network.tobytes()
    # The last game is replayed as a check that this engine plays the same games.
    first = max(done - 1, 0)
    make = partial(_player, settings, sent)
    source = run_in_order(make, count(first), jobs=jobs, cluster=cluster)
    with path.open("r+b") as file, contextlib.closing(source):
        if last and next(source).data != last:
            raise ValueError(f"{path} was begun by an engine that plays other games")
        file.seek(end)
        file.truncate()
        while not is_enough():
            game = next(source)
            file.write(game.data)
            file.flush()
            done += 1
            kept_positions += game.positions
            progress(done, kept_positions)
    return done, kept_positions


def check(path: Path, settings: DatagenSettings) -> None:
    """Raise ValueError if the file exists and cannot be continued; needs no kernels."""
    if (status := status_of(path)) and status.st_size:
        with GameFileReader(path) as walk:
            for name, value in settings.header().items():
                if (file_value := setting_of(path, walk.header, name)) != value:
                    raise ValueError(f"{quote_path(path)} has {name} {file_value}, not {value}")


def _begin_file(
    path: Path, settings: DatagenSettings, report: Report
) -> tuple[int, int, int, bytes]:
    """Numbers of games and usable positions in the file, 0 if new; the offset of their end; the last game."""
    header = settings.header()
    if not (status := status_of(path)) or not status.st_size:
        with path.open("wb") as file:
            write_header(file, header)
            return 0, 0, file.tell(), b""
    with GameFileReader(path) as walk:
        last = b""
        for game in walk:
            last = game.data
    if not walk.games:
        if walk.damage:
            report(walk.damage)
        return 0, 0, walk.end, b""
    load_kernels()
    kept_positions = sum(len(records) for _, records in GameReader([path], report).in_order())
    return walk.games, kept_positions, walk.end, last


def _player(settings: DatagenSettings, network: bytes | None) -> Callable[[int], SelfPlayGame]:
    """For `engine.jobs.run`: a function that plays the game of a number."""
    if multiprocessing.parent_process() and hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # so that the computer stays usable meanwhile
            os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    load_kernels()
    return SelfPlayPair(settings, network).play
