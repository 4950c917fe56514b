"""Winning chances, accuracy and judgements: the published formulas, and what they must imply."""

from __future__ import annotations

import pytest
from chess.engine import Cp, Mate, MateGiven, Score
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.analysis.win_percent import (
    Judgement,
    accuracy,
    game_accuracy,
    judgement_of,
    judgement_of_loss,
    lenient_judgement_of,
    win_chance,
)
from boomslang.engine.errors import CommandError
from boomslang.engine.search_settings import AnalysisSettings

CHANCES = st.floats(0, 100)


@pytest.mark.parametrize(
    ("score", "chance"),
    [
        (Cp(0), 50.0),
        (Cp(100), 59.1),
        (Cp(-100), 40.9),
        (Cp(300), 75.1),
        (Cp(1000), 97.5),
        (Mate(1), 97.5),
        (MateGiven, 97.5),
        (Mate(0), 2.5),
    ],
)
def test_win_chance(score: Score, chance: float) -> None:
    assert win_chance(score) == pytest.approx(chance, abs=0.05)


@given(st.integers(-20_000, 20_000))
def test_chances_of_both_sides_make_a_whole(centipawns: int) -> None:
    assert win_chance(Cp(centipawns)) + win_chance(Cp(-centipawns)) == pytest.approx(100)


@pytest.mark.parametrize(
    ("loss", "expected"), [(0, 100.0), (5, 80.8), (10, 64.6), (20, 41.0), (50, 9.5), (90, 0.0)]
)
def test_accuracy_of_a_move(loss: float, expected: float) -> None:
    assert accuracy(95, 95 - loss) == pytest.approx(expected, abs=0.1)


@given(CHANCES, CHANCES, CHANCES)
def test_a_larger_loss_is_never_more_accurate(before: float, one: float, other: float) -> None:
    worse, better = sorted((one, other))
    assert 0 <= accuracy(before, worse) <= accuracy(before, better) <= 100


@given(st.lists(CHANCES, min_size=2, max_size=60), st.booleans())
def test_accuracy_of_a_game(chances: list[float], white_begins: bool) -> None:
    white, black = game_accuracy([(chances, white_begins)])
    mirrored = game_accuracy([([100 - chance for chance in chances], not white_begins)])
    assert mirrored == pytest.approx((black, white))
    for value in (white, black):
        assert value is None or 0 <= value <= 100 + 1e-9
    first, second = (white, black) if white_begins else (black, white)
    assert first is not None
    assert (second is None) == (len(chances) == 2)


def test_only_the_erring_side_loses_accuracy() -> None:
    chances = [50.0] * 20 + [30.0] * 20  # the twentieth move is White's
    white, black = game_accuracy([(chances, False)])
    assert black == pytest.approx(100)
    assert white is not None and white < 95


def test_lively_moves_weigh_more() -> None:
    """The same two errors, once apart and once in the middle of a swing."""
    quiet = [50.0] * 30 + [45.0] * 30
    lively = [50.0] * 28 + [80.0, 20.0] + [15.0] * 30
    calm = game_accuracy([(quiet, False)])
    swing = game_accuracy([(lively, False)])
    assert calm[0] is not None and swing[0] is not None
    assert swing[0] < calm[0]


def test_a_long_game_is_weighed_in_windows_of_eight() -> None:
    chances = [45.0 + 37 * number % 11 * (1 + number // 20) for number in range(100)]
    # Worked out by the published formula.
    assert game_accuracy([(chances, True)]) == pytest.approx((66.9257, 68.5988), abs=1e-3)


B, M, I = Judgement.BLUNDER, Judgement.MISTAKE, Judgement.INACCURACY  # noqa: E741


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (Cp(0), Cp(-50), None),
        (Cp(0), Cp(-60), I),
        (Cp(0), Cp(-105), I),
        (Cp(0), Cp(-120), M),
        (Cp(0), Cp(-160), M),
        (Cp(0), Cp(-170), B),
        (Cp(50), Cp(300), None),
        (Cp(2000), Cp(900), None),  # still winning
        (Cp(0), Mate(-3), B),
        (Cp(-701), Mate(-3), M),
        (Cp(-1000), Mate(-3), I),
        (Mate(2), Cp(0), B),
        (Mate(2), Cp(701), M),
        (Mate(2), Cp(1000), I),
        (Mate(2), Mate(-2), B),
        (Mate(2), Mate(9), None),  # slower, and as good
        (Mate(1), MateGiven, None),
        (Cp(10), MateGiven, None),
        (Mate(-2), Mate(-1), None),
        (Mate(-2), Cp(-300), None),
    ],
    ids=str,
)
def test_judgements(before: Score, after: Score, judgement: Judgement | None) -> None:
    assert judgement_of(before, after) == judgement


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (Mate(7), Cp(530), None),  # king and rook against a king
        (Mate(7), Cp(300), B),
        (Mate(2), Cp(530), I),
        (Mate(1), Cp(530), B),
        (Mate(1), Cp(1000), None),  # it costs no chances, and the accuracy is 100 %
        (Cp(-530), Mate(-7), None),
        (Cp(-530), Mate(-2), I),
        (Cp(-300), Mate(-7), B),
        (Cp(-1200), Mate(-1), None),
        (Mate(9), Mate(-9), B),
        (Cp(0), Cp(-120), M),
    ],
    ids=str,
)
def test_a_mate_where_the_game_is_won_without_it(
    before: Score, after: Score, judgement: Judgement | None
) -> None:
    assert lenient_judgement_of(before, after) == judgement


@given(
    st.sampled_from([*map(Cp, range(-1500, 1501, 50)), Mate(1), Mate(9), Mate(-1), Mate(-9)]),
    st.data(),
)
def test_a_judged_move_has_cost_chances(before: Score, data: st.DataObject) -> None:
    after = data.draw(
        st.sampled_from([*map(Cp, range(-1500, 1501, 50)), Mate(9), Mate(-2), Mate(-9)])
    )
    if lenient_judgement_of(before, after):
        assert accuracy(win_chance(before), win_chance(after)) < 99


@pytest.mark.parametrize(
    ("thresholds", "judgements"),
    [
        ("lichess", [None, I, M, B, B]),
        ("chess.com", [None, I, M, M, B]),
        ("2, 4,40", [I, M, M, M, M]),
        ((30, 40.0, 50), [None] * 5),
    ],
)
def test_thresholds_by_name_and_by_numbers(
    thresholds: str | tuple[float, ...], judgements: list[Judgement | None]
) -> None:
    settings = AnalysisSettings(nodes=1, thresholds=thresholds)  # type: ignore[arg-type]
    found = [judgement_of_loss(loss, settings.thresholds) for loss in (3, 6, 12, 17, 22)]
    assert found == judgements


@pytest.mark.parametrize(
    "wrong", ["5,10", "10,5,15", "5,5,9", "lichess.org", (5, 10, 101), 5, None]
)
def test_thresholds_that_are_none(wrong: object) -> None:
    with pytest.raises((TypeError, CommandError), match="thresholds is lichess, "):
        AnalysisSettings(nodes=1, thresholds=wrong)  # type: ignore[arg-type]
