"""The lag of a move: time lost besides the search, estimated from the GUI's clock.

Between the GUI's clock and the search lie pipes, threads, other programs on the processor, and sometimes
a network. If the lag exceeds the increment, even immediate answers lose on time in the end, so time has
to be saved early.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boomslang.engine.limits import Limits

_LONGEST: Final = 1000.0  # milliseconds; longer lags are exceptions
_LEAST_WEIGHT: Final = 1 / 8  # of the last move in the average; the first ones weigh more
_FORGETTING: Final = 0.97  # of the worst move, with every move


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
        lag = min(cost - last.thought, _LONGEST)
        if cost < 0 or lag < -_LONGEST:
            return  # the clock was set
        self._learnt += 1
        weight = max(_LEAST_WEIGHT, 1 / self._learnt)
        self.usual = max(0.0, self.usual + (lag - self.usual) * weight)
        self.worst = max(lag, self.worst * _FORGETTING)

    def note(self, limits: Limits, white: bool, ply: int, thought: float) -> None:
        """Record a move that took `thought` milliseconds from its first answer on; the rest is lag."""
        self._last = _move(limits, white, ply, thought)


def _move(limits: Limits, white: bool, ply: int, thought: float) -> _Move | None:
    left = limits.white_time if white else limits.black_time
    if left is None:
        return None
    increment = (limits.white_increment if white else limits.black_increment) or 0
    return _Move(ply, left, increment, limits.moves_to_go, thought)
