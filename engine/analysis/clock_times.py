"""Clocks of a game: remaining and elapsed times by `[%clk]` and `[%emt]`, and time trouble."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess
import chess.pgn

_TROUBLE_SHARE: Final = 0.1  # share of the time at the beginning
_TROUBLE_SECONDS: Final = 60.0  # more than this is no time trouble in any game
_CONTROL: Final = re.compile(
    r"(?:(\d{1,9})/)?(\d{1,9}(?:\.\d{1,9})?)(?:\+(\d{1,9}(?:\.\d{1,9})?))?(?::|$)"
)
_DAILY: Final = 86_400.0  # seconds; from there on it is correspondence chess


@dataclass(frozen=True, slots=True)
class MoveTime:
    """The clock of the player who made a move, in seconds; None where the game does not say."""

    left: float | None  # after the move
    spent: float | None
    trouble: bool  # made in time trouble


@dataclass(frozen=True, slots=True)
class ClockPeriod:
    """The first period of a time control, in seconds."""

    base: float
    increment: float = 0.0
    moves: int | None = None  # moves in the period; None: the whole game


def time_control(text: str) -> ClockPeriod | None:
    """A tag TimeControl such as "180+2" or "40/5400+30:1800"; None for anything else and for daily games."""
    match = _CONTROL.match(text.strip())
    if not match or float(match[2]) >= _DAILY:
        return None
    moves = int(match[1]) if match[1] else None
    return ClockPeriod(float(match[2]), float(match[3] or 0), moves)


def move_times(game: chess.pgn.Game) -> list[MoveTime | None]:
    """The times of the main line's moves; None for a move without any, empty if no move has one.

    A remaining time follows from elapsed times where the tag TimeControl gives the base, and an elapsed time
    from remaining times. A move is made in time trouble if the clock before it shows less than a tenth of the
    base and less than a minute; the base is that of the tag, or the highest remaining time of the player.
    """
    nodes = list(game.mainline())
    if not any(time is not None for node in nodes for time in (node.clock(), node.emt())):
        return []
    control = time_control(game.headers.get("TimeControl", ""))
    times: list[MoveTime | None] = [None] * len(nodes)
    for start in (0, 1):
        own = nodes[start::2]
        remaining = _remaining(own, control)
        clock_readings = [left for left in remaining if left is not None]
        base = control.base if control else max(clock_readings, default=0.0)
        before = control.base if control else None
        for index, node in enumerate(own):
            left = remaining[index]
            spent = node.emt()
            if spent is None and left is not None and before is not None:
                spent = _time_spent(before, left, control, index + 1)
            trouble = before is not None and before < min(_TROUBLE_SHARE * base, _TROUBLE_SECONDS)
            if left is not None or spent is not None:
                times[start + 2 * index] = MoveTime(left, spent, trouble)
            before = left
    return times


def _remaining(
    own: Sequence[chess.pgn.ChildNode], control: ClockPeriod | None
) -> list[float | None]:
    """The remaining times of one player after the moves."""
    if any(node.clock() is not None for node in own):
        return [node.clock() for node in own]
    left = control.base if control and control.moves is None else None
    remaining_times: list[float | None] = []
    for node in own:
        spent = node.emt()
        if left is not None and control:
            left = None if spent is None else round(max(left - spent + control.increment, 0.0), 3)
        remaining_times.append(left)
    return remaining_times


def _time_spent(
    before: float, left: float, control: ClockPeriod | None, number: int
) -> float | None:
    """The elapsed time of a move, the `number`th of its player; None at the end of a period."""
    if control and control.moves and number % control.moves == 0:
        return None  # time was added
    increment = control.increment if control else 0.0
    return round(max(before + increment - left, 0.0), 3)  # clocks have milliseconds at most


def clock_text(seconds: float) -> str:
    """A remaining time as "1:05:09" or "4:07", below ten seconds as "0:08.4"."""
    if round(seconds, 1) < 10:
        return f"0:{seconds:04.1f}"
    hours, rest = divmod(int(seconds), 3600)
    minutes, whole = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"
