"""Openings, phases and clocks in the results of an analysis."""

from __future__ import annotations

import json

import pytest

from boomslang.cli.analysis.show import show_games
from boomslang.engine.analysis.annotate import annotate
from boomslang.engine.analysis.export import write_document
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.plan import AnalysisPlan, Reports
from tests.support.analysed import ANNOTATED, SETTINGS, game_of, material_results, report_of

TIMED = """\
[TimeControl "60"]

1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:05]} 2. Nf3 {[%clk 0:00:50]} a6 {[%clk 0:00:04]} 3. Nxe5 *
"""


def test_tags_of_the_opening() -> None:
    headers = annotate(report_of(game_of(ANNOTATED))).headers
    assert (headers["ECO"], headers["Opening"]) == ("C20", "King's Pawn Game: Wayward Queen Attack")
    theirs = annotate(report_of(game_of('[ECO "A00"]\n[Opening "?"]\n\n1. e4 e5 *'))).headers
    assert (theirs["ECO"], theirs["Opening"]) == ("A00", "?")
    without = annotate(report_of(game_of('[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n\n1. Kf7 *')))
    assert "ECO" not in without.headers and "Opening" not in without.headers


def test_json() -> None:
    text = "".join(write_document([report_of(game_of(TIMED))], SETTINGS))
    (game,) = json.loads(text)["games"]
    assert game["opening"]["eco"] == "C40" and game["opening"]["ply"] == 3
    assert game["opening"]["left"] == 3
    assert list(game["phases"]) == ["opening"]
    assert game["phases"]["opening"]["white"] == game["white"]["accuracy"]
    assert [move["phase"] for move in game["moves"]] == ["opening"] * 5
    assert [move["clock"] for move in game["moves"]] == [
        {"left": 58, "spent": 2, "trouble": False},
        {"left": 5, "spent": 55, "trouble": False},
        {"left": 50, "spent": 8, "trouble": False},
        {"left": 4, "spent": 1, "trouble": True},
        None,
    ]


def test_data_of_the_page() -> None:
    page = game_page(report_of(game_of(TIMED)))
    assert page["opening"] == "C40 King's Knight Opening, out of book with 2... a6"
    assert [phase["name"] for phase in page["phases"]] == ["Opening"]
    assert page["phases"][0]["first"] == 0
    moves = page["moves"]
    assert moves[3]["clock"] == "0:04.0" and moves[3]["spent"] == 1 and moves[3]["trouble"]
    assert "trouble" not in moves[1] and "clock" not in moves[4]
    bare = game_page(report_of(game_of("1. e4 *"), analysable=False))
    assert bare["phases"] == [] and bare["opening"].startswith("B00 ")


def test_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    plan = AnalysisPlan(game_of(TIMED), SETTINGS)
    show_games(Reports([plan], material_results(plan)))
    lines = capsys.readouterr().out.splitlines()
    white = next(line for line in lines if "C40 King's Knight Opening" in line)
    black = next(line for line in lines if "out of book with 2... a6" in line)
    assert "White" in white and "Black" in black and "%" in white and "%" in black
