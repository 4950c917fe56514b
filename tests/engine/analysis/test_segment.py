"""Segments of a game: where the evaluations before and after a move disagree, both are searched again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import chess
import pytest

from boomslang.engine.analysis import segment as segments
from boomslang.engine.analysis.plan import MAX_POSITIONS, AnalysisPlan
from boomslang.engine.analysis.segment import Evaluations, Segment
from boomslang.engine.analysis.win_percent import Judgement, contradicts, is_barely_blamed
from boomslang.engine.analyst import AnalysedPosition, Evaluation
from boomslang.engine.limits import Limits
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.analysed import game_of, info_of, moves_of

NODES = 1000
SETTINGS = AnalysisSettings(nodes=NODES)
MOVES = ("e2e4", "e7e5", "g1f3")
Answer = tuple[int, str]  # centipawns of the side to move, and the best move


def evaluation(answer: Answer, nodes: int = 0) -> Evaluation:
    score, best = answer
    return Evaluation((info_of(score, None, (0, 1000, 0), 1, (best,)),), nodes, best)


def searched(
    monkeypatch: pytest.MonkeyPatch, answers: Sequence[Callable[[int], Answer]], **about: Any
) -> tuple[Evaluations, list[tuple[int, int]]]:
    """The evaluations of the positions along MOVES, and the searches: positions with their nodes.

    `answers` has one function for each position, of the nodes searched there so far.
    """
    work: list[tuple[int, int]] = []
    spent = [0] * len(answers)

    def evaluate(
        analyst: object, board: chess.Board, limits: Limits, is_new_game: bool
    ) -> Evaluation:
        assert is_new_game == (not work)
        index, nodes = len(board.move_stack), limits.nodes or 0
        work.append((index, nodes))
        spent[index] += nodes
        return evaluation(answers[index](spent[index]), nodes)

    monkeypatch.setattr(segments, "evaluate", evaluate)
    monkeypatch.setattr(segments, "new_analyst", lambda settings: None)
    segment = Segment(AnalysedPosition(chess.STARTING_FEN, ()), MOVES[: len(answers) - 1], **about)
    return segments.segment_searcher(SETTINGS)(segment), work


def nodes_of(work: Sequence[tuple[int, int]], count: int) -> list[int]:
    return [sum(nodes for index, nodes in work if index == wanted) for wanted in range(count)]


def test_where_all_agree_the_end_is_searched_first_and_nothing_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, work = searched(
        monkeypatch, [lambda _: (30, "e2e4"), lambda _: (-30, "c7c5"), lambda _: (40, "g1f3")]
    )
    assert [index for index, _ in work] == sorted((index for index, _ in work), reverse=True)
    assert nodes_of(work, 3) == [NODES] * 3 == [entry.nodes for entry in found]


def test_a_best_move_that_loses_is_searched_until_the_scores_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sees_it_with(enough: int) -> Callable[[int], Answer]:
        return lambda nodes: (200, "e2e4") if nodes < enough else (0, "d2d4")

    found, work = searched(monkeypatch, [sees_it_with(4 * NODES), lambda _: (0, "e7e5")])
    assert nodes_of(work, 2) == [4 * NODES] * 2
    assert found[0].best.score.centipawns == 0 and moves_of(found[0].best) == ("d2d4",)
    assert found[0].is_choice("e2e4") and found[0].is_choice("d2d4")  # only more nodes saw it
    assert not found[0].is_choice("a2a3")


def test_a_disagreement_for_ever_takes_16_times_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    _, work = searched(monkeypatch, [lambda _: (200, "e2e4"), lambda _: (0, "e7e5")])
    assert nodes_of(work, 2) == [16 * NODES] * 2


def test_a_move_cannot_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    _, work = searched(
        monkeypatch,
        [lambda nodes: (0 if nodes <= NODES else 200, "d2d4"), lambda _: (-200, "e7e5")],
    )
    assert nodes_of(work, 2) == [2 * NODES] * 2


@pytest.mark.parametrize("late", [80, 10])  # still an inaccuracy, and none
def test_a_small_loss_is_searched_twice_before_it_is_said(
    late: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[Callable[[int], Answer]] = [
        lambda _: (0, "d2d4"),
        lambda nodes: (80 if nodes <= NODES else late, "e7e5"),
    ]
    found, work = searched(monkeypatch, answers)
    assert nodes_of(work, 2) == [NODES + NODES // 2] * 2 and found[1].best.score.centipawns == late
    _, work = searched(monkeypatch, answers, is_blamed=True)
    assert nodes_of(work, 2) == [NODES] * 2  # by other searches too
    _, work = searched(monkeypatch, [lambda _: (0, "d2d4"), lambda _: (400, "e7e5")])
    assert nodes_of(work, 2) == [NODES] * 2  # a blunder stays one


def test_a_changed_position_is_compared_with_the_next_one_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The inaccuracy e4 makes position 1 be searched again; now it disagrees with position 2."""
    found, work = searched(
        monkeypatch,
        [
            lambda _: (0, "d2d4"),
            lambda nodes: (60 if nodes <= NODES else 500, "e7e5"),
            lambda nodes: (-60 if nodes <= NODES else -500, "g1f3"),
        ],
    )
    assert [entry.best.score.centipawns for entry in found] == [0, 500, -500]
    assert nodes_of(work, 3)[2] > NODES


def test_a_decided_position_takes_fewer_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    _, work = searched(monkeypatch, [lambda _: (1500, "e2e4"), lambda _: (-1500, "e7e5")])
    assert nodes_of(work, 2) == [NODES // 2] * 2
    _, work = searched(
        monkeypatch,
        [lambda _: (790, "e2e4"), lambda nodes: (-1500 if nodes < NODES // 2 else -790, "e7e5")],
    )
    assert nodes_of(work, 2) == [NODES] * 2


@pytest.mark.parametrize(("enough", "nodes"), [(60.0, NODES // 2), (80.0, 3 * NODES)])
def test_a_search_ends_when_it_has_found_enough(
    enough: float, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 centipawns, seen by half of the nodes, are 68 %."""
    answers = [lambda spent: (0 if spent < NODES // 2 else 200, "d2d4")]
    _, work = searched(monkeypatch, answers, effort=3, enough=enough)
    assert nodes_of(work, 1) == [nodes]


def test_limits_of_depth_grow_by_a_ply_with_twice_the_effort() -> None:
    settings = AnalysisSettings(depth=8)
    units = segments._UNITS
    depths = [segments._limits(settings, units, total * units).depth for total in (1, 2, 4, 16)]
    assert depths == [8, 9, 10, 12]
    times = AnalysisSettings(movetime=400)
    assert [segments._limits(times, part, part).movetime for part in (1, 2, 8)] == [100, 200, 800]


@pytest.mark.parametrize(
    ("before", "after", "is_best", "contradictory", "blamed"),
    [
        (0, 0, True, False, False),
        (100, 0, True, True, False),  # the best move seems to lose 9 %
        (40, 0, True, False, False),  # 3.7 %
        (80, 0, False, False, True),  # an inaccuracy
        (0, 100, False, True, False),  # no move gains
        (200, 0, False, False, False),  # a blunder, beyond doubt
        (200, 0, True, True, False),
        (3000, 1200, False, False, False),  # decided
    ],
)
def test_agreement(
    before: int, after: int, is_best: bool, contradictory: bool, blamed: bool
) -> None:
    was, became = (evaluation((score, "e2e4")).best.score.to_chess() for score in (before, after))
    assert contradicts(was, became, is_best) == contradictory
    assert is_barely_blamed(was, became, is_best) == blamed


def answered(plan: AnalysisPlan, answers: dict[int, Answer], rounds: list[list[int]]) -> None:
    """Answer the plan's tasks by ply, 0 and e2e4 by default; lists the lengths of tasks by round."""
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        rounds.append(sorted(map(len, tasks.values())))
        for key, task in tasks.items():
            plies = [board.ply() for board in task.boards()]
            results[key] = tuple(evaluation(answers.get(ply, (0, "a2a3"))) for ply in plies)


LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"


def test_a_game_is_divided_into_stretches_of_about_the_same_length() -> None:
    rounds: list[list[int]] = []
    answered(AnalysisPlan(game_of(LONG), SETTINGS), {}, rounds)
    assert rounds == [[5, 6]]
    assert max(rounds[0]) <= MAX_POSITIONS


def test_a_disagreement_between_two_stretches_is_searched_once_more() -> None:
    plan = AnalysisPlan(game_of(LONG), SETTINGS)
    rounds: list[list[int]] = []
    answered(plan, {4: (300, "f1b5")}, rounds)  # the last one of the first segment
    assert rounds[:2] == [[5, 6], [2]]


@pytest.mark.parametrize(("best", "blamed"), [("f1b5", False), ("f1c4", True)])
def test_a_move_between_two_stretches_that_both_blame_it(best: str, blamed: bool) -> None:
    plan = AnalysisPlan(game_of(LONG), SETTINGS)
    results = {
        key: tuple(
            evaluation((60, best) if board.ply() == 4 else (0, "a2a3")) for board in task.boards()
        )
        for key, task in plan.tasks({}).items()
    }
    assert [boundary.is_blamed for boundary in plan.tasks(results).values()] == [blamed]


def test_a_null_move_divides_a_game() -> None:
    rounds: list[list[int]] = []
    answered(AnalysisPlan(game_of("1. e4 e5 2. Nf3 -- 3. Nc3 d6 *"), SETTINGS), {}, rounds)
    assert rounds == [[3, 4]]


def test_the_best_move_of_the_first_search_is_not_judged() -> None:
    plan = AnalysisPlan(game_of("1. e4 *"), SETTINGS)
    (key,) = plan.tasks({})
    refuted = Evaluation(evaluation((0, "d2d4")).lines, 1, "e2e4")
    report = plan.report({key: (refuted, evaluation((300, "e7e5")))})
    move = report.moves[0]
    assert move and not move.is_best and move.judgement is None
    assert move.loss == 300 and move.is_excused
    blamed = Evaluation(evaluation((0, "d2d4")).lines, 1, "d2d4")
    move = plan.report({key: (blamed, evaluation((300, "e7e5")))}).moves[0]
    assert move and move.judgement == Judgement.BLUNDER and move.loss == 300
