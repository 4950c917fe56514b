"""Accuracy and loss of a summary, against the formula that Lichess publishes, computed here from the text."""

from __future__ import annotations

import json
import math
import random
import statistics
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import chess
import chess.pgn
import pytest

from boomslang.cli.analysis.summary import command
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

ENDGAME: Final = "8/5k2/3p4/2pP1p2/2P2P2/4K3/8/8 b - - 0 40"
Scores = list[int | None]  # centipawns in White's view, by position; None: the game has none
MATE: Final = 1_000_000  # centipawns, less the moves to the mate


class Published(NamedTuple):
    """A player's accuracy, percent, and loss, centipawns per move; None without a move between two scores."""

    accuracy: float | None
    loss: float | None


def published(scores: Scores, white_begins: bool) -> list[Published]:
    """White's and Black's, as on https://lichess.org/page/accuracy and in the source of its analysis."""
    clipped = [None if score is None else min(max(score, -1000), 1000) for score in scores]
    found: dict[bool, list[tuple[float, float, int]]] = {True: [], False: []}
    run: list[tuple[int, int]] = []  # place and score
    for place, score in enumerate([*clipped, None]):
        if score is not None:
            run.append((place, score))
            continue
        chances = [50 + 50 * (2 / (1 + math.exp(-0.00368208 * each)) - 1) for _, each in run]
        width = min(max((len(run) - 1) // 10, 2), 8)
        for index, ((begin, was), (_, became)) in enumerate(pairwise(run)):
            white = (begin % 2 == 0) == white_begins
            sign = 1 if white else -1
            fall = sign * (chances[index] - chances[index + 1])
            exact = 103.1668100711649 * math.exp(-0.04354415386753951 * fall) - 3.166924740191411
            accuracy = 100.0 if fall <= 0 else min(max(exact + 1, 0), 100)
            start = max(index - (width - 2), 0)
            spread = statistics.pstdev(chances[start : start + width])
            weight = min(max(spread, 0.5), 12)
            found[white].append((accuracy, weight, max(sign * (was - became), 0)))
        run = []
    return [_mean(found[colour]) for colour in (True, False)]


def _mean(moves: list[tuple[float, float, int]]) -> Published:
    if not moves:
        return Published(None, None)
    accuracies, weights, losses = zip(*moves, strict=True)
    weighted = sum(map(math.prod, zip(accuracies, weights, strict=True))) / sum(weights)
    harmonic = len(moves) / sum(1 / max(accuracy, 1) for accuracy in accuracies)
    return Published((weighted + harmonic) / 2, sum(losses) / len(losses))


def written(score: int, form: str) -> str:
    """A score as a program writes it."""
    sign = "-" if score < 0 else ""
    if abs(score) > MATE // 2:
        moves = MATE - abs(score)
        mark = {"chess.com": f"{sign or '+'}M{moves}", "deep": f"#{sign}{moves},31"}
        return f"[%eval {mark.get(form, f'#{sign}{moves}')}]"
    pawns = f"{score / 100:.2f}"
    marks = {"chess.com": f"{'' if sign else '+'}{pawns}", "deep": f"{pawns},24"}
    return f"[%eval {marks.get(form, pawns)}]"


def scored_game(seed: int, form: str, fen: str, share: float = 1.0) -> tuple[str, Scores]:
    """The text of a game with a walk of scores, and what they are; mates come and go."""
    source = random.Random(seed)
    board = chess.Board(fen)
    scores: Scores = [15 if fen == chess.STARTING_FEN else None]
    words = []
    score = 20
    for _ in range(source.randrange(20, 90)):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        move = source.choice(moves)
        san = board.san(move)
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        board.push(move)
        if board.is_game_over():
            break
        score = round(score * 0.9) + source.choice((0, -5, 10, -40, 40, 90, -200, 250))
        told = source.choice((1, -1)) * (MATE - 3) if source.random() < 0.06 else score
        is_told = source.random() < share
        scores.append(told if is_told else None)
        sign = source.choice(("", "", "", "?!", "?", "??")) if form == "lichess" else ""
        comment = f" {{ {written(told, form)} [%clk 0:03:00] }}" if is_told else ""
        words.append(f"{number} {san}{sign}{comment}")
    tags = ["[White 'Ann']", "[Black 'Ben']", f"[Site '{form} {seed}']"]
    tags += [] if fen == chess.STARTING_FEN else ["[SetUp '1']", f"[FEN '{fen}']"]
    text = "\n".join(tags).replace("'", '"') + f"\n\n{' '.join(words)} *\n"
    return text, scores


def own_game(seed: int, fen: str) -> tuple[str, Scores]:
    """A game as this program writes it, and its scores as the text has them."""
    report = report_of(game_of(scored_game(seed, "plain", fen, 0)[0]))
    text = format_pgn(annotate(report))
    game = game_of(text)
    scores: Scores = []
    for node in (game, *game.mainline()):
        score = node.eval()
        scores.append(score.white().score(mate_score=MATE) if score else None)
    return f"{text}\n", scores


@cache
def games() -> list[tuple[str, Scores]]:
    """Twenty of them: of other programs, with gaps, with mates, from a FEN, and of this one."""
    return [
        *(scored_game(seed, "lichess", chess.STARTING_FEN) for seed in range(5)),
        *(scored_game(seed, "chess.com", chess.STARTING_FEN) for seed in range(5, 8)),
        *(scored_game(seed, "deep", chess.STARTING_FEN) for seed in range(8, 10)),
        *(scored_game(seed, "lichess", chess.STARTING_FEN, 0.8) for seed in range(10, 13)),
        *(scored_game(seed, "chess.com", ENDGAME) for seed in range(13, 15)),
        scored_game(15, "deep", ENDGAME, 0.8),
        *(own_game(seed, chess.STARTING_FEN) for seed in range(16, 18)),
        *(own_game(seed, ENDGAME) for seed in range(18, 20)),
    ]


def test_a_summary_follows_the_published_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("\n".join(text for text, _ in games()), encoding="utf-8")
    reports = list(read_reports(path))
    assert len(reports) == len(games()) == 20
    expected = []
    for report, (_, scores) in zip(reports, games(), strict=True):
        expected.append(published(scores, report.game.turn() == chess.WHITE))
        for part, player in zip(figures_of(report), expected[-1], strict=True):
            assert part.accuracy == pytest.approx(player.accuracy, abs=0.05)
            assert part.loss == pytest.approx(player.loss, abs=0.05)
    assert command.main([str(path), "--player", "Ann", "-o", str(tmp_path / "ann.json")]) == 0
    total = json.loads((tmp_path / "ann.json").read_text("utf-8"))["total"]
    accuracies = [white.accuracy for white, _ in expected if white.accuracy is not None]
    losses = [white.loss for white, _ in expected if white.loss is not None]
    assert total["accuracy"] == pytest.approx(statistics.fmean(accuracies), abs=0.1)
    assert total["average_centipawn_loss"] == pytest.approx(statistics.fmean(losses), abs=0.1)
    capsys.readouterr()


def test_moves_that_each_lose_a_little_are_not_perfect(tmp_path: Path) -> None:
    """A game without a sign, in which each move of White loses 40 centipawns and Black gives them back."""
    path = tmp_path / "calm.pgn"
    path.write_text(
        "1. e4 {[%eval -0.25]} e5 {[%eval 0.15]} 2. Nf3 {[%eval -0.25]} Nc6 {[%eval 0.15]} "
        "3. Bc4 {[%eval -0.25]} Bc5 {[%eval 0.15]} *\n"
    )
    (report,) = read_reports(path)
    assert report.white.loss == 40 and report.white.accuracy == pytest.approx(85.7, abs=0.1)


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
    texts += [text for text, _ in games()[::5]]
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
