"""Time management in numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.limits import Limits
from engine.search.clock import allot

CLOCK = st.integers(min_value=-1000, max_value=10_000_000)


@given(
    CLOCK, st.integers(0, 60_000), st.one_of(st.none(), st.integers(0, 60)), st.integers(0, 5000)
)
def test_a_move_never_costs_the_whole_clock(
    left: int, increment: int, moves: int | None, overhead: int
) -> None:
    limits = Limits(white_time=left, white_increment=increment, moves_to_go=moves)
    budget = allot(limits, white=True, overhead=overhead)
    assert budget.soft is not None and budget.hard is not None
    assert 0 <= budget.soft <= budget.hard <= max(0.8 * left, 0)


def test_more_time_means_longer_thought() -> None:
    short = allot(Limits(black_time=10_000), white=False, overhead=50)
    long = allot(Limits(black_time=100_000), white=False, overhead=50)
    assert short.hard is not None and long.hard is not None and short.hard < long.hard


def test_an_increment_is_spent() -> None:
    without = allot(Limits(white_time=10_000), white=True, overhead=50)
    with_it = allot(Limits(white_time=10_000, white_increment=1000), white=True, overhead=50)
    assert without.soft is not None and with_it.soft is not None and without.soft < with_it.soft


def test_movetime_is_taken_as_it_is() -> None:
    budget = allot(Limits(movetime=100), white=True, overhead=100)
    assert (budget.soft, budget.hard) == (None, 100)


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=5), Limits(infinite=True, white_time=9)])
def test_no_clock_no_limit(limits: Limits) -> None:
    budget = allot(limits, white=True, overhead=100)
    assert budget.soft is None and budget.hard is None


def test_the_clock_of_the_other_side_alone_is_better_than_none() -> None:
    assert allot(Limits(black_time=100), white=True, overhead=10).hard is not None
