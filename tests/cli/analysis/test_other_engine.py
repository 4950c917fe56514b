"""Games and positions searched by another engine: whose lines a report has, and what is kept of a failure."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import chess
import chess.pgn
import pytest

import boomslang
from boomslang.cli.analysis import analyse_command
from boomslang.cli.lab.labels import command as label_command
from boomslang.engine.analysis.annotate import annotate, remark
from boomslang.engine.analysis.assessment import assess
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.reason import ReasonKind
from boomslang.engine.analysis.segment import Evaluations, search_segment
from boomslang.engine.analysis.stored import read_reports
from boomslang.engine.analysis.win_percent import Judgement
from boomslang.engine.analyst import Analyst, Evaluation
from boomslang.engine.limits import Info, Limits, Listener, Result, ignore
from boomslang.engine.other_engines.engine_connection import EngineCommand
from tests.support.analysed import SETTINGS, game_of, info_of, material_evaluation
from tests.support.other_engine import other_engine

# Loses a knight at once, and the game by a mate.
BAD_GAME = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *\n"
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n"


def line(centipawns: int, wdl: tuple[int, int, int] | None, *moves: str) -> Info:
    return info_of(centipawns, None, wdl or (0, 0, 0), 1, moves)


@pytest.mark.parametrize("by_wdl", [True, False])
def test_one_rule_for_a_whole_game(by_wdl: bool) -> None:
    """The engine says that 1... f6 loses half of the chances, and in centipawns nothing."""
    sure, even = (500, 500, 0), (0, 500, 500)
    said = [(0, 1000, 0), (0, 1000, 0), sure, even]
    positions = [
        Evaluation((line(0, wdl, "a7a6" if ply % 2 else "a2a3"),), 1)
        for ply, wdl in enumerate(said)
    ]
    report = assess(game_of("1. e4 f6 2. d4 *"), tuple(positions), by_wdl=by_wdl)
    assert report.by_wdl == by_wdl
    judgements = [move and move.judgement for move in report.moves]
    assert judgements == ([None, Judgement.BLUNDER, None] if report.by_wdl else [None] * 3)
    chances = [position["chance"] for position in game_page(report)["positions"]]
    assert chances == pytest.approx([50, 50, 75, 75] if report.by_wdl else [50] * 4, abs=0.1)
    assert (report.black.accuracy == 100) != report.by_wdl


def test_a_name_that_is_part_of_the_other_is_told() -> None:
    said = [(0, 1000, 0), (0, 1000, 0), (500, 500, 0), (0, 500, 500)]
    positions = tuple(
        Evaluation((line(0, wdl, "a7a6" if ply % 2 else "a2a3"),), 1)
        for ply, wdl in enumerate(said)
    )
    game = game_of("1. e4 f6 2. d4 *")
    report = assess(game, positions, by_wdl=True)
    report = replace(report, second=report)
    names = ["Stub 16.1", "Stub 16"]
    once = str(annotate(report, names))
    assert "1... a6 { [%eval 0.00] Stub 16.1, Stub 16 }" in " ".join(once.split())
    assert str(annotate(report, names)) == once


@pytest.mark.parametrize(
    ("moves", "missed", "told"),
    [
        ("d1h5 b8c6 h5f7", 2, "Blunder. Misses mate in 2. Qh5 was best."),
        ("d1h5", 2, "Blunder. Misses mate in 2, as the engine claims. Qh5 was best."),
        ("d1h5 b8c6 h5h6", None, "Blunder. Qh5 was best."),
    ],
)
def test_a_mate_is_told_as_far_as_the_line_shows_it(
    moves: str, missed: int | None, told: str
) -> None:
    """The engine says a mate in two, and that it is gone after 1. a3."""
    mate = info_of(None, 2, (1000, 0, 0), 1, tuple(moves.split()))
    found = [mate, line(0, None, "b8c6")]
    fen = "rnbqk1nr/pppp1ppp/8/2b1p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 1"
    game = game_of(f'[FEN "{fen}"]\n\n1. a3 *')
    (move,) = assess(game, tuple(Evaluation((each,), 1) for each in found)).moves
    assert move and move.missed_mate == missed and remark(move) == told


@pytest.mark.parametrize(
    ("by_wdl", "wins", "doubtful"), [(True, 490, {4, 5}), (False, 490, set()), (True, 700, set())]
)
def test_doubtful_moves_are_those_of_the_rule_of_the_report(
    by_wdl: bool, wins: int, doubtful: set[int]
) -> None:
    """One that loses little by WDL alone is searched again by that rule alone; a clear blunder is not."""
    settings = replace(SETTINGS, engine=EngineCommand(("other",)), by_wdl=by_wdl)
    plan = AnalysisPlan(game_of(GAME), settings)
    searches: list[int] = []

    class Stub(Analyst):
        def analyse(
            self,
            board: chess.Board,
            limits: Limits,
            on_info: Listener = ignore,
            is_new_game: bool = True,
        ) -> Result:
            searches.append(board.ply())
            wdl = (wins, 100, 900 - wins)
            if board.turn != (board.ply() <= 4):
                wdl = wdl[::-1]
            return Result.of([line(0, wdl, str(next(iter(board.legal_moves))))])

    for task in plan.tasks({}).values():
        search_segment(Stub(), settings, task)
    again = {ply for ply in range(15) if searches.count(ply) > searches.count(0)}
    assert again == doubtful


@pytest.mark.parametrize("agrees", [True, False])
def test_no_reason_where_this_engine_does_not_see_the_mistake(agrees: bool) -> None:
    game = game_of(BAD_GAME)
    plan = AnalysisPlan(game, replace(SETTINGS, engine=EngineCommand(("other",))))
    level = Evaluation((line(0, None),), 1)
    results: dict[str, Evaluations] = {}
    while tasks := plan.tasks(results):
        for key, task in tasks.items():
            found = [material_evaluation(board, task.avoided) for board in task.boards()]
            is_mute = not (task.by_other or agrees)
            results[key] = (level,) * len(found) if is_mute else tuple(found)
    moves = plan.report(results).moves
    told = {move.move.uci(): move.reason for move in moves if move and move.judgement}
    assert told.keys() >= {"g8f6"}
    assert any(told.values()) == agrees
    if agrees and (reason := told["g8f6"]):
        assert reason.kind == ReasonKind.ALLOWS_MATE


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("game.pgn").write_text(GAME)
    return other_engine(tmp_path)


def analyse(engine: str, out: str, *more: str) -> int:
    words = ["game.pgn", "--nodes", "400", "--jobs", "1", "--out", out, "--engine", engine]
    return analyse_command.main([*words, *more])


@pytest.mark.jit_only
def test_a_report_of_another_engine_says_so(
    engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyse(engine, "whole") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Analysed by Stub '3', 400 nodes a position." in said
    assert "reasons are proved by searches of Boomslang" in said
    data = json.loads(Path("whole.json").read_text("utf-8"))
    assert data["engine"] == "Stub '3'" and data["settings"]["engine"]["words"][1].endswith(
        "engine.py"
    )
    positions = data["games"][0]["positions"]
    assert [position["lines"][0]["cp"] for position in positions] == list(range(15))
    game = chess.pgn.read_game(io.StringIO(GAME))
    assert game and boomslang.analyse_game(game, engine, nodes=400)["positions"] == positions
    with pytest.raises(boomslang.CommandError, match="nodes is a whole number from 1"):
        boomslang.analyse_game(game, engine, nodes=-1)
    with pytest.raises(boomslang.CommandError, match="jobs is a whole number from 1"):
        boomslang.analyse_game(game, engine, jobs=0)
    with pytest.raises(boomslang.CommandError, match="options"):
        boomslang.analyse_game(game, options={"Hash": 8})
    with pytest.raises(TypeError, match=r"chess\.pgn\.Game, not of type NoneType"):
        boomslang.analyse_game(chess.pgn.read_game(io.StringIO()))  # type: ignore[arg-type]
    assert positions[0]["lines"][0]["uci"] == ["a2a3"]
    assert positions[10]["lines"][0]["wdl"][1] == 0  # Lichess's curve knows no draws
    assert "by the curve of Lichess" in Path("whole.html").read_text("utf-8")
    assert "[Annotator \"Stub '3'\"]" in Path("whole.pgn").read_text("utf-8")


@pytest.mark.jit_only
def test_two_engines_in_one_report(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wise = other_engine(tmp_path, "wise")
    assert analyse(wise, "wise") == 0
    assert "are what each engine says itself (WDL);" in " ".join(capsys.readouterr().out.split())
    (alone,) = json.loads(Path("wise.json").read_text("utf-8"))["games"]
    assert alone["win_chances"] == "wdl" and alone["moves"][5]["win_chance_loss"] == 45.0
    assert analyse(wise, "curve", "--option", "UCI_ShowWDL=false") == 0
    assert "come from scores by the curve of Lichess;" in " ".join(capsys.readouterr().out.split())
    read = [next(read_reports(Path(f"{stem}.json"))) for stem in ("wise", "curve")]
    assert [report.by_wdl for report in read] == [True, False]
    assert analyse(f"{wise} sly", "sly") == 2
    assert "a score without win, draw and loss; set its option" in capsys.readouterr().err
    assert analyse(engine, "both", "--engine", wise, "--option", "2:Style=2") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Analysed by Stub '3', first and Stub '3', second, 400 nodes a position." in said
    assert "3... a6 is disputed: Stub '3', first -0 %, Stub '3', second -47 %" in said
    data = json.loads(Path("both.json").read_text("utf-8"))
    (game,) = data["games"]
    assert game["win_chances"] == "curve"  # as one of them says nothing else
    assert [data["engine"], data["second"]["engine"]] == ["Stub '3', first", "Stub '3', second"]
    scores = [
        [position["lines"][0]["cp"] for position in each["positions"]]
        for each in (game, game["second"])
    ]
    assert scores == [list(range(15)), [*range(6), *[100_000] * 9]]
    assert [each["ply"] for each in game["disagreements"]] == [5]
    page = Path("both.html").read_text("utf-8")
    assert '{"engines":["Stub \'3\', first","Stub \'3\', second"]' in page
    assert '"disputed":[[5,' in page
    text = Path("both.pgn").read_text("utf-8")
    assert "(Stub '3', first: +0.06, Stub '3', second: +1000.00)" in " ".join(text.split())
    Path("game.pgn").write_text(text)
    assert analyse(engine, "again", "--engine", wise) == 0
    assert Path("again.pgn").read_text("utf-8") == text
    assert analyse(engine, "x", "--option", "2:Hash=1") == 2
    assert "--option: there is no engine 2" in capsys.readouterr().err


@pytest.mark.jit_only
def test_what_was_done_before_it_died_is_kept(
    engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("flag").touch()
    assert analyse(engine, "torn") == 2
    error = capsys.readouterr().err
    assert "has died (its last remark: out of ideas); what is done is kept" in error
    assert error.count("\n") == 1 and "Stub '3'" in error
    kept = Path("torn.journal").read_text().count('"key"')
    Path("flag").unlink()
    assert analyse(engine, "torn") == 0 == analyse(engine, "whole")
    assert Path("torn.json").read_bytes() == Path("whole.json").read_bytes()
    assert kept == 1 and not Path("torn.journal").exists()


@pytest.mark.jit_only
def test_labels_of_another_engine(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["game.pgn", "--nodes", "50", "--out", "labels.csv"]
    assert label_command.main([*words, "--engine", engine]) == 0
    with Path("labels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["score"] for row in rows[:4]] == ["0", "-1", "2", "-3"]
    assert {row["nodes"] for row in rows} == {"50"}
    assert label_command.main(["game.pgn", "--engine", engine]) == 2
    assert "--engine needs --nodes, --depth or --movetime" in capsys.readouterr().err
    assert label_command.main([*words, "--engine", engine, "--option", "Elo=1"]) == 2
    assert "has no option 'Elo'" in capsys.readouterr().err
