"""Interfaces between the engine, the searches that find its moves, and their algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from boomslang.engine.limits import CurrentMove, Limits, Listener, Result

if TYPE_CHECKING:
    import chess
    import numpy as np
    import numpy.typing as npt

    from boomslang.engine.driver.tablebase import Tablebase
    from boomslang.engine.search.deepening import SearchLine


class SearcherProtocol(Protocol):
    """A search that finds moves. `search` runs in one thread, the rest is called from others."""

    def clear_stop(self) -> None:
        """Forget an earlier `stop`; called before a search is handed to its thread."""

    def search(
        self, board: chess.Board, limits: Limits, on_info: Listener, started: float | None = None
    ) -> Result:
        """Search until a limit or `stop`; `started` is the `time.monotonic()` of the request.

        May return early even if the limits say `wait_for_stop` or `ponder`: the caller holds the answer back.
        """

    def stop(self) -> None:
        """End the search soon; not lost if `search` has not really begun yet."""

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now."""

    def current(self) -> CurrentMove | None:
        """The root move that is being searched, if known; any thread may ask during a search."""

    def new_game(self) -> None:
        """Forget everything about the last game."""

    def fresh_memory(self) -> AbstractContextManager[None]:
        """Search within it as in a new game, with a small memory, and not to remember it afterwards."""

    def rest(
        self, board: chess.Board, limits: Limits, seconds: float, wait: Callable[[float], float]
    ) -> None:
        """Let a move take so many seconds in all, as far as its clock allows, after its search.

        `wait` waits until it has taken so many, and returns how many it has taken.
        """

    def use_tables(self, tables: Tablebase | None) -> None:
        """Use these tablebases from the next search on, or none."""


class SearchAlgorithm(Protocol):
    """Alpha-beta or Monte Carlo tree search, in one memory, until a limit or a stop in the SEARCH record."""

    finishes_depths: bool  # a line of an unfinished depth is worth nothing unless its move is new
    memory: npt.NDArray[np.uint64]  # all of it, as `transposition.new_table` allocates it

    @property
    def table(self) -> npt.NDArray[np.uint64]:
        """The part of the memory that is the transposition table."""

    @property
    def threads(self) -> int:
        """Number of threads that search together."""

    @property
    def helper_nodes(self) -> int:
        """Nodes of this search that threads other than the first have visited."""

    @property
    def helper_tb_hits(self) -> int:
        """Successful probes of tablebases in this search by threads other than the first."""

    def set_memory(self, memory: npt.NDArray[np.uint64]) -> None:
        """Use other memory between two searches, as this algorithm left it, or empty."""

    def set_threads(self, threads: int) -> str | None:
        """Use a number of threads, as far as possible; returns a message or None."""

    def lines(
        self, board: chess.Board, limits: Limits, depth_limit: int, line_count: int
    ) -> Iterator[list[SearchLine]]:
        """Yield the best lines again and again, at least once; the root and its limits are set."""

    def end(self) -> SearchLine | None:
        """End the other threads; returns the line of one that is ahead of the first."""

    def current(self, board: chess.Board) -> CurrentMove | None:
        """The root move that is being searched, if there is one."""

    def hashfull(self) -> int:
        """Share of the memory that is in use, per mille."""

    def clear(self) -> None:
        """Empty the memory."""

    def new_game(self) -> None:
        """Forget everything about the last game."""
