"""The time of a search: limits of a move, the lag between engine and GUI, and time counted in nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boomslang.engine.limits import Limits

_MAX_LAG: Final = 1000.0  # milliseconds; longer lags are exceptions
_MIN_WEIGHT: Final = 1 / 8  # weight of the last move in the average; the first ones weigh more
_FORGETTING: Final = 0.97  # factor on the worst move, with every move


@dataclass(frozen=True, slots=True)
class _Move:
    """One move of the engine: the clock before it and the time of its search, in milliseconds."""

    ply: int
    left: int
    increment: int
    moves_to_go: int | None
    thought: float


class LagEstimator:
    """Lag in milliseconds per move: `usual` is an average, `worst` a decaying maximum; 0 at first."""

    def __init__(self) -> None:
        self.usual = 0.0
        self.worst = 0.0
        self._learnt = 0  # moves
        self._last: _Move | None = None

    def forget_move(self) -> None:
        """The next move belongs to another game; the estimates stay, as the computer is the same."""
        self._last = None

    def read(self, limits: Limits, white: bool, ply: int) -> None:
        """Update the estimates with the lag of the last move, if this is the next move of the same clock."""
        now, last = _move(limits, white, ply, 0.0), self._last
        self._last = None
        if now is None or last is None or now.ply != last.ply + 2:
            return
        to_go = None if last.moves_to_go is None else last.moves_to_go - 1
        if (now.increment, now.moves_to_go) != (last.increment, to_go):
            return
        cost = last.left + last.increment - now.left
        lag = min(cost - last.thought, _MAX_LAG)
        if cost < 0 or lag < -_MAX_LAG:
            return  # the clock was set
        self._learnt += 1
        weight = max(_MIN_WEIGHT, 1 / self._learnt)
        self.usual = max(0.0, self.usual + (lag - self.usual) * weight)
        self.worst = max(lag, self.worst * _FORGETTING)

    def record(self, limits: Limits, white: bool, ply: int, thought: float) -> None:
        """Record a move that took `thought` milliseconds from its first answer on; the rest is lag."""
        self._last = _move(limits, white, ply, thought)


def _move(limits: Limits, white: bool, ply: int, thought: float) -> _Move | None:
    left = limits.white_time if white else limits.black_time
    if left is None:
        return None
    increment = (limits.white_increment if white else limits.black_increment) or 0
    return _Move(ply, left, increment, limits.moves_to_go, thought)


class NodeClock:
    """The option `nodestime`: `rate` nodes count as a millisecond; with 0 the real clock counts.

    The GUI's clock is read only at the first move of a game. From then on the node clock runs: it loses a
    millisecond for every `rate` nodes and gains the increment with every move. At a time control (`movestogo`
    was 1, rises again, or is no longer sent) it gains its initial value, because the protocol does not say
    what the GUI adds, which is mostly the same.
    """

    def __init__(self) -> None:
        self.rate = 0
        self._left: float | None = None  # milliseconds left
        self._first = 0  # what it was at the first move
        self._moves_to_go: int | None = None  # at the last move

    def reset(self) -> None:
        """Start a new game."""
        self._left = None

    def read(self, limits: Limits, white: bool, again: bool = False) -> Limits:
        """The limits with the node clock's time in place of the GUI's.

        A second search for the same move is made `again`: it gains no time.
        """
        gui_time = limits.white_time if white else limits.black_time
        if not self.rate or gui_time is None:
            return limits
        if self._left is None:
            self._left = self._first = gui_time
            self._moves_to_go = None
        left = max(1, round(self._left + (0 if again else self._gain(limits))))
        return replace(limits, white_time=left) if white else replace(limits, black_time=left)

    def spend(self, nodes: int, limits: Limits, white: bool, again: bool = False) -> None:
        """Charge a search of `nodes` nodes to the clock; nothing if its limits have no clock."""
        gui_time = limits.white_time if white else limits.black_time
        if self.rate and self._left is not None and gui_time is not None:
            increment = (limits.white_increment if white else limits.black_increment) or 0
            gained = 0 if again else self._gain(limits) + increment
            left = self._left + gained - nodes / self.rate
            self._left, self._moves_to_go = max(0.0, left), limits.moves_to_go

    def _gain(self, limits: Limits) -> int:
        """The time gained by a time control that was reached with the move before, milliseconds."""
        before, now = self._moves_to_go, limits.moves_to_go
        reached = before is not None and (before == 1 or now is None or now > before)
        return self._first if reached else 0


MAX_MOVES: Final = 40  # to plan for at the start of a game, without `movestogo`
MIN_MOVES: Final = 18  # and late in it
PLIES_PER_MOVE: Final = 3  # after this many plies there is one move less to plan for
HARD_FACTOR: Final = 5.0  # a difficult move may take this many times its share
MAX_SHARE: Final = 0.5  # but never more than this part of the clock
MOVES_TO_SURVIVE: Final = 60  # when the lag exceeds the increment
USUAL_PART: Final = 0.85  # part of its share for a move that is neither easy nor difficult


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Milliseconds from the start: begin no iteration after `soft` times `TimeScaling`, stop at `hard`."""

    soft: float | None
    hard: float | None


def allot(
    limits: Limits, white: bool, overhead: float, lag: float = 0.0, ply: int = 0
) -> TimeBudget:
    """The time for one move of White or Black, all in milliseconds, after `ply` plies of the game.

    `overhead` is reserved for delays between GUI and engine, once; `lag` is lost with every move. With both
    `movetime` and a clock the first limit reached counts.
    """
    movetime = None if limits.movetime is None else max(limits.movetime, 0)
    left = limits.white_time if white else limits.black_time
    if limits.infinite or (movetime is not None and left is None):
        return TimeBudget(None, movetime)
    increment = (limits.white_increment if white else limits.black_increment) or 0
    if left is None:
        # Only the other side's clock, or only an increment, was sent: use that alone.
        other = limits.black_time if white else limits.white_time
        if other is None and not increment:
            return TimeBudget(None, None)
        left = increment if other is None else other
    if limits.moves_to_go is None:
        moves = float(max(MAX_MOVES - ply / PLIES_PER_MOVE, MIN_MOVES))
    else:
        moves = min(max(limits.moves_to_go, 1), 50)
    gain = max(increment, 0) - lag  # clock change of an immediate move
    to_survive = MOVES_TO_SURVIVE if limits.moves_to_go is None else moves
    usable = max(left - overhead + to_survive * min(gain, 0.0), left * 0.05, 0.0)
    share = usable / moves + max(gain, 0.0)
    longest = usable * (MAX_SHARE if moves > 1 else 0.8)
    hard = min(HARD_FACTOR * share, longest)
    if movetime is not None:
        hard = min(hard, movetime)
    return TimeBudget(min(share * USUAL_PART, longest), hard)


class TimeScaling:
    """Scales the time for a move by the course of its search: stability, score drop, effort."""

    def __init__(self) -> None:
        self._move: int | None = None
        self._score = 0
        self._stability = 0  # iterations since the best move changed
        self._drop = 0  # centipawns by which its score fell in the last iteration

    def record(self, move: int, score: int) -> None:
        """Record the best move and score of a finished iteration."""
        self._stability = self._stability + 1 if move == self._move else 0
        self._drop = 0 if self._move is None else self._score - score
        self._move, self._score = move, score

    def factor(self, effort: float) -> float:
        """The factor by which to multiply the usual time.

        `effort` is the share of all nodes that went into the best move (0..1). If most of the work confirms
        the best move, more time is unlikely to change it.
        """
        by_effort = 1.9 - 1.3 * effort
        by_stability = 1.2 - 0.06 * min(self._stability, 8)
        by_drop = 1.0 + 0.6 * min(max(self._drop, 0), 60) / 60
        return by_effort * by_stability * by_drop
