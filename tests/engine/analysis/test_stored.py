"""Analysed games read back from JSON and PGN."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from boomslang.core.system.files import FileError
from boomslang.engine.analysis.annotate import annotate
from boomslang.engine.analysis.assessment import GameReport, MoveReport, assess, with_reasons
from boomslang.engine.analysis.clock_times import move_times
from boomslang.engine.analysis.export import write_document
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.stored import read_reports
from boomslang.engine.analyst import Evaluation
from boomslang.engine.notation.pgn_writer import format_pgn
from tests.support.analysed import ANNOTATED, CHESS960, PGN, SETTINGS, game_of, moves_of, report_of

CLOCKS = '[TimeControl "60"]\n\n1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:05]} 2. Nf3 *'
JUDGED = PGN / "lichess_judged_a.pgn"


def as_json(path: Path, *reports: GameReport) -> Path:
    path.write_text("".join(write_document(reports, SETTINGS)), encoding="utf-8")
    return path


def figures(move: MoveReport | None) -> tuple[object, ...]:
    assert move
    return move.move, move.board, move.loss, move.accuracy, move.judgement, move.missed_mate


def lines(evaluation: Evaluation | None) -> Iterator[tuple[object, ...]]:
    assert evaluation
    for line in evaluation.lines:
        yield line.score, line.wdl, line.depth, line.pv


def test_json_becomes_the_same_reports(tmp_path: Path) -> None:
    reports = [report_of(game_of(pgn)) for pgn in (ANNOTATED, CHESS960, CLOCKS)]
    left_out = report_of(game_of("1. e4 *"), analysable=False)
    again = list(read_reports(as_json(tmp_path / "games.json", *reports, left_out)))
    assert len(again) == len(reports)
    for before, after in zip(reports, again, strict=True):
        assert list(map(figures, after.moves)) == list(map(figures, before.moves))
        assert [list(lines(e)) for e in after.positions] == [
            list(lines(e)) for e in before.positions
        ]
        assert (after.white, after.black) == (before.white, before.black)
        assert after.game.board() == before.game.board()
        for tag in ("White", "Black", "Result", "Event"):
            assert after.game.headers[tag] == before.game.headers[tag]
    assert move_times(again[2].game) == move_times(reports[2].game)


def test_the_best_move_of_the_first_search_is_no_mistake_when_read_back(tmp_path: Path) -> None:
    report = report_of(game_of(ANNOTATED))
    positions = list(report.positions)
    blundered = positions[5]
    assert blundered and report.moves[5] and report.moves[5].judgement
    positions[5] = replace(blundered, first_choice="g8f6")
    forgiven = assess(report.game, tuple(positions))
    assert forgiven.moves[5] and forgiven.moves[5].judgement is None
    (again,) = read_reports(as_json(tmp_path / "games.json", forgiven))
    assert list(map(figures, again.moves)) == list(map(figures, forgiven.moves))


def test_reasons_are_read_back(tmp_path: Path) -> None:
    report = report_of(game_of(ANNOTATED))
    allowed = Reason(
        ReasonKind.ALLOWS_MATE, "Allows mate in 1: 4. Qxf7#.", ("h5f7",), False, None, (chess.E8,)
    )
    missed = Reason(ReasonKind.MISSES_MATERIAL, "Misses it.", ("d7d6",), True, Motif.FORK)
    report = with_reasons(report, {5: allowed, 1: missed})
    path = as_json(tmp_path / "games.json", report)
    (again,) = read_reports(path)
    assert again.moves[5] and again.moves[5].reason == allowed
    assert again.moves[1] and again.moves[1].reason == missed
    assert "".join(write_document([again], SETTINGS)) == "".join(write_document([report], SETTINGS))
    data = json.loads(path.read_text(encoding="utf-8"))
    for name, value in (("uci", ["h5h8"]), ("kind", "bad luck"), ("squares", ["i9"])):
        damaged = json.loads(json.dumps(data))
        damaged["games"][0]["moves"][5]["reason"][name] = value
        (tmp_path / "damaged.json").write_text(json.dumps(damaged))
        with pytest.raises(FileError, match="game 1 is damaged"):
            list(read_reports(tmp_path / "damaged.json"))
    del data["games"][0]["moves"][5]["reason"]  # as of a version without reasons
    path.write_text(json.dumps(data))
    (again,) = read_reports(path)
    assert again.moves[5] and again.moves[5].reason is None


def test_judgements_are_those_of_the_thresholds(tmp_path: Path) -> None:
    path = as_json(tmp_path / "games.json", report_of(game_of(ANNOTATED)))
    data = json.loads(path.read_text(encoding="utf-8"))
    for thresholds in ([1, 2, 3], [97.5, 98, 99], "none"):
        data["settings"]["thresholds"] = thresholds
        path.write_text(json.dumps(data))
        if thresholds == "none":
            with pytest.raises(FileError, match="is not a JSON file of boomslang analyse"):
                list(read_reports(path))
            continue
        (again,) = read_reports(path)
        judged = [move for move in again.moves if move and move.judgement]
        by_chances = [move for move in judged if move.missed_mate is move.allowed_mate is None]
        assert bool(by_chances) == (thresholds == [1, 2, 3])


def test_the_moves_behind_a_null_move_are_read(tmp_path: Path) -> None:
    report = report_of(game_of("1. e4 -- 2. d4 d5 *"))
    (again,) = read_reports(as_json(tmp_path / "games.json", report))
    assert [move and figures(move) for move in again.moves] == [
        move and figures(move) for move in report.moves
    ]
    assert again.moves[1] is None and again.moves[3]
    lost = report_of(
        game_of("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 4. Qxe8 *")
    )  # it leaves the king in check
    (again,) = read_reports(as_json(tmp_path / "games.json", lost))
    assert len(again.moves) == 5


def test_annotated_pgn_has_the_same_judgements(tmp_path: Path) -> None:
    report = report_of(game_of(ANNOTATED))
    path = tmp_path / "games.pgn"
    judgements = [move and move.judgement for move in report.moves]
    path.write_text(format_pgn(annotate(report)) + "\n\n1. e4 e5 *\n", encoding="utf-8")
    (again,) = read_reports(path)
    assert [move and move.judgement for move in again.moves][1:] == judgements[1:]
    blunder, original = again.moves[5], report.moves[5]
    assert blunder and original and blunder.before.best.pv == original.before.best.pv


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1, 2]", "is not a JSON file of boomslang analyse"),
        ('{"format": 1, "games": 5}', "is not a JSON file of boomslang analyse"),
        ('{"format": 99, "games": []}', "is not a JSON file of boomslang analyse"),
        ("[" * 100_000, "is not a JSON file of boomslang analyse"),
        ('{"format": 1, "games": [{}]}', "game 1 is damaged"),
        ('{"format": 1, "games": [{"analysed": true, "positions": []}]}', "game 1 is damaged"),
    ],
)
def test_other_json(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(FileError, match=message):
        list(read_reports(path))


def test_damaged_json(tmp_path: Path) -> None:
    path = as_json(tmp_path / "games.json", report_of(game_of(ANNOTATED)))
    value: object
    for place, value in (("uci", "e7e5"), ("uci", 7)):
        data = json.loads(path.read_text(encoding="utf-8"))
        data["games"][0]["moves"][0][place] = value
        (tmp_path / "damaged.json").write_text(json.dumps(data))
        with pytest.raises(FileError, match="game 1 is damaged; analyse it again"):
            list(read_reports(tmp_path / "damaged.json"))
    for place, value in (("uci", ["e1e8"]), ("depth", -1), ("depth", 1 << 63)):
        data = json.loads(path.read_text(encoding="utf-8"))
        data["games"][0]["positions"][2]["lines"][0][place] = value
        (tmp_path / "damaged.json").write_text(json.dumps(data))
        with pytest.raises(FileError, match="game 1 is damaged"):
            list(read_reports(tmp_path / "damaged.json"))
    data = json.loads(path.read_text(encoding="utf-8"))
    data["games"][0]["headers"]["White"] = "\ud800"  # half of a pair, that no file can hold
    (tmp_path / "damaged.json").write_text(json.dumps(data))
    with pytest.raises(FileError, match="game 1 is damaged"):
        list(read_reports(tmp_path / "damaged.json"))


@pytest.mark.skipif(not JUDGED.exists(), reason="the games of Lichess are not there")
def test_the_judgements_of_lichess(tmp_path: Path) -> None:
    first = JUDGED.read_text("utf-8").split("\n\n[Event")[0]
    (tmp_path / "one.pgn").write_text(first, encoding="utf-8")
    (report,) = read_reports(tmp_path / "one.pgn")
    for node, move in zip(report.game.mainline(), report.moves, strict=True):
        assert move and bool(move.judgement) == bool(node.nags & {2, 4, 6} and move.chance_loss)


def test_the_game_is_the_best_line_until_a_move_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "scored.pgn"
    path.write_text(
        "1. e4 {[%eval 0.2]} d5 {[%eval 0.5]} 2. Nc3 {[%eval -0.9]} dxe4 $4 {[%eval -0.9]} "
        "3. Nxe4 {[%eval -0.9]} Nf6 {[%eval 3]} *\n"
    )
    (report,) = read_reports(path)
    lines = [position and moves_of(position.best) for position in report.positions]
    assert lines == [("e2e4", "d7d5"), ("d7d5",), (), ("d5e4", "c3e4"), ("c3e4",), (), ()]
    judged = [move and move.judgement for move in report.moves]
    assert [bool(judgement) for judgement in judged] == [False, False, True, False, False, True]


def test_a_score_that_cannot_be_is_none(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 {[%eval #99999999999999]} e5 {[%eval 9999999.00]} 2. a3 {[%eval 0.1]} *")
    (report,) = read_reports(path)
    _, impossible, cut, _ = report.positions
    assert impossible is None and cut and cut.best.score.centipawns == 100_000
