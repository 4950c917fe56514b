"""The time control of the protocol: level, st, sd, nps, time, otim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from boomslang.engine.driver.clock import allot
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import MAX_TIME, Limits
from boomslang.uci.parse import loose_number

_DECIMAL: Final = re.compile(
    r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})(?:[eE][+-]?[0-9]{1,3})?"
)
_BASE: Final = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_FIXED: Final = attrgetter("depth", "nodes", "movetime", "moves_to_go", "white_increment")
_DEFAULT_MOVES: Final = 40  # moves per period, until the GUI sets another time control
_DEFAULT_BASE: Final = 300_000  # milliseconds per period


def milliseconds(word: str, unit: float) -> int:
    """A number of `unit` milliseconds, whole or decimal; raises CommandError."""
    if not _DECIMAL.fullmatch(word):
        raise CommandError("bad number")
    return round(min(max(float(word) * unit, -MAX_TIME), MAX_TIME))


def whole_number(word: str) -> int:
    """A whole number, which may be written as a decimal one; raises CommandError."""
    value = loose_number(word)
    if value is None:
        raise CommandError("bad number")
    return value


class Clock:
    """The time control of a game, and the last known times of both clocks."""

    def __init__(self) -> None:
        self._is_set = False  # the GUI has sent a time control
        self._moves = _DEFAULT_MOVES  # in one period; 0: the whole game is one
        self._base = _DEFAULT_BASE
        self._increment = 0
        self._move_time: int | None = None  # maximum per move in milliseconds, by `st`
        self._depth: int | None = None
        self._nodes_a_second: int | None = None
        self._begun_at = 0  # plies played when the period began
        self._ours = self._theirs = _DEFAULT_BASE

    def new_game(self) -> None:
        """Clear the limits of depth and speed."""
        self._depth = self._nodes_a_second = None

    def restart(self, plies: int) -> None:
        """Start the first period now, after `plies` plies."""
        self._begun_at = plies
        self._ours = self._theirs = self._base

    def level(self, words: Sequence[str], plies: int) -> None:
        """`level MOVES BASE INCREMENT`: BASE is minutes or minutes:seconds; raises CommandError."""
        if len(words) < 3:
            raise CommandError("three numbers expected")
        moves = whole_number(words[0])
        if parts := _BASE.fullmatch(words[1]):
            base = int(parts[1]) * 60_000 + int(parts[2]) * 1000
        else:
            base = milliseconds(words[1], 60_000)
        self._increment = max(0, milliseconds(words[2], 1000))
        self._base = min(max(0, base), MAX_TIME)
        self._moves = max(0, moves)
        self._move_time = None
        self._is_set = True
        self.restart(plies)

    def st(self, word: str) -> None:
        """`st SECONDS`: maximum time per move; some GUIs send 0 for less than one second."""
        self._move_time = max(1, milliseconds(word, 1000))
        self._is_set = True

    def sd(self, word: str) -> None:
        """`sd DEPTH`: a depth limit, in addition to any clock."""
        self._depth = max(1, whole_number(word))

    def nps(self, word: str) -> None:
        """`nps RATE`: measure time by nodes; 0 asks for processor time, which is that of the clock here."""
        self._nodes_a_second = max(0, whole_number(word)) or None

    def time(self, word: str) -> None:
        """`time CENTISECONDS`: the engine's clock."""
        self._ours = milliseconds(word, 10)

    def otim(self, word: str) -> None:
        """`otim CENTISECONDS`: the opponent's clock."""
        self._theirs = milliseconds(word, 10)

    def record_move(self, spent: float, plies: int) -> None:
        """The engine has made the last of `plies` plies in `spent` milliseconds."""
        self._ours += self._increment - round(spent)
        if self._moves and self._moves_made(plies, plies % 2 == 1) % self._moves == 0:
            self._ours += self._base

    def limits(self, white: bool, plies: int, overhead: int = 0) -> Limits:
        """The limits of the engine's next move, White's or Black's, after `plies` plies.

        `overhead` is the lag of a move in milliseconds. The engine deducts it from a clock, but not from a
        time per move, which is exact in UCI. Here that is a hard limit: exceeding it loses the game.
        """
        depth = self._depth
        if self._move_time is not None:
            lost = 0 if self._nodes_a_second else min(overhead, self._move_time // 2)
            limits = Limits(depth=depth, movetime=self._move_time - lost)
        elif depth is not None and not self._is_set:
            return Limits(depth=depth)
        else:
            ours, theirs = max(1, self._ours), max(1, self._theirs)
            left = self._moves - self._moves_made(plies, plies % 2 == 0) % max(1, self._moves)
            limits = Limits(
                depth=depth,
                white_time=ours if white else theirs,
                black_time=theirs if white else ours,
                white_increment=self._increment,
                black_increment=self._increment,
                moves_to_go=left if self._moves else None,
            )
        return limits if self._nodes_a_second is None else self._in_nodes(limits, white, plies)

    def _in_nodes(self, limits: Limits, white: bool, plies: int) -> Limits:
        budget = allot(limits, white, overhead=0, ply=plies)
        time = budget.hard if budget.soft is None else budget.soft
        nodes = (time or 0) * (self._nodes_a_second or 0) / 1000
        return Limits(depth=limits.depth, nodes=max(1, int(nodes)))

    def _moves_made(self, plies: int, first_mover: bool) -> int:
        """The engine's moves since the first period began; `first_mover`: it made the first one."""
        begin = min(self._begun_at, plies)
        return (plies + first_mover) // 2 - (begin + first_mover) // 2


def has_enough(promised: Limits, now: Limits, white: bool) -> bool:
    """True if a search with the limits `promised` may continue under the limits `now`."""
    had, has = (limits.white_time if white else limits.black_time for limits in (promised, now))
    return _FIXED(promised) == _FIXED(now) and (has or 0) >= 0.9 * (had or 0)
