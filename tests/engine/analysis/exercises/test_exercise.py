"""Single exercises: the schedule, right moves, what is stored, exports."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Cp

from boomslang.cli.analysis.exercises.command import epd, pgn
from boomslang.cli.lab.suites.epd import read_epd
from boomslang.engine.analysis.assessment import with_reasons
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.collect import LeftOut, exercises_of
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.verdict import find_known_chance, search_chance
from boomslang.engine.analysis.peers import Peers
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.win_percent import Judgement, win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation
from boomslang.engine.notation.pgn import games_of_text
from tests.support.analysed import ANNOTATED, CHESS960, game_of, info_of, moves_of, report_of
from tests.support.exercises import en_passant, mate_in_one

TODAY = datetime.date(2026, 2, 27)
ALL = frozenset(Judgement)


def days(exercise: Exercise) -> int | None:
    return None if exercise.due is None else (exercise.due - TODAY).days


def test_a_right_answer_at_once_finishes() -> None:
    exercise = mate_in_one()
    assert exercise.is_due(TODAY) and not exercise.is_finished
    exercise.record_answer(True, TODAY)
    assert exercise.is_finished and not exercise.is_due(datetime.date.max)


def test_a_wrong_one_comes_again_after_1_3_7_and_21_days() -> None:
    exercise = mate_in_one()
    exercise.record_answer(False, TODAY)
    seen = [days(exercise)]
    while exercise.due:
        assert not exercise.is_due(TODAY) and exercise.is_due(exercise.due)
        exercise.record_answer(True, TODAY)
        seen.append(days(exercise))
    assert seen == [1, 3, 7, 21, None]
    assert exercise.is_finished and (exercise.right, exercise.wrong) == (4, 1)


def test_a_move_of_a_repertoire_comes_again_after_longer_and_longer() -> None:
    exercise = replace(mate_in_one(), played="")
    seen = []
    for is_right in (True, True, True, True, True, True, False, True):
        exercise.record_answer(is_right, TODAY)
        seen.append(days(exercise))
    assert seen == [3, 7, 21, 60, 180, 180, 1, 3] and not exercise.is_finished
    answered = replace(mate_in_one(), played="", right=1)  # as an older version has left it
    assert answered.is_due(TODAY)


def test_a_wrong_answer_begins_anew() -> None:
    exercise = mate_in_one()
    for is_right in (False, True, True):
        exercise.record_answer(is_right, TODAY)
    assert days(exercise) == 7
    exercise.record_answer(False, TODAY)
    assert days(exercise) == 1


def test_right_moves_are_within_five_points() -> None:
    exercise = mate_in_one()
    board = exercise.board()
    assert [board.san(move) for move in exercise.right_moves()] == ["Ra8#", "Re8#", "g3"]
    assert exercise.accepts(92.5) and not exercise.accepts(92.4)


@pytest.mark.parametrize(
    ("move", "chance"), [("a1a8", 97.5), ("h2h3", 90.0), ("e1e8", 97.5), ("a1b1", None)]
)
def test_chances_without_a_search(move: str, chance: float | None) -> None:
    assert find_known_chance(mate_in_one(), chess.Move.from_uci(move)) == chance
    bare = mate_in_one()
    bare.known = {}
    mates = chess.Move.from_uci("e1e8")
    found = find_known_chance(bare, mates)
    assert found is not None and found > 97  # mate on the board needs no search


def test_what_is_stored_is_read_again() -> None:
    for exercise in (mate_in_one(), en_passant()):
        exercise.record_answer(False, TODAY)
        assert Exercise.from_json(json.loads(json.dumps(exercise.to_json()))) == exercise
        assert len(exercise.name) == 12
    assert mate_in_one().name != en_passant().name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fen", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("best", []),
        ("played", "h2h5"),
        ("known", {"h2h5": 3}),
        ("known", 5),
        ("due", "yesterday"),
        ("right", None),
        ("right", -1),
        ("step", -6),
        ("step", 2),  # and no day on which it is due
        ("due", "2026-02-28"),
        ("chance", float("nan")),
        ("chess960", "no"),
    ],
)
def test_damaged_exercises(name: str, value: Any) -> None:
    kept = json.loads(json.dumps(mate_in_one().to_json()))
    kept[name] = value
    with pytest.raises((ValueError, KeyError, TypeError)):
        Exercise.from_json(kept)
    del kept[name]
    with pytest.raises((ValueError, KeyError, TypeError)):
        Exercise.from_json(kept)


def test_a_rule_of_chances_is_kept_and_nothing_else_is_one() -> None:
    kept = {**mate_in_one().to_json(), "by_wdl": True}
    assert Exercise.from_json(kept).by_wdl and Exercise.from_json(kept).to_json() == kept
    with pytest.raises(ValueError, match="by_wdl 'wdl'"):
        Exercise.from_json({**kept, "by_wdl": "wdl"})


@pytest.mark.parametrize("by_wdl", [False, True])
def test_a_searched_move_is_judged_by_the_rule_of_its_exercise(by_wdl: bool) -> None:
    """The search sees a drawn pawn more: much on the curve of people, nothing between engines."""
    report = replace(report_of(game_of(ANNOTATED)), by_wdl=by_wdl)
    exercise = [found for found in exercises_of(report, chess.BLACK, ALL) if found][-1]
    assert isinstance(exercise, Exercise) and exercise.by_wdl == by_wdl
    scores = iter((-100, 0))  # behind the best move, and behind the other one

    def search(position: AnalysedPosition) -> Evaluation:
        return Evaluation((info_of(next(scores), None, (0, 1000, 0), 1, ()),), 1)

    lost = exercise.chance - search_chance(exercise, "a7a6", search)
    assert lost == pytest.approx(0 if by_wdl else win_chance(Cp(100)) - 50)


def test_exercises_of_a_game() -> None:
    report = report_of(game_of(ANNOTATED))
    found = list(exercises_of(report, chess.BLACK, ALL))
    black = [exercise for exercise in found if not isinstance(exercise, LeftOut)]
    blunder = black[-1]
    move = report.moves[5]
    assert move and blunder.played == "g8f6" and blunder.best == moves_of(move.before.best)
    assert blunder.fen == move.board.fen()
    assert blunder.chance == round(move.chance_before, 1)
    assert blunder.known["g8f6"] < blunder.chance - 5
    assert "Roe & Sons" in blunder.origin
    assert list(exercises_of(report, chess.BLACK, frozenset())) == []
    for exercise in black:
        assert Exercise.from_json(exercise.to_json()) == exercise


def test_the_reason_comes_with_the_solution() -> None:
    report = report_of(game_of(ANNOTATED))
    text = "Allows mate in 1: 4. Qxf7#."
    told = with_reasons(report, {5: Reason(ReasonKind.ALLOWS_MATE, text, ("h5f7",), False)})
    moves = [move and replace(move, peers=Peers(1300, 0.2, 0.1, 0.3)) for move in told.moves]
    exercise = list(exercises_of(replace(told, moves=tuple(moves)), chess.BLACK, ALL))[-1]
    assert isinstance(exercise, Exercise) and exercise.reason == text and exercise.found == 0.2
    again = Exercise.from_json(json.loads(json.dumps(exercise.to_json())))
    best, reason = texts.solution(again)
    assert again == exercise and best.startswith("3... ")
    assert reason == f"In the game: 3... Nf6. {text}" and reason in " ".join(pgn([again]).split())
    kept = exercise.to_json()
    del kept["reason"]  # as of a version without reasons
    assert Exercise.from_json(kept).reason == ""


def test_chess960() -> None:
    report = report_of(game_of(CHESS960))
    exercise = en_passant()
    move = report.moves[0]
    assert move
    exercise.fen, exercise.chess960 = move.board.fen(shredder=True), True
    exercise.best, exercise.played, exercise.known = (move.move.uci(),), "e2e4", {}
    again = Exercise.from_json(exercise.to_json())
    assert again.board() == move.board and again.right_moves() == [move.move]
    assert "Chess960" in pgn([again]) and texts.solution(again) == ["1. O-O."]


def test_epd_is_a_suite(tmp_path: Path) -> None:
    path = tmp_path / "mistakes.epd"
    path.write_text(epd([mate_in_one(), en_passant()]), encoding="utf-8")
    tasks, bad = read_epd(path)
    assert bad == []
    assert [task.best for task in tasks] == [("a1a8", "e1e8", "g2g3"), ("e5d6",)]
    assert [task.avoid for task in tasks] == [("h2h3",), ("e1e2",)]
    assert [task.name for task in tasks] == [mate_in_one().name, en_passant().name]


def test_pgn_is_a_file_of_games() -> None:
    first, second = games_of_text(pgn([mate_in_one(), en_passant()]))
    assert not first.messages and not second.messages
    assert first.game.board().fen() == mate_in_one().fen
    assert [node.san() for node in first.game.variations] == ["Ra8#", "Re8#", "g3"]
    assert "30. h3" in first.game.comment
    assert [move.uci() for move in second.game.mainline_moves()] == ["e5d6", "e8d7"]


def test_words() -> None:
    exercise = mate_in_one()
    assert texts.task(exercise) == (
        "White to move. In the game 30. h3 was played: find a better move."
    )
    assert texts.solution(exercise) == ["30. Ra8#. Right too: Re8#, g3."]
    board = exercise.board()
    assert texts.verdict(exercise, board.parse_san("Ra8#"), 97.5).startswith("Right: Ra8# is the")
    g3, ends = board.parse_san("g3"), "% winning chances, the best move 97.5 %."  # to be checked
    assert texts.verdict(exercise, g3, 92.46) == f"Right: g3 has 92.5 {ends}"
    assert texts.verdict(exercise, g3, 92.44) == f"Wrong: g3 has 92.4 {ends}"
    exercise.record_answer(False, TODAY)
    assert texts.next_time(exercise) == "It comes again on 2026-02-28."
