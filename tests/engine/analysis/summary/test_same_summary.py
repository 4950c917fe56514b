"""Accuracy and loss of a summary: as Lichess publishes them, and the same from every form of an analysis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boomslang.engine.analysis.annotate import annotate
from boomslang.engine.analysis.assessment import GameReport, assess
from boomslang.engine.analysis.export import write_document
from boomslang.engine.analysis.stored import read_reports
from boomslang.engine.analysis.summary.figures import GameFigures, figures_of
from boomslang.engine.analysis.win_percent import LICHESS
from boomslang.engine.analyst import Evaluation
from boomslang.engine.notation.pgn_writer import format_pgn
from tests.support.analysed import (
    ANNOTATED,
    CHESS960,
    SETTINGS,
    game_of,
    info_of,
    moves_of,
    report_of,
)


def test_moves_that_each_lose_a_little_are_not_perfect(tmp_path: Path) -> None:
    """A game without a sign, in which each move of White loses 40 centipawns and Black gives them back."""
    path = tmp_path / "calm.pgn"
    path.write_text(
        "1. e4 {[%eval -0.25]} e5 {[%eval 0.15]} 2. Nf3 {[%eval -0.25]} Nc6 {[%eval 0.15]} "
        "3. Bc4 {[%eval -0.25]} Bc5 {[%eval 0.15]} *\n"
    )
    (report,) = read_reports(path)
    assert report.white.loss == 40 and report.white.accuracy == pytest.approx(85.7, abs=0.1)


def test_accuracy_and_loss_are_those_of_the_published_formula(tmp_path: Path) -> None:
    """Worked out by the formula of https://lichess.org/page/accuracy; one score is missing, two are mates."""
    line = (
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 "
        "Nf1 Bf8"
    )
    scores = (
        "0.20 -0.40 0.30 0.10 0.35 -0.60 ? 0.80 0.75 3.00 2.80 #3 2.90 -1.50 -1.60 -1.55 -4.00 #-2 "
        "-9.00 -8.70 -8.60 -12.00 -8.50 -6.00 -6.10 -6.40"
    )
    moves = zip(line.split(), scores.split(), strict=True)
    path = tmp_path / "game.pgn"
    path.write_text(
        " ".join(san if score == "?" else f"{san} {{[%eval {score}]}}" for san, score in moves)
    )
    (report,) = read_reports(path)
    for part, accuracy, loss in zip(
        figures_of(report), (68.895, 76.385), (83.333, 102.5), strict=True
    ):
        assert part.accuracy == pytest.approx(accuracy, abs=0.01)
        assert part.loss == pytest.approx(loss, abs=0.01)


def figures(reports: list[GameReport]) -> list[GameFigures]:
    return [part for report in reports for part in figures_of(report)]


@pytest.mark.parametrize(
    ("by_wdl", "thresholds"), [(False, LICHESS), (True, LICHESS), (False, (2.0, 8.5, 20.0))]
)
def test_json_and_pgn_of_one_analysis_give_one_summary(
    by_wdl: bool, thresholds: tuple[float, float, float], tmp_path: Path
) -> None:
    named = ANNOTATED.replace("Doe, \x1b[31mJane <b>", "Jane Doe")
    texts = [named, CHESS960, "1. e4 e5 2. Nf3 -- 3. Nc3 d6 4. Qe2 -- *", '[Result "0-1"]\n\n*']
    reports = []
    for text in texts:
        first = report_of(game_of(text))
        positions = list(first.positions)
        for ply, node in enumerate(first.game.mainline()):
            found = positions[ply]
            if found and ply % 3 == 2:  # what only more nodes have refuted
                found = positions[ply] = Evaluation(found.lines, 1, node.move.uci())
            if found and ply % 5 == 3:
                line = found.best
                better = info_of(90, None, (700 - ply, 250 + ply, 50), 1, moves_of(line))
                positions[ply] = replace(found, lines=(better,))
        reports.append(assess(first.game, tuple(positions), by_wdl=by_wdl, thresholds=thresholds))
    excused = [move.ply for report in reports for move in report.moves if move and move.is_excused]
    assert excused
    (tmp_path / "a.json").write_text(
        "".join(write_document(reports, replace(SETTINGS, thresholds=thresholds))), encoding="utf-8"
    )
    text = "\n\n".join(format_pgn(annotate(report)) for report in reports)
    (tmp_path / "a.pgn").write_text(text, encoding="utf-8")
    stored = [list(read_reports(tmp_path / name)) for name in ("a.json", "a.pgn")]
    assert len(stored[0]) == len(stored[1]) == len(texts)
    for one, other in zip(*map(figures, stored), strict=True):
        assert one == other
    again = "\n\n".join(format_pgn(annotate(report)) for report in stored[1])
    for what in ("[%wdl", "[%pv", "best.", "choice."):  # a second time nothing is doubled
        assert again.count(what) == text.count(what)
