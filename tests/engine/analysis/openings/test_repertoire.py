"""A repertoire: its positions as exercises, and where games leave it."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from boomslang.cli.analysis.exercises import command
from boomslang.cli.analysis.summary import command as summary_command
from boomslang.core.system.files import FileError
from boomslang.engine.analysis.exercises import texts
from boomslang.engine.analysis.exercises.collect import repertoire_exercise
from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from boomslang.engine.analysis.exercises.verdict import find_known_chance
from boomslang.engine.analysis.export import game_data, write_document
from boomslang.engine.analysis.openings.repertoire import Repertoire
from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.notation.pgn import games_of_text
from tests.support.analysed import ANNOTATED, SETTINGS, game_of, report_of
from tests.support.exercises import mate_in_one

SPANISH = """[Event "Spanish"]
[Orientation "white"]

1. e4 e5 (1... c5 2. Nf3 (2. c3) 2... d6 3. d4) (1... Nc6 2. d4) (1... f6 $2 2. d4)
2. Nf3 (2. f4 $6 exf4 3. Bc4) 2... Nc6 3. Bb5 *

[Event "Transposed"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 *
"""


@pytest.fixture
def white(tmp_path: Path) -> Path:
    path = tmp_path / "white.pgn"
    path.write_text(SPANISH, "utf-8")
    return path


def departure(white: Path, moves: str) -> str:
    found = Repertoire([white]).departure(next(games_of_text(moves)).game)
    return found.sentence if found else ""


def test_the_positions_of_a_side(white: Path) -> None:
    repertoire = Repertoire([white])
    exercises = [repertoire_exercise(position) for position in repertoire.positions(chess.WHITE)]
    assert {one.origin: sorted(one.known) for one in exercises} == {
        "Spanish": ["e2e4", "g1f3"],
        "Spanish: 1. e4 e5": ["g1f3"],  # and not the dubious 2. f4
        "Spanish: 1. e4 e5 2. Nf3 Nc6": ["f1b5", "f1c4"],  # reached in two ways
        "Spanish: 1. e4 c5": ["c2c3", "g1f3"],
        "Spanish: 1. e4 c5 2. Nf3 d6": ["d2d4"],
        "Spanish: 1. e4 Nc6": ["d2d4"],
        "Spanish: 1. e4 f6": ["d2d4"],
        "Transposed: 1. Nf3 Nc6": ["e2e4"],
    }
    assert repertoire.sides == {"white"} and len(list(repertoire.positions(chess.BLACK))) == 6
    first = exercises[0]
    assert Exercise.from_json(json.loads(json.dumps(first.to_json()))) == first
    assert texts.task(first) == "White to move: which move is in your repertoire?"
    assert texts.solution(first) == ["1. e4. Right too: Nf3."]
    for name, words in (("g1f3", "Right: Nf3."), ("d2d4", "Wrong: d4 is not in your repertoire.")):
        move = chess.Move.from_uci(name)
        chance = find_known_chance(first, move)
        assert chance is not None and texts.verdict(first, move, chance) == words


def test_chapters_of_the_other_side_are_no_moves_of_this_one(tmp_path: Path) -> None:
    texts = {"white": "1. e4 e5 2. Nf3 *", "black": "1. e4 e5 2. Nc3 Nf6 *"}
    paths = []
    for side, moves in texts.items():
        paths.append(tmp_path / f"{side}.pgn")
        paths[-1].write_text(f'[Orientation "{side}"]\n\n{moves}\n')
    repertoire = Repertoire(paths)
    asked = {at.line[-1:]: at.right_moves() for at in repertoire.positions(chess.WHITE)}
    assert [[move.uci() for move in moves] for moves in asked.values()] == [["e2e4"], ["g1f3"]]
    game = next(games_of_text("1. e4 e5 2. Nc3 Nf6 *")).game
    left = repertoire.departure(game, chess.WHITE)
    assert left and left.sentence == "White leaves the repertoire with 2. Nc3 (2. Nf3)"
    assert repertoire.departure(game, chess.BLACK) is None
    assert repertoire.departure(game) is None  # whose game it is is not known


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("1. e4 e5 2. Nc3 Nc6", "White leaves the repertoire with 2. Nc3 (2. Nf3)"),
        ("1. e4 d5 2. exd5", "Black leaves the repertoire with 1... d5 (1... e5, c5, Nc6)"),
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
            "in the repertoire to the end of the line before 3... a6",
        ),
        ("1. Nf3 Nc6 2. e4 e5 3. d4", "White leaves the repertoire with 3. d4 (3. Bb5, Bc4)"),
        ("1. e4 e5 2. f4 d5", "White leaves the repertoire with 2. f4 (2. Nf3)"),
        ("1. e4 c5", ""),
        ("1. d4 d5", ""),
        ('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Ke7', ""),
        ('[Event "Without moves"]\n\n*', ""),
        ("1. e4 f6 2. d4 g5 3. Qh5#", "in the repertoire to the end of the line before 2... g5"),
    ],
)
def test_where_a_game_leaves_it(white: Path, moves: str, words: str) -> None:
    assert departure(white, moves) == words


def test_the_exercises(
    white: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = ExerciseFile(tmp_path / "own.json")
    file.add([mate_in_one()])
    own = ["--file", str(file.path)]
    assert command.main(["add", "--repertoire", str(white), *own]) == 0
    assert capsys.readouterr().out.startswith("white: 8 positions, 8 new exercises in ")
    data = json.loads(file.path.read_text())
    assert len(data["exercises"]) == 1 and len(data["repertoire"]) == 8
    typed = iter(["skip", "d4", "Nf3"])
    monkeypatch.setattr(command, "ask", lambda prompt: next(typed, "quit"))
    assert command.main(["solve", *own]) == 0
    told = capsys.readouterr().out
    assert (
        "Wrong: d4 is not in your repertoire." in told and "Exercise 3 of 9: Spanish: 1. e4" in told
    )
    white.write_text(SPANISH.replace("2. Nf3 (2. f4 $6 exf4 3. Bc4)", "2. Nc3"), "utf-8")
    assert command.main(["add", "--repertoire", str(white), *own]) == 0
    assert "9 positions, 1 new exercise in" in capsys.readouterr().out
    first, second = file.read()[1:3]
    assert (first.wrong, second.right, list(second.known)) == (1, 1, ["b1c3"])
    assert first.due == datetime.date.today() + datetime.timedelta(days=1)
    assert command.main(["list", *own]) == 0
    for kind in ("epd", "pgn"):
        assert command.main(["export", str(tmp_path / f"x.{kind}"), *own]) == 0
        assert (tmp_path / f"x.{kind}").read_text().count("Spanish") >= 6
    file.add(
        [
            replace(
                file.read()[1],
                fen=f"{chess.Board().board_fen()} b KQkq - 0 1",
                best=("e7e5",),
                known={"e7e5": 100.0},
            )
        ]
    )
    for text, *options, words in (
        (
            "1. e4 *",
            "kept: 8 positions for white that the repertoire lacks; --replace removes them",
        ),
        (
            "1. e4 Ke5 *",
            "--replace",
            "kept: 8 positions for white that the repertoire lacks, since not",
        ),
        ("1. e4 *", "--replace", "removed: 8 positions for white that the repertoire lacks"),
        ("1. e4 *", "--replace", "white: 1 position, 0 new exercises"),
    ):
        white.write_text(f'[Orientation "white"]\n\n{text}', "utf-8")
        command.main(["add", "--repertoire", str(white), *options, *own])
        assert words in capsys.readouterr().out
    assert [one.is_repertoire for one in file.read()] == [False, True, True]  # and that for Black


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1. e4 *", "for which side? Add --colour white or --colour black"),
        ('[Orientation "up"]\n\n1. e4 *', "for which side?"),
        ("rubbish", "is not a PGN file"),
        ('[Event "Empty"]\n\n*', "has no moves"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "White has no king"),
        ("", "has no game"),
    ],
)
def test_bad_repertoires(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text(content, "utf-8")
    own = ["--file", str(tmp_path / "own.json")]
    assert command.main(["add", "--repertoire", str(path), *own]) == 2
    assert message in capsys.readouterr().err
    assert command.main(["add", *own]) == 2
    assert "name analysed games, or PGN files by --repertoire" in capsys.readouterr().err
    with pytest.raises(FileError):
        Repertoire([tmp_path / "none.pgn"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--repertoire", "white.pgn", "--player", "Doe"], "--player belongs to analysed games"),
        (["games.json", "--colour", "white"], "--colour belongs to --repertoire"),
        (["games.json", "--replace"], "--replace belongs to --repertoire"),
    ],
)
def test_no_option_is_ignored(
    given: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["add", *given, "--file", str(tmp_path / "own.json")]) == 2
    assert message in capsys.readouterr().err


def test_a_position_is_the_same_by_all_ways(tmp_path: Path) -> None:
    """Its name too, so that answers stay; and one way without a bad move is enough."""
    path = tmp_path / "ways.pgn"
    lines = ["1. e4 e5 2. f4 $6 exf4 3. Nf3 d6 4. d4 *", "1. e4 d6 2. f4 e5 3. Nf3 exf4 *"]
    lines += ["1. d4 d5 2. c4 e6 3. Nc3 *", "1. d4 e6 2. c4 d5 3. Nc3 *"]
    names = []
    for order in (lines, lines[::-1]):
        path.write_text("\n\n".join(order), "utf-8")
        positions = Repertoire([path]).positions(chess.WHITE)
        names.append({repertoire_exercise(position).name for position in positions})
    assert names[0] == names[1] and len(names[0]) == 7


def test_a_file_with_a_fault_is_read_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fault.pgn"
    path.write_text("1. e4 e5 (1... Kd4) 2. Nf3 *\n\n1. d4 d5 2. -- Nf6 *", "utf-8")
    given = ["--repertoire", str(path), "--colour", "white", "--file", str(tmp_path / "own.json")]
    assert command.main(["add", *given]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("white: 2 positions") and "Kd4" in said.err


def test_the_report_and_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of(game_of(ANNOTATED))
    path = tmp_path / "other.pgn"
    first, second = [move.uci() for move in report.game.mainline_moves()][:2]
    board = report.game.board()
    san = board.san_and_push(chess.Move.from_uci(first))
    other = next(move for move in board.legal_moves if move.uci() != second)
    path.write_text(f"1. {san} {board.san(other)} *\n", "utf-8")
    found = Repertoire([path]).departure(report.game)
    assert found and found.sentence.startswith("Black leaves the repertoire with 1... ")
    told = replace(report, repertoire=found.sentence)
    assert found.sentence in game_page(told)["opening"]
    assert game_data(told)["repertoire"] == found.sentence
    assert "repertoire" not in game_data(report)
    monkeypatch.chdir(tmp_path)
    Path("games.json").write_text("".join(write_document([report], SETTINGS)), "utf-8")
    given = ["games.json", "--player", "Roe & Sons", "-o", "s.json", "--repertoire", str(path)]
    assert summary_command.main(given) == 0
    assert "Left the repertoire with" in capsys.readouterr().out
    path.rename("s.html")  # would be overwritten
    assert summary_command.main([*given[:3], "-o", "s.html", "--repertoire", "s.html"]) == 2
    (row,) = json.loads(Path("s.json").read_text())["repertoire"]
    assert row["by"] == "player" and row["games"] == 1 and row["left"] == found.words
