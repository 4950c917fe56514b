"""Endgame tables: what is known about a position with few men, and the moves that keep it.

The tables are asked at the root of a search only. They are files of strangers, maybe on slow disks, so
another process looks into them, and nobody waits for it longer than the clock allows.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, ParamSpec, TypeVar

import chess

from boomslang.engine.core.system.files import shown
from boomslang.engine.core.system.worker import Worker, WorkerError
from boomslang.engine.limits import Limits
from boomslang.engine.tablebases.syzygy import (
    DamagedTableError,
    Probed,
    ProbeResult,
    open_tables,
    probe,
)

P = ParamSpec("P")
T = TypeVar("T")

MOST_MEN: Final = 7
_ANSWER_WITHIN: Final = 5.0  # seconds; then the files are damaged or out of reach
_WAIT_SHARE: Final = 0.75  # of the time for a move: what they know is worth more than a search
_GLANCE: Final = 0.005  # seconds between looks at whether the search was stopped
_FIFTY: Final = 100  # plies
_SURE: Final = 99  # plies: distances may be rounded up by one
_NAMED: Final = 3  # damaged files in a message

# What a move leads to, under the rules that are in force.
WIN, CURSED, DRAW, BLESSED, LOSS = 2, 1, 0, -1, -2


@dataclass(frozen=True, slots=True)
class Grade:
    """What a move leads to: WIN ... LOSS, and the plies to the next capture or pawn move."""

    result: int
    plies: int | None  # None: not known
    sure: bool  # the 50-move rule is not near


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All legal moves of a position with their grades; `hits` is how often a table was asked."""

    grades: dict[chess.Move, Grade]
    hits: int


class Tablebase:
    """The options about tables, and their answers. `say` gets remarks for the user."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._lock = threading.Lock()  # one question at a time
        self._worker: Worker | None = None
        self._men = 0  # known once the folders have been read
        self._opening: _Task[None] | None = None
        self._limit = MOST_MEN
        self._depth = 1
        self._fifty = True

    def set_depth(self, plies: int) -> None:
        """Not for searches that shall be shallower."""
        self._depth = plies

    def set_limit(self, men: int) -> None:
        """Not for positions with more men."""
        self._limit = men

    def set_fifty(self, counts: bool) -> None:
        """Whether the fifty-move rule counts."""
        self._fifty = counts

    def wait(self, seconds: float) -> None:
        """Wait until the folders have been read, but not longer than that."""
        if self._opening:
            self._opening.done.wait(seconds)

    def look(
        self, board: chess.Board, limits: Limits, stopped: Callable[[], bool]
    ) -> Knowledge | None:
        """What the tables say about a position; None if nothing, or not in time."""
        men = chess.popcount(board.occupied)
        shallow = limits.depth is not None and limits.depth < self._depth
        if not self._worker or shallow or men > self._limit or board.clean_castling_rights():
            return None
        wait = limits.longest_wait(board.turn == chess.WHITE, _WAIT_SHARE)
        until = time.monotonic() + (_ANSWER_WITHIN if wait is None else wait)
        if self._opening and not self._opening.wait(until, stopped):
            return None
        worker = self._worker  # it may have been given up while we waited
        if not worker or men > self._men:
            return None
        plain = board.copy(stack=False)
        asked = _Task(lambda: self._call(worker, probe, plain))
        if not asked.wait(until, stopped) or asked.answer is None:
            return None
        grades = {}
        for found in asked.answer:
            move = board.parse_uci(found.move)
            grades[move] = grade(found, board.halfmove_clock, self._fifty)
        return Knowledge(grades, 1 + len(grades)) if grades else None

    def open(self, path: str) -> None:
        """Read the folders of a path like PATH in the background; none if it is empty."""
        before, self._worker = self._worker, None
        self._men, self._opening = 0, None
        folders = tuple(part.strip() for part in path.split(os.pathsep) if part.strip())
        worker = Worker(_ANSWER_WITHIN, memory=None) if folders else None
        self._worker = worker
        if before or worker:
            self._opening = _Task(lambda: self._change(before, worker, folders))

    def _change(
        self, before: Worker | None, worker: Worker | None, folders: tuple[str, ...]
    ) -> None:
        if before:
            with self._lock:
                before.close()
        found = self._call(worker, open_tables, folders) if worker else None
        if found and worker is self._worker:
            self._men = min(found.men, MOST_MEN)
            for line in _remarks(found):
                self._say(line)

    def _call(
        self, worker: Worker, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """What the worker answers; None if there are no tables any more."""
        with self._lock:
            if worker is not self._worker:
                return None
            try:
                return worker.call(function, *args, **kwargs)
            except Exception as problem:
                worker.close()
                if worker is not self._worker:
                    return None  # other folders have been named meanwhile
                self._worker = None
                failed = isinstance(problem, (WorkerError, DamagedTableError))
                reason = str(problem) if failed else type(problem).__name__
                self._say(f"error: the tablebases are damaged or too slow, not used: {reason}")
                return None


class _Task(Generic[T]):
    """Something that is done on a thread of its own, for which nobody has to wait."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.done = threading.Event()
        self.answer: T | None = None
        threading.Thread(target=self._do, args=(work,), name="tablebase", daemon=True).start()

    def _do(self, work: Callable[[], T]) -> None:
        try:
            self.answer = work()
        finally:
            self.done.set()

    def wait(self, until: float, stopped: Callable[[], bool]) -> bool:
        """True if it has been done before that `time.monotonic()` and before `stopped`."""
        while not self.done.wait(_GLANCE):
            if stopped() or time.monotonic() >= until:
                return False
        return True


def grade(found: Probed, clock: int, fifty: bool) -> Grade:
    """What a move leads to, after `clock` plies without capture or pawn move; `fifty`: they count."""
    plies = None if found.dtz is None else abs(found.dtz)
    if not found.wdl:
        return Grade(DRAW, 0, True)
    if not fifty:
        return Grade(WIN if found.wdl > 0 else LOSS, plies, True)
    # A capture or pawn move sets the clock back, and only then the table alone knows what follows.
    in_time = abs(found.wdl) == WIN and (plies is None or plies == 1 or clock + plies <= _FIFTY)
    sure = plies is None or plies == 1 or clock + plies <= _SURE
    if found.wdl > 0:
        return Grade(WIN if in_time else CURSED, plies, sure)
    return Grade(LOSS if in_time else BLESSED, plies, sure)


def _remarks(found: ProbeResult) -> list[str]:
    """What the user should know about the folders."""
    remarks = []
    if found.files:
        remarks.append(f"{found.files} tablebase files, up to {found.men} men")
    else:
        remarks.append("error: there are no tablebases in SyzygyPath")
    if found.unreadable:
        remarks.append(f"error: cannot read the folder {shown(found.unreadable[0])}")
    if found.damaged:
        more = f" and {len(found.damaged) - _NAMED} more" if len(found.damaged) > _NAMED else ""
        names = ", ".join(found.damaged[:_NAMED])
        remarks.append(f"error: damaged tablebases are not used: {names}{more}")
    return remarks
