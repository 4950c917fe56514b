"""Time management: how long to think about one move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.limits import Limits

MOVES_LEFT: Final = 26  # how many more moves to plan for when the clock does not say
INCREMENT_SHARE: Final = 0.75
HARD_FACTOR: Final = 4.0  # a difficult move may take this many times its share
LONGEST_SHARE: Final = 0.4  # but never more than this part of the clock
NEXT_ITERATION: Final = 0.55  # an iteration begun later than this part of the share seldom ends


@dataclass(frozen=True, slots=True)
class Budget:
    """Milliseconds from the start of the clock: begin no iteration after `soft`, stop at `hard`."""

    soft: float | None
    hard: float | None


def allot(limits: Limits, white: bool, overhead: float) -> Budget:
    """The time for one move of White or Black; `overhead` milliseconds are lost between GUI and engine."""
    if limits.movetime is not None:
        return Budget(None, max(limits.movetime, 0))
    left = limits.white_time if white else limits.black_time
    increment = (limits.white_increment if white else limits.black_increment) or 0
    if left is None:
        # A clock for the other side only, or an increment alone: think as if that were all.
        other = limits.black_time if white else limits.white_time
        if other is None and not increment:
            return Budget(None, None)
        left = increment if other is None else other
    moves = MOVES_LEFT if limits.moves_to_go is None else min(max(limits.moves_to_go, 1), 50)
    usable = max(left - overhead, left * 0.05, 0.0)
    share = usable / moves + INCREMENT_SHARE * max(increment, 0)
    longest = usable * (LONGEST_SHARE if moves > 1 else 0.8)
    hard = min(HARD_FACTOR * share, longest)
    return Budget(min(share, longest) * NEXT_ITERATION, hard)
