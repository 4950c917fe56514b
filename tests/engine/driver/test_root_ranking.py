"""Moves at the root by the tablebases: ranks, the fifty-move rule, scores on the right side of the draw."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.driver.root_ranking import (
    BLESSED,
    CURSED,
    DRAW,
    LOSS,
    WIN,
    Grade,
    RankedMoves,
    grade,
    grade_result,
)
from boomslang.engine.limits import Info, Result, Score


def graded(distance: int, clock: int = 0, rounded: bool = False, fifty: bool = True) -> Grade:
    return grade(distance, clock, rounded, False, fifty)


@pytest.mark.parametrize(
    ("distance", "clock", "rounded", "fifty", "result"),
    [
        (30, 60, True, True, WIN),
        (30, 69, True, True, WIN),
        (30, 70, False, True, WIN),  # the hundredth ply is the capture
        (30, 70, True, True, CURSED),  # or the hundred and first
        (30, 71, False, True, CURSED),
        (30, 71, False, False, WIN),
        (1, 99, False, True, WIN),  # a pawn moves
        (-30, 70, True, True, LOSS),
        (-30, 71, True, True, BLESSED),
        (-30, 71, True, False, LOSS),
        (104, 0, True, True, CURSED),
        (104, 0, True, False, WIN),
        (-104, 0, True, True, BLESSED),
        (0, 99, False, True, DRAW),
    ],
)
def test_the_fifty_move_rule(
    distance: int, clock: int, rounded: bool, fifty: bool, result: int
) -> None:
    found = graded(distance, clock, rounded, fifty)
    assert (found.result, found.plies) == (result, abs(distance))


def test_ranks() -> None:
    order = [graded(5), graded(40, 80), graded(50, 80), graded(0), graded(-120), graded(-110)]
    order += [graded(-60, 30), graded(-50, 30), graded(-5)]
    ranks = [found.rank for found in order]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)
    assert graded(5).rank == graded(90).rank  # sure wins are for the search
    assert graded(-5).rank == graded(-9).rank
    repeated = [grade(plies, 10, False, True, True).rank for plies in (5, 7, 9)]
    assert repeated == sorted(set(repeated), reverse=True)  # but not when a position came again
    assert all(grade(plies, 10, False, True, True).result == WIN for plies in (5, 7, 9))


def test_ranks_without_distances() -> None:
    ranks = [grade_result(result, True).rank for result in (WIN, CURSED, DRAW, BLESSED, LOSS)]
    assert ranks == sorted(set(ranks), reverse=True)
    assert grade_result(CURSED, False) == grade_result(WIN, False) == grade_result(WIN, True)
    assert grade_result(BLESSED, False).result == LOSS


def ranked(lines: int = 1, **grades: tuple[int, int]) -> RankedMoves:
    """Moves with (result, plies)."""
    ranks = {WIN: 900, CURSED: 500, DRAW: 0, BLESSED: -500, LOSS: -900}
    found = {
        chess.Move.from_uci(name): Grade(
            result, plies, ranks[result] - (plies if abs(result) == 1 else 0)
        )
        for name, (result, plies) in grades.items()
    }
    return RankedMoves(found, lines, 7)


def line(name: str, score: Score, multipv: int = 1) -> Info:
    return Info(9, 9, multipv, score, "", 1, 1, 0, 5, 1, (chess.Move.from_uci(name),))


def names(found: RankedMoves) -> list[str]:
    return [move.uci() for move in found.moves]


def test_only_moves_of_the_best_rank_are_searched() -> None:
    assert names(ranked(b1b2=(2, 9), b1b3=(0, 0), b1b4=(2, 5), b1c1=(1, 110))) == ["b1b4", "b1b2"]
    assert names(ranked(b1b2=(0, 0), b1b3=(-2, 9))) == ["b1b2"]
    assert names(ranked(b1b2=(-2, 9), b1b3=(-2, 20))) == ["b1b3", "b1b2"]
    found = ranked(3, b1b2=(2, 9), b1b3=(0, 0), b1b4=(-2, 8), b1b5=(-1, 120))
    assert names(found) == ["b1b2", "b1b3", "b1b5"]


@pytest.mark.parametrize(
    ("result", "searched", "told"),
    [
        (2, Score(-50), Score(19_993)),
        (2, Score(mate=3), Score(mate=3)),
        (2, Score(mate=-3), Score(19_993)),
        (1, Score(700), Score(1)),
        (0, Score(700), Score(0)),
        (0, Score(mate=9), Score(0)),
        (-1, Score(-700), Score(-1)),
        (-2, Score(90), Score(-19_993)),
        (-2, Score(mate=-2), Score(mate=-2)),
    ],
)
def test_the_score_is_on_the_right_side_of_the_draw(
    result: int, searched: Score, told: Score
) -> None:
    heard = ranked(b1b2=(result, 7)).order_lines([line("b1b2", searched)])
    assert [(info.score, info.tbhits) for info in heard] == [(told, 12)]


def test_lines_are_sorted_by_what_is_known() -> None:
    found = ranked(2, b1b2=(2, 7), b1b3=(0, 0))
    heard = found.order_lines([line("b1b3", Score(90)), line("b1b2", Score(60), 2)])
    assert [(info.pv[0].uci(), info.multipv) for info in heard] == [("b1b2", 1), ("b1b3", 2)]


@pytest.mark.parametrize(
    ("score", "played"), [(Score(300), "b1b4"), (Score(mate=12), "b1b2")], ids=str
)
def test_a_win_without_a_mate_in_sight_makes_progress(score: Score, played: str) -> None:
    found = ranked(b1b2=(2, 9), b1b4=(2, 5))
    result = found.settle(Result.of([line("b1b2", score)]))
    assert result.best and result.best.uci() == played
    assert result.info and result.info.pv == (result.best,)
