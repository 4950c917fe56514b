"""A clock that counts nodes instead of time: timed games that are the same on every computer."""

from __future__ import annotations

from dataclasses import replace

from boomslang.engine.limits import Limits


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
        given = limits.white_time if white else limits.black_time
        if not self.rate or given is None:
            return limits
        if self._left is None:
            self._left = self._first = given
            self._moves_to_go = None
        left = max(1, round(self._left + (0 if again else self._gain(limits))))
        return replace(limits, white_time=left) if white else replace(limits, black_time=left)

    def spend(self, nodes: int, limits: Limits, white: bool, again: bool = False) -> None:
        """Charge a search of `nodes` nodes to the clock; nothing if its limits have no clock."""
        given = limits.white_time if white else limits.black_time
        if self.rate and self._left is not None and given is not None:
            increment = (limits.white_increment if white else limits.black_increment) or 0
            gained = 0 if again else self._gain(limits) + increment
            left = self._left + gained - nodes / self.rate
            self._left, self._moves_to_go = max(0.0, left), limits.moves_to_go

    def _gain(self, limits: Limits) -> int:
        """The time gained by a time control that was reached with the move before, milliseconds."""
        before, now = self._moves_to_go, limits.moves_to_go
        reached = before is not None and (before == 1 or now is None or now > before)
        return self._first if reached else 0
