"""Limits of the search in plain Python: nodes, time, and `stop`."""

from __future__ import annotations

import threading
import time
from math import inf
from typing import Final

import chess

from boomslang.engine.limits import MAX_SHARE, Limits
from boomslang.engine.textbook.game import NodeCounter, SearchInterruptedError

# Share of the time for the move; after that no further depth is begun.
NEXT_DEPTH_SHARE: Final = 0.4
MAX_FACTOR: Final = 4.0  # maximum multiple of the time for a move until the minimum depth is done
FIRST_LOOK: Final = 0.02  # minimum of a search in seconds of processor time, however late it is


class SearchWatch(NodeCounter):
    """Counts nodes, and interrupts the search on `stop` or when a limit is reached."""

    def __init__(
        self,
        stopped: threading.Event,
        nodes: int | None,
        times: tuple[float, float, float] = (inf, inf, inf),
    ) -> None:
        """`times` are those of `allow`."""
        super().__init__()
        self.deadline = inf  # a time.monotonic(); may be set from another thread, as the next two
        self.last_deadline = inf  # while the minimum depth is not done
        self.next_depth = inf  # no depth is begun after this
        self.owes = False  # the minimum depth is not done
        self.looks_until = -inf  # a time.thread_time(): before, `stop` and deadlines are ignored
        self._stopped = stopped
        self._limit = inf if nodes is None else nodes
        self._times = times

    def start_clock(self, started: float) -> None:
        """Set the deadlines of a search whose time counts from `started`."""
        self.deadline, self.last_deadline, self.next_depth = (started + t for t in self._times)

    def visit(self) -> None:
        """Count a node, or raise SearchInterruptedError."""
        if self.is_over():
            raise SearchInterruptedError
        self.nodes += 1

    def is_over(self) -> bool:
        """True if no further node may be visited."""
        if self.nodes >= self._limit:
            return True
        deadline = self.last_deadline if self.owes else self.deadline
        if time.monotonic() < deadline and not self._stopped.is_set():
            return False
        return time.thread_time() >= self.looks_until


def allow(
    board: chess.Board, limits: Limits, overhead: float, moves: int
) -> tuple[float, float, float]:
    """Seconds for this move, one of `moves` playable ones, less `overhead`; infinite without a limit.

    After the first the search is interrupted, after the second also if the minimum depth is not done, and
    after the third no further depth is begun.
    """
    share = limits.share(board.turn, overhead)
    if share is None:
        return inf, inf, inf
    if limits.movetime is not None:
        return share, share, inf
    clock = limits.white_time if board.turn else limits.black_time
    left = max(0.0, (clock or 0) / 1000 - overhead)
    most = max(share, min(MAX_FACTOR * share, MAX_SHARE * left))
    return share, most, NEXT_DEPTH_SHARE * share if moves > 1 else 0.0
