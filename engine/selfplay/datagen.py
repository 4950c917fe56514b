"""Self-play: the games, with the scores of their moves, that evaluations are learnt from.

A game is one kernel call: random opening moves, then the engine against itself with a fixed number of
nodes or plies a move. What it plays depends on the settings and the number of the game alone, since every
game begins with an empty memory; so a file is the same however many processes write it, and one that was
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
from typing import Any, Final, NamedTuple

import numpy as np

from boomslang.engine import bridge
from boomslang.engine.core.board.chess960 import ARRAYS, ORDINARY, set_up
from boomslang.engine.core.board.position import new_record
from boomslang.engine.core.system.files import shown
from boomslang.engine.core.system.jit import load_kernels
from boomslang.engine.core.system.splitmix import drawn, stream
from boomslang.engine.jobs.run import run_in_order
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.params import BY_NAME
from boomslang.engine.search.transposition import new_table
from boomslang.engine.selfplay.fixed_search import DEEPEST
from boomslang.engine.selfplay.games import GAME, play_game
from boomslang.eval.data.game_files import GameFileReader, Report, game_bytes, warn, write_header
from boomslang.eval.data.game_reader import GameReader
from boomslang.eval.network.shape import NETWORK

_NODES_PER_MB: Final = 2_500
_LEAST_MB: Final = 2
_LEFT_OUT_IN_PLAY: Final = (
    "late_move_depth",
    "see_prune_depth",
    "capture_futility_depth",
    "history_prune_depth",
)
_NICE: Final = 5  # of processes that do nothing else


@dataclass(frozen=True, slots=True)
class DatagenSettings:
    """What the games depend on."""

    seed: int = 1
    # A move; an iteration that has begun is finished, up to four times as many.
    nodes: int = 1500
    engine: str = "Boomslang"  # name and version, for the header
    chess960: float = 0.0  # share of the games that begin from random arrays, one for each side
    stray: float = 0.0  # chance of a move that is not the best
    sidelines: float = 0.0  # chance that a position beside the game is evaluated too
    judge: str = "classical"  # or the SHA-256 of a network
    depth: int = (
        0  # plies to look ahead, leaving less out; 0: as far as the nodes reach, as in play
    )


# What older files do not say.
_USUAL: Final = {name: getattr(DatagenSettings(), name) for name in ("depth", "sidelines")}


class SelfPlayGame(NamedTuple):
    """A game as it is written, and how many of its positions are fit to learn from."""

    data: bytes
    positions: int


class SelfPlayPair:
    """The engine against itself; kernels must be loaded."""

    def __init__(self, settings: DatagenSettings, network: bytes | None = None) -> None:
        """`network` holds a NETWORK record; the classical evaluation is used without one."""
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
            leave_less_out(self._search.params)
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
        game.depth = self._settings.depth or DEEPEST
        game.nodes = self._settings.nodes
        game.sidelines = int(self._settings.sidelines * 2.0**32)
        game.stray = int(self._settings.stray * 2.0**32)
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


def leave_less_out(params: Any) -> None:
    """Let a search prune no late moves, losing exchanges or captures, nor by histories, in place.

    In play that gains depth. A search of few plies is nothing but horizon, where these rules are at work,
    and its scores become so rough that the evaluation which they are to teach knows more by itself. Histories
    are those of the moves before, too, and condemn what such a search has no depth to try again.
    """
    for name in _LEFT_OUT_IN_PLAY:
        params[name] = BY_NAME[name].off
    params["quiescence_moves"] = BY_NAME["quiescence_moves"].high


def table_megabytes(nodes: int) -> int:
    """Memory of a search for so many nodes a move.

    A move fills less than a tenth of 2 MB even at 20,000 nodes; so much more keeps what some twenty
    searches before it have found, at all numbers of nodes, and costs no time.
    """
    return max(_LEAST_MB, -(-nodes // _NODES_PER_MB))


def arrays(random: int, share: float) -> tuple[int, int]:
    """Where White and Black begin: as in ordinary chess, or from any array for a `share` of the games."""
    bits = drawn(random)
    if bits >> 32 >= share * 2.0**32:
        return int(ORDINARY), int(ORDINARY)
    both = drawn(bits)
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
    """Write games to `path` until there are so many games or fit positions; returns how many there are.

    A file that exists is continued; what is damaged in it is reported, and played again from there.
    `progress(games, positions)` is called at the start and after each game; `jobs` and `cluster` are as
    for `engine.jobs.run`. `network` is a NETWORK record, None for the classical evaluation.
    Raises ValueError if the file holds games of other settings or of another engine, JobsError if there
    is nobody to play.
    """
    check(path, settings)
    if cluster is None:
        load_kernels()  # compiled once, then loaded by each process
    done, kept, end, last = _begin_file(path, settings, report)
    progress(done, kept)

    def is_enough() -> bool:
        return (games is not None and done >= games) or (
            positions is not None and kept >= positions
        )

    if is_enough():
        return done, kept
    judge = None if network is None else network.tobytes()
    # The last game is played again: if it comes out the same, then so would the others.
    first = max(done - 1, 0)
    make = partial(_player, settings, judge)
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
            kept += game.positions
            progress(done, kept)
    return done, kept


def check(path: Path, settings: DatagenSettings) -> None:
    """Raise ValueError if a file is there already that cannot be gone on with. It takes no kernel."""
    if path.exists() and path.stat().st_size:
        with GameFileReader(path) as walk:
            for name, value in asdict(settings).items():
                found = walk.header.get(name, _USUAL.get(name))
                if found != value:
                    raise ValueError(f"{shown(path)} has {name} {found}, not {value}")


def _begin_file(
    path: Path, settings: DatagenSettings, report: Report
) -> tuple[int, int, int, bytes]:
    """Games and fit positions that the file has, none in a new one; where they end; the last game."""
    header = asdict(settings)
    if not path.exists() or not path.stat().st_size:
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
    kept = sum(len(records) for _, records in GameReader([path], report).in_order())
    return walk.games, kept, walk.end, last


def _player(settings: DatagenSettings, network: bytes | None) -> Callable[[int], SelfPlayGame]:
    """For `engine.jobs.run`: a function that plays the game of a number."""
    if multiprocessing.parent_process() and hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # a machine that makes data for hours stays usable
            os.setpriority(os.PRIO_PROCESS, 0, max(_NICE, os.getpriority(os.PRIO_PROCESS, 0)))
    load_kernels()
    return SelfPlayPair(settings, network).play
