"""What pairs of games say."""

from __future__ import annotations

import math

import pytest

from boomslang.engine.learning.selfplay.pentanomial import Games, Pentanomial


def test_tally() -> None:
    tally = Pentanomial()
    for games in [(1, 1), (1, 0), (0, 0), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1)]:
        tally.add(games)
    assert tally.games == [8, 6, 2] and tally.pairs == [0, 1, 2, 3, 2]
    points = (8 + 3) / 16
    elo, error = tally.elo()
    assert elo == pytest.approx(-400 * math.log10(1 / points - 1))
    assert error is not None and 0 < error < 200
    assert tally.log_likelihood_ratio(0, 10) > 0 > tally.log_likelihood_ratio(500, 600)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], 0.0),
        ([(1, 1)], math.inf),
        ([(1, 1)] * 5, math.inf),
        ([(-1, -1)] * 5, -math.inf),
        ([(1, 0)], 190.85),
        ([(1, 0), (0, 1)], 190.85),
        ([(1, -1), (0, 0)], 0.0),
    ],
)
def test_the_error_of_pairs_that_are_all_alike_is_not_known(
    pairs: list[Games], expected: float
) -> None:
    tally = Pentanomial()
    for games in pairs:
        tally.add(games)
    elo, error = tally.elo()
    assert elo == pytest.approx(expected, abs=0.01) and error is None
    # Nor do a few of them prove anything; many do.
    assert abs(tally.log_likelihood_ratio(0, 50)) < 2.5
    for games in pairs * 200:
        tally.add(games)
    assert expected == 0.0 or abs(tally.log_likelihood_ratio(0, 50)) > 5.0
