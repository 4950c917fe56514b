"""Ratings by maximum likelihood: against the likelihood itself, and the statistics of two engines."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest

from boomslang.engine.learning.selfplay.pentanomial import Pentanomial
from boomslang.engine.match.ratings import PairResult, rate

STRENGTHS = (0.0, 250.0, -120.0, 60.0, -400.0)


def expected(one: float, other: float) -> float:
    return float(1.0 / (1.0 + 10.0 ** ((other - one) / 400.0)))


def game(source: random.Random, chance: float) -> float:
    drawn = min(chance, 1.0 - chance) * 0.8
    luck = source.random()
    return 0.5 if luck < drawn else float(luck < chance + drawn / 2)


def played(seed: int, rounds: int = 60) -> Iterator[PairResult]:
    source = random.Random(seed)
    for first in range(len(STRENGTHS)):
        for second in range(first + 1, len(STRENGTHS)):
            chance = expected(STRENGTHS[first], STRENGTHS[second])
            for _ in range(rounds):
                points = sum(game(source, chance) for _ in range(2))
                yield PairResult(first, second, points)


def strengths(pairs: list[PairResult], count: int) -> list[float]:
    """Ratings of the model of Bradley and Terry by minorisation and maximisation (Hunter 2004)."""
    gammas = [1.0] * count
    for _ in range(5000):
        points, chances = [0.0] * count, [0.0] * count
        for first, second, scored in pairs:
            points[first] += scored
            points[second] += 2.0 - scored
            for number in (first, second):
                chances[number] += 2.0 / (gammas[first] + gammas[second])
        new = [won / chance for won, chance in zip(points, chances, strict=True)]
        mean = math.exp(math.fsum(map(math.log, new)) / count)
        new = [gamma / mean for gamma in new]
        if max(abs(a / b - 1.0) for a, b in zip(new, gammas, strict=True)) < 1e-9:
            break
        gammas = new
    return [400.0 * math.log10(gamma) for gamma in gammas]


def test_ratings_are_those_of_another_method() -> None:
    pairs = list(played(1))
    found = rate(5, pairs, {})
    assert not found.with_prior
    assert found.elo == pytest.approx(strengths(pairs, 5), abs=0.01)


# Points of the first in 32 games, from a round robin of Stockfish 9 and three networks of LCZero, and the
# ratings that Ordo gave them ("LC Brain Surgeon", 2018). It told three of the six pairings; the others fit
# the points that it told of each engine.
ROUND_ROBIN = {(0, 1): 20.5, (0, 2): 22.5, (0, 3): 22.5, (1, 2): 19.0, (1, 3): 21.5, (2, 3): 16.5}
BY_ORDO = (79.3, 0.0, -74.2, -94.7)
ORDO_SCALE = 202.0 / (400.0 * math.log10(0.76 / 0.24))  # Elo for 76 % of the points, there and here


def test_ratings_are_those_of_ordo() -> None:
    pairs = [PairResult(*who, points / 16) for who, points in ROUND_ROBIN.items()] * 16
    found = rate(4, pairs, {1: 0.0}).elo
    assert found == pytest.approx(BY_ORDO, abs=1.0)
    assert found * ORDO_SCALE == pytest.approx(BY_ORDO, abs=0.06)  # and its rounding


def test_two_engines_are_rated_as_by_their_pairs() -> None:
    pairs = [pair for pair in played(2) if (pair.first, pair.second) == (0, 1)]
    counted = Pentanomial()
    for pair in pairs:
        points = round(2 * pair.points) - 2
        counted.add((max(-1, min(1, points)), points - max(-1, min(1, points))))
    elo, error = counted.elo()
    found = rate(2, pairs, {1: 1000.0})
    assert found.elo[0] - 1000.0 == pytest.approx(elo, abs=1e-6)
    assert found.errors() == pytest.approx([error or 0.0, 0.0], rel=1e-6)
    assert found.superiority(0, 1) < 1e-3 < 1 - 1e-3 < found.superiority(1, 0)


def test_errors_cover_the_truth() -> None:
    truth = np.array(STRENGTHS) - np.mean(STRENGTHS)
    runs = 40
    ratings = [rate(5, list(played(seed)), {}) for seed in range(runs)]
    inside = sum(int((np.abs(each.elo - truth) < each.errors()).sum()) for each in ratings)
    assert 0.90 < inside / (5 * runs) < 0.99


def test_anchors_shift_and_fix() -> None:
    pairs = list(played(3))
    free, one = rate(5, pairs, {}), rate(5, pairs, {2: 2000.0})
    assert one.elo - free.elo == pytest.approx(2000.0 - free.elo[2])
    assert one.errors()[2] == 0.0 and (np.delete(one.errors(), 2) > 0.0).all()
    two = rate(5, pairs, {2: 2000.0, 4: 1000.0})
    assert list(two.elo[[2, 4]]) == [2000.0, 1000.0] and 1000.0 < two.elo[0] < two.elo[1]


def test_whoever_wins_everything_is_rated_all_the_same() -> None:
    pairs = [PairResult(0, 1, 2.0)] * 3 + [PairResult(1, 2, 1.0)] * 3
    found = rate(3, pairs, {})
    assert found.with_prior and np.isfinite(found.elo).all()
    assert found.elo[0] > found.elo[1] == pytest.approx(found.elo[2])
    # The drawn pair counts like one that was played, in the error too.
    drawn = [PairResult(0, 1, 1.0), PairResult(1, 2, 1.0)]
    assert found.errors() == pytest.approx(rate(3, [*pairs, *drawn], {}).errors(), rel=1e-6)
    assert np.isfinite(rate(3, [], {}).elo).all()
    assert np.isfinite(rate(3, [PairResult(0, 2, 2.0)], {1: 5.0}).elo).all()


@pytest.mark.parametrize("pairs", [[], [(0, 1, 1.5)], [(0, 1, 2.0)], [(0, 1, 1.0)] * 9])
def test_what_too_few_or_equal_pairs_do_not_tell_is_unknown(
    pairs: list[tuple[int, int, float]],
) -> None:
    found = rate(2, [PairResult(*pair) for pair in pairs], {})
    assert np.isnan([*found.errors(), found.superiority(0, 1)]).all()


def test_errors_are_alike_however_far_apart_the_engines_are() -> None:
    one, other = rate(2, [PairResult(0, 1, 2.0)] * 100, {}).errors()
    assert one == pytest.approx(other) and one > 5.0
    few = rate(3, [PairResult(0, 1, 1.5), PairResult(0, 2, 1.5), PairResult(1, 2, 1.5)], {})
    assert few.superiority(0, 1) < 0.98
