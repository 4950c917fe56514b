"""Matches of two sets of parameters within one process.

Two searches that differ in parameters or weights play pairs of games with a fixed number of nodes or a
fixed time per move. Both games of a pair start from one random balanced opening, with colours reversed. A
game is one kernel call, so the threads of one process play in parallel.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import chess

from boomslang.core.board.position import new_record
from boomslang.core.board.splitmix import stream
from boomslang.core.system.files import open_file
from boomslang.engine import bridge
from boomslang.engine.learning.selfplay.fixed_search import MAX_DEPTH, UNTIMED
from boomslang.engine.learning.selfplay.games import GAME, find_opening, play_two
from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.search import params
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.reductions import fill_reductions
from boomslang.engine.search.state import SearchState
from boomslang.engine.search.transposition import new_table
from boomslang.eval.classical import weights as present_weights
from boomslang.eval.classical.new_evaluator import fill_evaluator
from boomslang.eval.network.file import load_shipped

_MAX_BYTES: Final = 1 << 24  # bytes of a file of weights
HASH_MB: Final = 2  # enough for some thousand nodes per move, and quick to clear
_POLL_INTERVAL: Final = 0.02  # seconds between polls of games that are to end


@dataclass(frozen=True, slots=True, eq=False)
class ParameterValues:
    """The settings in which two players may differ; see `are_alike`.

    `parameters` are values of `engine.search.params`; the others keep their defaults. `network` is a NETWORK
    record, None for the shipped one. `weights` is a module with the names of `eval.classical.weights`; they
    evaluate all positions if `classical`, else only those that the network does not evaluate.
    """

    parameters: Mapping[str, int] = field(default_factory=dict)
    network: Any = None
    classical: bool = False
    weights: Any = present_weights

    def give_to(self, search: SearchState) -> None:
        """Set these values in a SEARCH record, in place."""
        bridge.set_psq(search.rules, self.weights.PIECE_SQUARE)
        fill_evaluator(search.evaluator, self.weights)
        search.classical = int(self.classical)
        if not self.classical:
            bridge.set_network(search, self._network())
        params.set_defaults(search.params)
        for name, value in self.parameters.items():
            search.params[name] = value
        fill_reductions(search)

    def fingerprint(self) -> bytes:
        """All that a search with these values depends on, as bytes. Kernels must be loaded."""
        search = bridge.new_search()
        self.give_to(search)
        network = b"" if self.classical else self._network().tobytes()
        search.network = 0  # its address does not matter
        return bytes(search.tobytes() + network)

    def _network(self) -> Any:
        return load_shipped() if self.network is None else self.network


def are_alike(one: ParameterValues, other: ParameterValues) -> bool:
    """True if both have the same effective values. Kernels must be loaded.

    Raises ValueError if the shipped network is needed and cannot be read.
    """
    return one.fingerprint() == other.fingerprint()


def read_weights(path: Path) -> Any:
    """The weights of a Python file like `eval/classical/weights.py`, which is executed.

    Raises ValueError if it cannot be read or is not a file of weights.
    """
    open_file(path, _MAX_BYTES).close()
    spec = importlib.util.spec_from_file_location("tried_weights", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        fill_evaluator(bridge.new_search().evaluator, module)
        module.PIECE_SQUARE  # noqa: B018
    except Exception as problem:
        raise ValueError(f"{path} does not hold weights: {problem}") from None
    return module


class _Seat:
    """One player with its table and histories."""

    def __init__(self, hash_mb: int = HASH_MB) -> None:
        self.search: Any = bridge.new_search()
        self.table = new_table(hash_mb)

    def forget(self) -> None:
        """Clear the table and all histories."""
        self.table.fill(0)
        clear_histories(self.search)
        self.search.generation = 0


class MatchWorkspace:
    """Two players, reused for many games, and a search that checks openings. Kernels must be loaded.

    A move takes `nodes` nodes, or `movetime` milliseconds of processor time; openings are checked with
    `nodes` in any case.
    """

    def __init__(
        self, nodes: int, seed: int, movetime: int | None = None, hash_mb: int = HASH_MB
    ) -> None:
        self._seed = seed
        self._evaluation, self._one, self._other = _Seat(), _Seat(hash_mb), _Seat(hash_mb)
        self._parameters: tuple[ParameterValues, ParameterValues] | None = None
        self._game: Any = new_record(GAME)
        self._game.depth = MAX_DEPTH
        self._game.nodes = nodes
        self._game.time = UNTIMED if movetime is None else movetime * 1_000_000
        bridge.to_position(self._evaluation.search.rules, chess.Board(), self._game.start)

    def play_pair(self, one: ParameterValues, other: ParameterValues, number: int) -> Games:
        """Two games from opening `number`; the results are those of `one`, first with White."""
        if self._parameters != (one, other):
            one.give_to(self._one.search)
            other.give_to(self._other.search)
            self._parameters = (one, other)
        self._game.random = stream(self._seed, number)
        self._evaluation.forget()
        find_opening(self._evaluation.search, self._evaluation.table, self._game)
        return self._play(self._one, self._other), -self._play(self._other, self._one)

    def stop(self) -> None:
        """End the current game soon, and every later one at once; may be called from any thread.

        A move that begins at this very moment misses the flag, so repeat the call until the game has ended.
        """
        self._game.stopped = 1
        for seat in (self._one, self._other):
            seat.search.stop = 1

    def _play(self, white: _Seat, black: _Seat) -> int:
        """1 if White wins, -1 if Black does, 0 for a draw."""
        white.forget()
        black.forget()
        play_two(white.search, white.table, black.search, black.table, self._game)
        return int(self._game.result) - 1


class MatchWorkspaces:
    """Several workspaces, one thread each. Without `movetime` their number does not affect the games."""

    def __init__(
        self,
        nodes: int,
        seed: int,
        workers: int,
        movetime: int | None = None,
        hash_mb: int = HASH_MB,
    ) -> None:
        self._arenas = [MatchWorkspace(nodes, seed, movetime, hash_mb) for _ in range(workers)]
        self._free: SimpleQueue[MatchWorkspace] = SimpleQueue()
        for arena in self._arenas:
            self._free.put(arena)
        self._pool = ThreadPoolExecutor(workers)

    def __enter__(self) -> MatchWorkspaces:
        """Usable in a `with` block, at whose end unfinished games are aborted."""
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        while self._free.qsize() < len(self._arenas):
            for arena in self._arenas:
                arena.stop()
            time.sleep(_POLL_INTERVAL)

    def play(
        self, one: ParameterValues, other: ParameterValues, numbers: Iterable[int]
    ) -> Iterator[Games]:
        """The results of the pairs with these numbers, in order, as soon as they are known."""
        return self._pool.map(lambda number: self._play(one, other, number), numbers)

    def _play(self, one: ParameterValues, other: ParameterValues, number: int) -> Games:
        arena = self._free.get()
        try:
            return arena.play_pair(one, other, number)
        finally:
            self._free.put(arena)
