"""Output at 80 columns: no line is longer, and no word is broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import chess
import pytest

from boomslang.cli.analysis.endgames import endgame_trainer
from boomslang.cli.analysis.exercises import terminal_trainer
from boomslang.cli.analysis.show import show_games
from boomslang.cli.lab.selfplay import tune_command
from boomslang.cli.play import terminal_game
from boomslang.cli.play.gui.settings import PROGRAMS
from boomslang.engine.analysis.assessment import GameReport
from boomslang.engine.driver.bench import POSITIONS, measure
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.search.params import TABLE
from boomslang.uci import about, evaluation_table
from tests.support.analysed import SETTINGS, game_of, report_of

if TYPE_CHECKING:
    from boomslang.engine.analysis.plan import Reports

COLUMNS = 80
FIXED = {
    "help": about.HELP,
    "license": about.LICENSE,
    "help of play": terminal_game.HELP,
    "help of exercises": terminal_trainer.ExerciseTrainer.help,
    "help of endings": endgame_trainer.EndgameTrainer.help,
    **{name: program.steps(Path("/usr/bin/boomslang")) for name, program in PROGRAMS.items()},
}


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", f"{COLUMNS}")


def assert_narrow(text: str, *words: str) -> None:
    """No line is too long, and each of the words stands there whole."""
    assert [line for line in text.splitlines() if len(line) > COLUMNS] == []
    shown = set(text.replace("│", " ").split())
    assert [word for word in words if word not in shown] == []


@pytest.mark.parametrize("name", FIXED)
def test_fixed_texts(name: str) -> None:
    assert_narrow(FIXED[name])


class GivenReports(list[GameReport]):
    """What is shown of `Reports`."""

    settings = (SETTINGS,)


def test_the_games_of_several_files(capsys: pytest.CaptureFixture[str]) -> None:
    names = [
        "Kasparov, Garry Kimovich",
        "Deep Blue",
        "Topalov, Veselin Aleksandrov",
        "Nepomniachtchi",
    ]
    files = ["a-rather-long-name-of-games.pgn", "a-rather-long-name-of-games.pgn", "other.pgn"]
    game = f'[White "{names[0]}"]\n[Black "{{}}"]\n[Result "1/2-1/2"]\n\n1. f3 e5 2. g4 Qh4# *'
    reports = GivenReports(
        replace(report_of(game_of(game.format(name))), file=file)
        for name, file in zip(names[1:], files, strict=True)
    )
    show_games(cast("Reports", reports))
    assert_narrow(capsys.readouterr().out, *" ".join([*names, *files]).split(), "1/2-1/2")


def test_the_search_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert tune_command.main(["--list"]) == 0
    shown = [param for param in TABLE if not param.is_switch]
    words = [word for param in shown for word in (param.name, *param.meaning.split())]
    assert_narrow(capsys.readouterr().out, *words)


@pytest.mark.jit_only
@pytest.mark.parametrize("classical", [False, True])
def test_evaluations(classical: bool) -> None:
    searcher = Searcher(hash_mb=1)
    for fen in (chess.STARTING_FEN, "qqqqkqqq/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1"):
        board = chess.Board(fen)
        if trace := searcher.explain(board, classical):
            assert_narrow(evaluation_table.table(board, trace))


def test_the_bench() -> None:
    lines: list[str] = []
    measure(
        [chess.Board(fen) for fen in POSITIONS], lambda board: (10**9 - 1, "e2e4"), lines.append
    )
    text = "\n".join(lines)
    assert_narrow(text)
    assert all(fen in text for fen in POSITIONS)
