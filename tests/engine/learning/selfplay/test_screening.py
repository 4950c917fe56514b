"""The arithmetic of the lottery, on games whose outcome is made up."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.learning.selfplay.screening import (
    EffectEstimate,
    Signs,
    draw,
    share_kept,
    worths,
)

TRUE = (40.0, -40.0, 15.0, *[0.0] * 17)  # Elo of each change


def simulated(pairs: int, true: tuple[float, ...], seed: int) -> tuple[list[Signs], list[Games]]:
    """Lots and games where each change is worth so much; two games in five are drawn."""
    source = random.Random(seed)
    signs = [draw(seed, pair, len(true)) for pair in range(pairs)]

    def game(elo: float) -> int:
        expected = 1.0 / (1.0 + 10.0 ** (-elo / 400.0))
        return source.choices((1, 0, -1), (expected - 0.2, 0.4, 0.8 - expected))[0]

    def pair(lot: Signs) -> Games:
        elo = sum(worth * sign for worth, sign in zip(true, lot, strict=True))
        return game(elo), game(elo)

    return signs, [pair(lot) for lot in signs]


def test_known_effects_are_found_within_the_error() -> None:
    hits, measured = 0, 0
    for seed in range(10):
        found = worths(*simulated(1200, TRUE, seed))
        assert found is not None
        for worth, true in zip(found, TRUE, strict=True):
            assert worth.error is not None and 8.0 < worth.error < 18.0
            assert abs(worth.elo - true) < 2.5 * worth.error
            hits += abs(worth.elo - true) < worth.error
            measured += 1
        assert found[0].is_promising and not found[1].is_promising
    assert 0.9 < hits / measured < 0.99  # of 95 % intervals


def test_errors_shrink_with_the_root_of_the_games() -> None:
    errors = []
    for pairs in (500, 2000, 8000):
        found = worths(*simulated(pairs, TRUE, seed=1))
        assert found is not None
        errors.append(sum(worth.error or math.inf for worth in found) / len(found))
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.1)


def test_one_change_is_measured_as_a_match_measures_it() -> None:
    """A single column: the mean of the results, seen from the side that has the change."""
    signs: list[Signs] = [(1,), (-1,), (1,), (-1,)]
    results: list[Games] = [(1, 0), (0, 0), (0, 0), (0, -1)]
    found = worths(signs, results)
    assert found is not None and found[0].error is not None
    assert found[0].elo == pytest.approx(0.125 * 1600.0 / math.log(10.0))  # 2 points in 4 pairs
    deviation = math.sqrt(4 * 0.125**2 / 3)
    assert found[0].error == pytest.approx(1.96 * deviation / 2.0 * 1600.0 / math.log(10.0))


def test_too_few_pairs_say_nothing() -> None:
    assert worths([], []) is None
    assert worths([(1, 1), (1, -1)], [(1, 0), (0, 1)]) is None
    assert worths([(1, 1)] * 9, [(1, 0)] * 9) is None  # the same lot again and again
    with pytest.raises(ValueError, match="2 lots for 1 pairs"):
        worths([(1, 1), (1, -1)], [(1, 0)])


def test_an_error_that_is_not_known_is_not_0() -> None:
    signs = [draw(1, pair, 2) for pair in range(20)]
    found = worths(signs, [(lot[0], lot[0]) for lot in signs])
    assert found is not None and all(worth.error is None for worth in found)
    assert not any(worth.is_promising for worth in found)
    assert found[0].elo == pytest.approx(0.5 * 1600.0 / math.log(10.0))


@pytest.mark.parametrize(("elo", "promising"), [(5.1, True), (4.9, False), (-9.0, False)])
def test_what_is_promising(elo: float, promising: bool) -> None:
    assert EffectEstimate(elo, 10.0).is_promising == promising


def test_what_is_not_luck_is_kept() -> None:
    rng = random.Random(5)
    for worth, low, high in ((0.0, 0.0, 0.2), (5.0, 0.4, 0.6), (50.0, 0.98, 1.0)):
        found = [
            EffectEstimate(rng.gauss(0, worth) + rng.gauss(0, 5), 1.96 * 5) for _ in range(1000)
        ]
        assert low <= share_kept(found) <= high
    assert share_kept([]) == share_kept([EffectEstimate(0.0, None)]) == 0.0


def test_the_lot_is_even_and_of_each_pair_and_seed() -> None:
    lots = [draw(1, pair, 30) for pair in range(1000)]
    assert all(abs(sum(column)) < 130 for column in zip(*lots, strict=True))  # 4 deviations
    assert len(set(lots)) == 1000 and {sign for lot in lots for sign in lot} == {-1, 1}
    assert lots == [draw(1, pair, 30) for pair in range(1000)]
    assert draw(2, 0, 30) not in lots


RESULTS = st.lists(
    st.tuples(st.sampled_from((-1, 0, 1)), st.sampled_from((-1, 0, 1))), min_size=12, max_size=40
)


@given(RESULTS, st.integers(0, 1 << 32), st.permutations(range(5)))
def test_order_and_side_do_not_matter(results: list[Games], seed: int, order: list[int]) -> None:
    signs = [draw(seed, pair, 5) for pair in range(len(results))]
    found = worths(signs, results)
    other = worths(
        [tuple(-lot[change] for change in order) for lot in signs],
        [(-first, -second) for first, second in results],
    )
    assert (found is None) == (other is None)
    if found is not None and other is not None:
        for change, worth in zip(order, other, strict=True):
            assert worth.elo == pytest.approx(found[change].elo, abs=1e-6)
            assert worth.error == (
                None if found[change].error is None else pytest.approx(found[change].error)
            )
