"""Time management: the time for one move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boomslang.engine.limits import Limits

MOST_MOVES: Final = 40  # to plan for at the start of a game, without `movestogo`
FEWEST_MOVES: Final = 18  # and late in it
PLIES_PER_MOVE: Final = 3  # after this many plies there is one move less to plan for
HARD_FACTOR: Final = 5.0  # a difficult move may take this many times its share
LONGEST_SHARE: Final = 0.5  # but never more than this part of the clock
MOVES_TO_SURVIVE: Final = 60  # when the lag exceeds the increment
USUAL_PART: Final = 0.85  # of its share, for a move that is neither easy nor difficult


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
        moves = float(max(MOST_MOVES - ply / PLIES_PER_MOVE, FEWEST_MOVES))
    else:
        moves = min(max(limits.moves_to_go, 1), 50)
    gain = max(increment, 0) - lag  # clock change of an immediate move
    to_survive = MOVES_TO_SURVIVE if limits.moves_to_go is None else moves
    usable = max(left - overhead + to_survive * min(gain, 0.0), left * 0.05, 0.0)
    share = usable / moves + max(gain, 0.0)
    longest = usable * (LONGEST_SHARE if moves > 1 else 0.8)
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

    def note(self, move: int, score: int) -> None:
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
