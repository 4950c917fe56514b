"""Exercises in the terminal, and the command."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from boomslang.cli.analysis.exercises import command
from boomslang.cli.analysis.exercises.terminal_trainer import ExerciseTrainer
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.screen import BoardStyle
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.session import ExerciseSession
from boomslang.engine.analysis.export import write_document
from tests.support.analysed import ANNOTATED, SETTINGS, game_of, report_of
from tests.support.exercises import en_passant, mate_in_one
from tests.support.other_engine import other_engine

TODAY = datetime.date(2026, 2, 27)


class Session:
    """A trainer with typed lines; a search finds `chance` for every move."""

    def __init__(self, folder: Path, lines: Iterable[str], chance: float = 50.0) -> None:
        self.file = ExerciseFile(folder / "exercises.json")
        self.file.add([mate_in_one(), en_passant()])
        self.searched: list[str] = []
        self._lines = iter(lines)
        self._chance = chance
        self._output = io.StringIO()
        console = Console(file=self._output, width=80)
        style = BoardStyle(unicode=False, colour=False)
        session = ExerciseSession(self.file, lambda: TODAY)
        self.trainer = ExerciseTrainer(session, console, style, self.ask, self.search)

    def ask(self, prompt: str) -> str:
        for line in self._lines:
            return line
        raise EOFError

    def search(self, exercise: Exercise, move: str) -> float:
        self.searched.append(move)
        return self._chance

    def run(self, most: int | None = None) -> str:
        self.trainer.run(most)
        return self._output.getvalue()


def test_right_and_wrong_answers_are_kept(tmp_path: Path) -> None:
    session = Session(tmp_path, ["Re8", "Kd2"])
    shown = session.run()
    assert "Right: Re8# has 97.5 % winning chances" in shown and "It is done." in shown
    assert "Wrong: Kd2 has 50.0 % winning chances" in shown
    assert "It comes again on 2026-02-28." in shown and "1 of 2 right." in shown
    assert session.searched == ["e1d2"]
    first, second = session.file.read()
    assert first.is_finished and second.due == datetime.date(2026, 2, 28)
    again = Session(tmp_path, ["Kd2"])
    assert again.run() == "Nothing was answered.\n"


def test_a_searched_move_may_be_right(tmp_path: Path) -> None:
    session = Session(tmp_path, ["skip", "e6"], chance=65.0)
    assert "Right: e6 has 65.0 % winning chances, the best move 70.0 %." in session.run()
    assert session.file.read()[1].is_finished


def test_words(tmp_path: Path) -> None:
    lines = ["", "help", "fen", "Qh8", "solution", "quit"]
    session = Session(tmp_path, lines)
    shown = session.run()
    assert "counts as wrong" in shown and mate_in_one().fen in shown and "Qh8 is not" in shown
    assert "Solution: 30. Ra8#. Right too: Re8#, g3." in shown and "0 of 1 right." in shown
    assert [exercise.wrong for exercise in session.file.read()] == [1, 0]


def test_the_end_of_the_input_and_a_limit(tmp_path: Path) -> None:
    assert "Nothing was answered." in Session(tmp_path, []).run()
    limited = Session(tmp_path, ["Ra8", "Kd2"])
    assert "1 of 1 right." in limited.run(most=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    reports = [report_of(game_of(ANNOTATED))]
    Path("games.json").write_text("".join(write_document(reports, SETTINGS)), encoding="utf-8")
    Path("scored.pgn").write_text(
        '[White "Jane"]\n[Black "Jo"]\n\n1. e4 {[%eval 0.2]} g5 $4 {[%eval 3.0]} *\n'
    )
    return tmp_path


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["--file", "own.json"]
    assert command.main(["add", "games.json", "--player", "roe & SONS", *own]) == 0
    added = capsys.readouterr().out
    count = len(ExerciseFile(Path("own.json")).read())
    assert count == 1 and added == "Roe & Sons: 1 bad move, 1 new exercise in 'own.json'\n"
    assert command.main(["add", "games.json", "--player", "Roe & Sons", *own]) == 0
    again = capsys.readouterr().out
    assert ", 0 new exercises" in again
    assert "left out: 1 in positions that are exercises already" in again
    assert command.main(["add", "scored.pgn", "--player", "Jo", *own]) == 0
    assert "left out: 1 without a better move in the file; boomslang" in capsys.readouterr().out
    assert command.main(["list", *own]) == 0
    assert "3... Nf6" in capsys.readouterr().out
    for kind in ("epd", "pgn"):
        assert command.main(["export", f"mistakes.{kind}", *own]) == 0
        text = Path(f"mistakes.{kind}").read_text("utf-8")
        assert (
            len([line for line in text.splitlines() if "Exercise" in line or " bm " in line])
            == count
        )
    few = command.main(
        ["add", "games.json", "--player", "Roe & Sons", "--least", "blunder", "--file", "b"]
    )
    assert few == 0 and len(ExerciseFile(Path("b")).read()) <= count


def test_why_bad_moves_make_no_exercise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What costs little in a position that is won anyway makes no exercise."""
    Path("slow.pgn").write_text(
        '[White "Jane"]\n[FEN "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"]\n\n'
        "{[%eval 20]} 1. Kf7 {[%eval 20]} Kh7 {[%eval 20]} 2. Qg5 $4 {[%eval 7.8]} ( 2. Qg7# ) *\n"
    )
    Path("more").mkdir()
    for name in ("slow.pgn", "games.json"):
        Path(name).rename(f"more/{name}")
    given = ["add", "more", "--least", "inaccuracy", "--player", "jane", "--file", "own.json"]
    assert command.main(given) == 0
    assert capsys.readouterr().out == (
        "Jane: 1 bad move, 0 new exercises in 'own.json'\n"
        "left out: 1 cost at most 5 percentage points of winning chances\n"
    )


def test_a_game_in_two_results_counts_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in the report of a folder, beside that of one of its files."""
    Path("more").mkdir()
    text = Path("games.json").read_text("utf-8")
    for name in ("games", "more"):
        Path(f"more/{name}-analysed.json").write_text(text, encoding="utf-8")
    assert command.main(["add", "more", "--player", "Roe & Sons", "--file", "own.json"]) == 0
    said = "Roe & Sons: 1 bad move, 1 new exercise in 'own.json'\n"
    assert capsys.readouterr().out == said


def test_another_engine_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.json"
    ExerciseFile(file).add([en_passant()])
    monkeypatch.setattr(command, "ask", lambda prompt: "Kd2")
    assert command.main(["solve", "--file", str(file), "--engine", other_engine(tmp_path)]) == 0
    # To that engine both moves are the same, whatever the analysis has said of the best one.
    assert "Right: Kd2 has 70.0 % winning chances, the best move 70.0 %" in capsys.readouterr().out


def test_nothing_is_due(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = ExerciseFile(Path("own.json"))
    file.add([mate_in_one()])
    file.update(mate_in_one().name, lambda kept: kept.record_answer(False, datetime.date.today()))
    assert command.main(["solve", "--file", "own.json"]) == 0
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    assert capsys.readouterr().out == f"Nothing is due before {tomorrow}.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "--file", "none.json"], "there are no exercises in 'none.json'; first:"),
        (["list", "--file", "games.json"], "'games.json' is not a file of exercises"),
        (["add", "games.json", "--file", "games.json"], "'games.json' is not a file of exercises"),
        (["add", "plain.pgn", "--file", "x.json"], "no analysed game in 'plain.pgn'"),
        (["add", "games.json", "--player", "No", "--file", "x.json"], "no game of a player 'No'"),
        (["export", "out.txt", "--file", "x.json"], "out.txt"),
        (["add", "games.json", "--least", "bad"], "--least"),
        ([], "add | solve | list | export"),
    ],
)
def test_bad_usage(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("plain.pgn").write_text("1. e4 e5 *\n")
    assert command.main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("x.json").exists()
