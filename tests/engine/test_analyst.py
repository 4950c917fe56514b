"""Analysts: the same answers of this engine and others, and no bound for a score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
import pytest

from boomslang.cli.lab.suites.epd import parse
from boomslang.cli.lab.suites.outcome import solver
from boomslang.cli.play.board.info_data import InfoData
from boomslang.engine.analyst import Evaluation, OtherAnalyst, evaluate, new_analyst
from boomslang.engine.limits import Info, Limits, Score
from boomslang.engine.match.match_game import TimeControl, play
from boomslang.engine.match.opening import Opening
from boomslang.engine.other_engines.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.engine.search_settings import AnalysisSettings, SearchSettings, SuiteSettings
from tests.engine.other_engines.test_engine_process import uci_engine, using

EXACT = "info depth 2 multipv 1 nodes 5 score cp 7 pv g1f3 e7e5"
SECOND = "info depth 2 multipv 2 nodes 6 score cp -9 pv a2a3 e7e5"
HIGH = "info depth 3 multipv 1 nodes 7 score cp 900 lowerbound pv d2d4"
LOW = "info depth 3 multipv 1 nodes 8 score cp -900 upperbound pv g1f3"
LOW_SECOND = "info depth 3 multipv 2 nodes 9 score cp -900 upperbound pv a2a3"
MATE = "info depth 3 multipv 1 nodes 7 score mate 1 lowerbound pv d2d4"
# The words at other places, as some engines have them.
AHEAD = "info lowerbound depth 3 score cp 900 nodes 7 pv d2d4"
BEHIND = "info depth 3 score cp 900 nodes 7 pv d2d4 lowerbound"
ONLY_BOUNDS = [HIGH, LOW, MATE, AHEAD, BEHIND]
SETTINGS = SearchSettings(depth=3)


def engine(folder: Path, *lines: str, move: str = "d2d4") -> EngineCommand:
    text = "\\n".join([*lines, f"bestmove {move}"])
    several = 'print("option name MultiPV type spin default 1 min 1 max 9")'
    return uci_engine(folder, f'print("{text}")', uci=several)


@pytest.mark.parametrize("bounds", [[], *([line] for line in ONLY_BOUNDS), ONLY_BOUNDS])
def test_a_bound_before_or_behind_an_exact_score_changes_nothing(
    bounds: list[str], tmp_path: Path
) -> None:
    for lines in ([*bounds, EXACT], [EXACT, *bounds], [*bounds, EXACT, *bounds]):
        heard: list[Info] = []
        analyst = OtherAnalyst(engine(tmp_path, *lines), SETTINGS)
        result = analyst.analyse(chess.Board(), SETTINGS.limits, heard.append)
        assert [(info.score, info.depth) for info in result.lines] == [(Score(7), 2)]
        assert result.best == chess.Move.from_uci("d2d4")  # the move is the engine's
        assert [bool(info.bound) for info in heard] == ["bound" in line for line in lines]


def test_bounds_among_several_lines(tmp_path: Path) -> None:
    lines = [EXACT, HIGH, SECOND, LOW_SECOND, LOW]
    analyst = OtherAnalyst(engine(tmp_path, *lines), SETTINGS)
    found = analyst.analyse(chess.Board(), Limits(depth=3, multipv=2)).lines
    assert [(info.multipv, info.score) for info in found] == [(1, Score(7)), (2, Score(-9))]
    # One of the lines is bounded for ever. Without the first the second is not the best; it may come before.
    for lines, count in ([EXACT, LOW_SECOND], 1), ([HIGH, SECOND], 0), ([SECOND, EXACT], 2):
        analyst = OtherAnalyst(engine(tmp_path, *lines), SETTINGS)
        assert len(analyst.analyse(chess.Board(), Limits(depth=3, multipv=2)).lines) == count


def test_an_iteration_that_is_broken_off_says_no_move_twice(tmp_path: Path) -> None:
    begun = "info depth 3 multipv 1 nodes 7 score cp 9 pv a2a3 e7e5"
    analyst = OtherAnalyst(engine(tmp_path, EXACT, SECOND, begun), SETTINGS)
    shown = InfoData(chess.Board(), {})
    found = analyst.analyse(chess.Board(), Limits(depth=3, multipv=2), shown.record).lines
    assert [(info.multipv, info.score.centipawns) for info in found] == [(1, 9), (2, 7)]
    assert [line["moves"][0]["san"] for line in shown.message()["lines"]] == ["a3", "Nf3"]


def test_an_engine_that_says_only_bounds(tmp_path: Path) -> None:
    command = engine(tmp_path, *ONLY_BOUNDS)
    analyst = OtherAnalyst(command, SETTINGS)
    assert not analyst.analyse(chess.Board(), SETTINGS.limits).lines
    with pytest.raises(EngineProcessError, match="no line with an exact score"):
        evaluate(analyst, chess.Board(), SETTINGS.limits)
    # A mate in one would solve the task.
    task = parse(f"{chess.STARTING_FEN} dm 1;", "x.epd", "x.epd:1")
    _, outcome = solver(SuiteSettings(depth=3), command)((True, task))
    assert (outcome.solved, outcome.played, outcome.score) == (False, "d4", None)
    assert outcome.failure is None


def test_a_match_is_not_decided_by_bounds(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("white", "black")]
    for folder in folders:
        folder.mkdir()
    white, black = (
        EngineProcess(engine(folder, *lines, move=move))
        for folder, lines, move in zip(
            folders, ([EXACT, HIGH, MATE], ONLY_BOUNDS), ("d2d4", "d7d5"), strict=True
        )
    )

    async def game() -> tuple[list[tuple[Score | None, int | None]], list[int]]:
        try:
            pace = TimeControl(depth=1)
            opening = Opening(chess.STARTING_FEN, ())
            played = await play((white, black), opening, (pace, pace))
            told = [effort.moves for effort in played.efforts]  # no means of what was not said
            return [(score, depth) for score, depth, _ in played.scores], told
        finally:
            await black.close()

    # The third move is not legal.
    assert using(white, game) == ([(Score(7), 2), (None, None)], [1, 0])


def test_the_board_shows_no_bound_as_a_score() -> None:
    shown = InfoData(chess.Board(), {})
    first = Info.of(Score(7), 2, (chess.Move.from_uci("g1f3"),))
    bound = Info(3, 4, 1, Score(900), "lowerbound", 70, 1, 0, 0, 5, (chess.Move.from_uci("d2d4"),))
    shown.record(bound)
    assert shown.hope() is None and shown.message()["lines"] == []
    shown.record(first)
    shown.record(bound)
    (line,) = shown.message()["lines"]
    assert (line["cp"], line["moves"][0]["san"], shown.hope()) == (7, "Nf3", Score(7))
    assert (shown.message()["depth"], shown.message()["nodes"]) == (3, 70)  # it goes on


@pytest.mark.jit_only
def test_a_search_of_this_engine_that_is_cut_off_has_an_exact_score() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
    board, settings = chess.Board(fen), AnalysisSettings(nodes=1, multipv=1)
    analyst = new_analyst(settings)
    bounds = {"playing": 0, "analysing": 0}
    for nodes in range(11_000, 12_500, 50):
        for kind in bounds:
            limits = Limits(nodes=nodes, analysing=kind == "analysing")
            bounds[kind] += bool(analyst.analyse(board, limits).lines[0].bound)
    assert bounds["playing"] and not bounds["analysing"]


def test_evaluations_are_kept_in_the_form_of_earlier_journals() -> None:
    line = {
        "centipawns": 30,
        "mate": None,
        "wdl": [100, 850, 50],
        "depth": 9,
        "moves": ["e2e4", "e7e5"],
    }
    mated = {"centipawns": None, "mate": 0, "wdl": [0, 0, 1000], "depth": 0, "moves": []}
    for kept in (
        {"lines": [line, line], "nodes": 77, "first_choice": "d2d4"},
        {"lines": [mated], "nodes": 0, "first_choice": None},
    ):
        found = Evaluation.from_json(kept)
        again = found.to_json()
        assert {
            **again,
            "lines": [{**each, "wdl": [*each["wdl"]]} for each in again["lines"]],
        } == kept
    damages: list[Any] = [
        {},
        {"lines": [], "nodes": 1, "first_choice": None},
        {"lines": [{}]},
        None,
    ]
    for damaged in damages:
        with pytest.raises((KeyError, TypeError, ValueError)):
            Evaluation.from_json(damaged)
