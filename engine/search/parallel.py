"""Searching with several threads: Lazy SMP.

Every thread searches the same root on its own, with its own histories, and all share one
transposition table. Nothing else is shared: what one thread has found, the others meet in the table
and are spared the work. The first helper and every second after it begin an iteration ahead, so that
the threads do not all do the same; what they have found there may be the deepest answer of all.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import new_record
from boomslang.engine.search.deepening import SearchLine, deepen
from boomslang.engine.search.history import age_history, clear_histories
from boomslang.engine.search.state import NO_DEADLINE, NO_LIMIT, ROOT_FIELDS, SEARCH, fields_of

_START_TIMEOUT: Final = 1.0  # seconds for a thread to begin
_POLL_INTERVAL: Final = 0.001


class HelperThreads:
    """The threads that help the main one; none at first."""

    def __init__(self) -> None:
        self._records: list[Any] = []
        self._fields: list[Any] = []  # one for each record
        self._threads: list[threading.Thread] = []
        self._found: dict[int, SearchLine] = {}  # the deepest line of each helper in this search

    def resize(self, helpers: int) -> None:
        """Use this number of helpers from the next search on. Raises MemoryError."""
        while len(self._records) < helpers:
            record = new_record(SEARCH)
            self._records.append(record)
            self._fields.append(fields_of(record))
        del self._records[helpers:], self._fields[helpers:]

    def forget(self) -> None:
        """Clear what the helpers have learnt: a new game begins."""
        for record in self._records:
            clear_histories(record)

    def start(self, main: Any, table: npt.NDArray[np.uint64], depth_limit: int) -> None:
        """Begin to search what the SEARCH record `main` is about to search; `stop` must follow."""
        self._threads = []
        self._found = {}
        for number, record in enumerate(self._records):
            for field in ROOT_FIELDS:
                record[field] = main[field]
            record.position[0] = main.position[0]
            record.accumulators.key.fill(0)  # they may be of another network
            record.probe.tables = main.probe.tables
            record.nodes = record.tb_hits = 0
            record.stop = 0
            owner = getattr(main, "tables", None)  # each thread keeps what it may probe
            record.node_limit, record.deadline = NO_LIMIT, NO_DEADLINE
            record.next_poll = NO_LIMIT
            thread = threading.Thread(
                target=self._deepen,
                args=(number, table, depth_limit, owner),
                name=f"search {number + 2}",
                daemon=True,
            )
            self._threads.append(thread)  # before an interrupt can come
            try:
                thread.start()
            except RuntimeError:  # no threads are left: search with those that run
                self._threads.remove(thread)

    def stop(self) -> SearchLine | None:
        """End the helpers' searches; returns a best line of the deepest iteration that one finished.

        After a KeyboardInterrupt it can be called again.
        """
        for fields in self._fields:
            fields.stop = 1
        until = time.monotonic() + _START_TIMEOUT
        for thread in self._threads:
            # An interrupted `start` may have let it begin: then it is listed before it is alive.
            while not thread.is_alive() and thread in threading.enumerate():
                if time.monotonic() > until:
                    break
                time.sleep(_POLL_INTERVAL)
            if thread.is_alive():
                thread.join()
        self._threads = []
        found, self._found = self._found, {}
        return max(found.values(), key=lambda line: line.depth, default=None)

    @property
    def helpers(self) -> int:
        """How many there are."""
        return len(self._records)

    @property
    def nodes(self) -> int:
        """Positions that the helpers have looked at in this search."""
        return sum(int(fields.nodes) for fields in self._fields)

    @property
    def tb_hits(self) -> int:
        """Successful probes of tablebases in this search."""
        return sum(int(fields.tb_hits) for fields in self._fields)

    def _deepen(
        self, number: int, table: npt.NDArray[np.uint64], depth_limit: int, owner: object
    ) -> None:
        """Let one helper search until it is stopped; an iteration broken off counts for nothing."""
        record, fields = self._records[number], self._fields[number]
        age_history(record)
        for lines in deepen(record, table, depth_limit, 1, first_depth=2 - number % 2):
            if fields.stop:
                return
            self._found[number] = lines[0]
