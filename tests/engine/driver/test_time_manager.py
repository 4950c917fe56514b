"""Time management in numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.driver.clock import LagEstimator, allot
from boomslang.engine.limits import Limits

CLOCK = st.integers(min_value=0, max_value=10_000_000)


@given(
    CLOCK, st.integers(0, 60_000), st.one_of(st.none(), st.integers(1, 60)), st.integers(0, 5000)
)
def test_a_move_never_costs_the_whole_clock(
    left: int, increment: int, moves: int | None, overhead: int
) -> None:
    limits = Limits(white_time=left, white_increment=increment, moves_to_go=moves)
    budget = allot(limits, white=True, overhead=overhead)
    assert budget.soft is not None and budget.hard is not None
    assert 0 <= budget.soft <= budget.hard <= max(0.8 * left, 0)


def test_the_later_in_a_game_the_larger_the_part_of_the_clock() -> None:
    limits = Limits(white_time=10_000)
    budgets = [allot(limits, white=True, overhead=50, ply=ply).soft or 0.0 for ply in (0, 40, 400)]
    assert budgets[0] < budgets[1] < budgets[2] < 0.1 * 10_000
    periods = [
        allot(Limits(white_time=10_000, moves_to_go=20), white=True, overhead=50, ply=ply)
        for ply in (0, 400)
    ]
    assert periods[0] == periods[1]  # the clock itself says how many moves are left


def test_a_move_that_costs_more_than_it_brings_is_saved_for() -> None:
    limits = Limits(white_time=900, white_increment=10)
    free = allot(limits, white=True, overhead=100)
    cheap = allot(limits, white=True, overhead=100, lag=5)
    dear = allot(limits, white=True, overhead=100, lag=20)
    assert free.soft and cheap.soft and dear.soft
    assert dear.soft < cheap.soft / 2 < cheap.soft < free.soft
    without_moves = allot(Limits(white_time=900), white=True, overhead=100, lag=20)
    assert without_moves.hard is not None and without_moves.hard <= 0.4 * 45


def test_a_small_toll_means_little_where_there_is_time() -> None:
    for limits in (
        Limits(white_time=10_000, white_increment=100),
        Limits(white_time=60_000),
        Limits(white_time=60_000, moves_to_go=20),
    ):
        free = allot(limits, white=True, overhead=100)
        with_it = allot(limits, white=True, overhead=100, lag=3)
        assert free.soft and with_it.soft and 0.98 < with_it.soft / free.soft <= 1


def test_a_game_on_a_slow_way_is_survived() -> None:
    """150 moves that cost 12 ms each besides thought and bring 10; the first ones are not warned."""
    left, toll, played, thought = 1000.0, LagEstimator(), 0, 0.0
    for ply in range(0, 300, 2):
        limits = Limits(white_time=round(left), white_increment=10)
        toll.read(limits, True, ply)
        budget = allot(limits, True, max(100, toll.worst), toll.usual)
        assert budget.soft is not None
        toll.record(limits, True, ply, budget.soft)
        left -= budget.soft + 12
        assert left > 0, f"no time after {played} moves"
        left += 10
        played, thought = played + 1, thought + budget.soft
    assert thought > 100  # what there was has been used


def learnt(*moves: Limits, plies: int = 2, thought: float = 20.0) -> float:
    """The usual toll after these moves of White."""
    toll = LagEstimator()
    for number, limits in enumerate(moves):
        toll.read(limits, True, number * plies)
        toll.record(limits, True, number * plies, thought)
    return toll.usual


def test_the_toll_is_what_the_clock_lost_besides_thought() -> None:
    games = [Limits(white_time=1000 - 25 * n, white_increment=10) for n in range(30)]
    assert 14 < learnt(*games) <= 15  # 25 + 10 - 20
    assert learnt(*games, plies=4) == 0  # other moves
    by_moves = [
        Limits(white_time=2000 - 30 * (n % 10) + 5 * n, moves_to_go=10 - n % 10) for n in range(30)
    ]
    assert 0 < learnt(*by_moves) < 10  # the new period is no gain


@pytest.mark.parametrize(
    "second",
    [
        Limits(),
        Limits(movetime=100),
        Limits(white_time=2000, white_increment=10),
        Limits(white_time=900, white_increment=20),
        Limits(white_time=900, white_increment=10, moves_to_go=3),
        Limits(black_time=900, black_increment=10),
    ],
)
def test_another_clock_teaches_nothing(second: Limits) -> None:
    assert learnt(Limits(white_time=1000, white_increment=10), second) == 0


def test_the_toll_of_one_move_is_bounded_and_fades() -> None:
    toll = LagEstimator()
    toll.record(Limits(white_time=100_000), True, 0, 0)
    toll.read(Limits(white_time=10_000), True, 2)
    assert toll.worst == 1000 and toll.usual == 1000
    for number in range(100):
        toll.record(Limits(white_time=10_000), True, number, 0)
        toll.read(Limits(white_time=10_000), True, number + 2)
    assert toll.worst < 60 and toll.usual < 1
    toll.record(Limits(white_time=10_000), True, 2, 0)
    toll.forget_move()
    toll.read(Limits(white_time=9_000), True, 4)
    assert toll.usual < 1


def test_movetime_is_taken_as_it_is() -> None:
    budget = allot(Limits(movetime=100), white=True, overhead=100)
    assert (budget.soft, budget.hard) == (None, 100)


@given(st.integers(1, 100_000), st.integers(1, 100_000), st.integers(0, 1000))
def test_the_first_of_movetime_and_clock_counts(movetime: int, clock: int, increment: int) -> None:
    timed = Limits(white_time=clock, white_increment=increment)
    alone = allot(timed, white=True, overhead=10)
    both = allot(replace(timed, movetime=movetime), white=True, overhead=10)
    assert alone.hard is not None
    assert both.hard == min(movetime, alone.hard) and both.soft == alone.soft
    others = allot(Limits(movetime=movetime, black_time=clock), white=True, overhead=10)
    assert (others.soft, others.hard) == (None, movetime)


@pytest.mark.parametrize("limits", [Limits(), Limits(depth=5), Limits(infinite=True, white_time=9)])
def test_no_clock_no_limit(limits: Limits) -> None:
    budget = allot(limits, white=True, overhead=100)
    assert budget.soft is None and budget.hard is None


def test_the_clock_of_the_other_side_alone_is_better_than_none() -> None:
    assert allot(Limits(black_time=100), white=True, overhead=10).hard is not None
