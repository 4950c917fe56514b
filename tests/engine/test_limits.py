"""What a move may cost, and how much of that may be waited: properties of every clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import chess.engine
import pytest
from chess.engine import Cp, Mate
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.limits import Limits, Score

CLOCKS = st.integers(1, 10**10)  # milliseconds
INCREMENTS = st.none() | st.integers(0, 10**7)
OVERHEADS = st.floats(0.0, 5.0)

clocks = st.builds(
    Limits,
    white_time=CLOCKS,
    black_time=CLOCKS,
    white_increment=INCREMENTS,
    black_increment=INCREMENTS,
    moves_to_go=st.none() | st.integers(1, 1000),
)


def left(limits: Limits, white: bool) -> float:
    """Seconds on the clock."""
    milliseconds = limits.white_time if white else limits.black_time
    assert milliseconds is not None
    return milliseconds / 1000


@given(clocks, st.booleans(), OVERHEADS)
def test_a_move_costs_something_and_never_the_whole_clock(
    limits: Limits, white: bool, overhead: float
) -> None:
    share = limits.share(white, overhead)
    assert share is not None and 0 < share <= left(limits, white) / 2


@given(clocks, st.booleans())
def test_no_more_than_a_quarter_of_the_move_is_waited_nor_a_second(
    limits: Limits, white: bool
) -> None:
    share, patience = limits.share(white), limits.longest_wait(white)
    assert share is not None and patience is not None
    assert 0 < patience <= min(1.0, share / 4)


@given(st.integers(1, 10**7), st.integers(1, 40), st.integers(0, 10**5))
def test_increment_and_moves_to_go_count(clock: int, moves: int, increment: int) -> None:
    def share(**more: Any) -> float:
        found = Limits(white_time=clock, black_time=1, **more).share(True)
        assert found is not None
        return found

    assert share(white_increment=increment) >= share()
    assert share(moves_to_go=moves) >= share(moves_to_go=moves + 1) >= share()


@given(st.integers(1, 10**10), st.booleans())
def test_a_time_for_the_move_is_all_its_own(movetime: int, white: bool) -> None:
    limits = Limits(movetime=movetime)
    assert limits.share(white, overhead=3.0) == movetime / 1000
    assert limits.longest_wait(white) == min(1.0, movetime / 4000)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.booleans())
def test_the_first_of_movetime_and_clock_counts(movetime: int, clock: int, white: bool) -> None:
    timed = Limits(white_time=clock, black_time=clock)
    share = timed.share(white)
    assert share is not None
    assert replace(timed, movetime=movetime).share(white) == min(movetime / 1000, share)


def test_without_a_clock_there_is_no_share() -> None:
    for limits in (
        Limits(),
        Limits(depth=3),
        Limits(nodes=5, black_time=1000),
        Limits(infinite=True, white_time=1000, black_time=1000),
    ):
        assert limits.share(True) is None and limits.longest_wait(True) is None


@pytest.mark.parametrize(
    ("score", "other", "known"),
    [
        (Score(32), Score(-32), Cp(32)),
        (Score(mate=3), Score(mate=-3), Mate(3)),
        (Score(mate=-1), Score(mate=1), Mate(-1)),
        (Score(mate=0), Score(mate=0), Mate(0)),
    ],
)
def test_a_score_from_the_other_side_and_as_python_chess_has_it(
    score: Score, other: Score, known: chess.engine.Score
) -> None:
    assert -score == other and score.to_chess() == known
