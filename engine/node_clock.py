"""Nodes instead of milliseconds: games on a clock that are the same on every computer."""

from __future__ import annotations

from dataclasses import replace

from engine.limits import Limits


class NodeClock:
    """The option `nodestime`: so many nodes count as a millisecond; with 0 the real clock counts.

    The GUI's clock is read at the first move of a game only. From then on our own clock runs, which
    loses a millisecond with every `rate` nodes and gains the increment with every move.
    """

    def __init__(self) -> None:
        self.rate = 0
        self._left: float | None = None  # milliseconds, of our colour

    def reset(self) -> None:
        """A new game begins."""
        self._left = None

    def read(self, limits: Limits, white: bool) -> Limits:
        """The limits with the time that is left on our own clock in place of the GUI's."""
        given = limits.white_time if white else limits.black_time
        if not self.rate or given is None:
            return limits
        if self._left is None:
            self._left = given
        left = max(1, round(self._left))
        return replace(limits, white_time=left) if white else replace(limits, black_time=left)

    def spend(self, nodes: int, limits: Limits, white: bool) -> None:
        """A move of `nodes` nodes is over."""
        if self.rate and self._left is not None:
            increment = (limits.white_increment if white else limits.black_increment) or 0
            self._left = max(0.0, self._left + increment - nodes / self.rate)
