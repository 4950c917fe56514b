"""`boomslang analyse`: from games to files, with the engine."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.cli.analysis import analyse_command
from boomslang.engine.analysis.analysis_journal import add_result, analysis_journal
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.segment import Evaluations, segment_searcher
from boomslang.engine.notation.pgn import read_games
from boomslang.engine.search_settings import AnalysisSettings
from tests.support.analysed import ANNOTATED, game_of
from tests.support.process import run_python

GAMES = ANNOTATED + "\n" + '[White "Loyd"]\n[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n\n1. Kf7 *\n'
QUICK = ("--nodes", "300", "--jobs", "1", "--hash", "1")

pytestmark = pytest.mark.jit_only


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    return tmp_path


def analysed(folder: Path, stem: str, *arguments: str) -> dict[str, str]:
    """The contents of the result files."""
    assert analyse_command.main(["games.pgn", "--out", stem, *QUICK, *arguments]) == 0
    names = ("pgn", "json", "html")
    return {name: (folder / f"{stem}.{name}").read_text(encoding="utf-8") for name in names}


def test_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert analyse_command.main(["games.pgn", *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "Game 1, 3... Nf6: Blunder. Allows mate in 1: 4. Qxf7#." in shown
    assert "2 games" in shown and "games-analysed.html" in shown and "\x1b" not in shown
    assert sorted(path.name for path in folder.iterdir()) == [
        "games-analysed.html",
        "games-analysed.json",
        "games-analysed.pgn",
        "games.pgn",
    ]
    text = (folder / "games-analysed.pgn").read_text(encoding="utf-8")
    assert list(game_of(text).mainline_moves()) == list(game_of(GAMES).mainline_moves())
    data = json.loads((folder / "games-analysed.json").read_text(encoding="utf-8"))
    first, second = data["games"]
    assert first["moves"][5]["judgement"] == "blunder"
    assert first["positions"][6]["lines"][0]["san"] == ["Qxf7#"]
    assert second["positions"][0]["lines"][0]["mate"] == 1
    assert sum(second["positions"][0]["lines"][0]["wdl"]) == 1000


def test_games_of_standard_input(folder: Path) -> None:
    # The second time the files are there already.
    for name in ("-", "/dev/stdin" if Path("/dev/stdin").exists() else "-"):
        done = run_python("-m", "boomslang", "analyse", name, *QUICK, folder=folder, given=GAMES)
        assert (done.returncode, done.stderr) == (0, "")
    data = json.loads((folder / "stdin-analysed.json").read_text(encoding="utf-8"))
    assert len(data["games"]) == 2


@pytest.mark.parametrize("kind", ["pgn", "json", "html"])
def test_the_extension_of_the_file_to_write_is_its_format(kind: str, folder: Path) -> None:
    assert analyse_command.main(["games.pgn", *QUICK, "-o", f"new/report.{kind}"]) == 0
    assert [path.name for path in (folder / "new").iterdir()] == [f"report.{kind}"]
    begin = {"pgn": "[Event", "json": "{", "html": "<!"}
    assert (folder / "new" / f"report.{kind}").read_text("utf-8").startswith(begin[kind])


def test_a_table_of_moves(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tags = '[White "A, \\"B\\" C"]\n[WhiteElo "1900"]\n\n'
    moves = "1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:59.5]} 2. Qh5 {[%clk 0:00:50]} Nc6 3. Bc4 Nf6 4. Qxf7# *"
    (folder / "games.pgn").write_text(f"{tags}{moves}\n\n[White 'x']\n\n*\n\n{tags}1. d4 *\n")
    words = ["games.pgn", *QUICK, "-o", "one.json", "--table"]
    assert analyse_command.main([*words, "moves.csv"]) == 0
    assert "moves.csv" in capsys.readouterr().out
    with (folder / "moves.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    games = json.loads((folder / "one.json").read_text("utf-8"))["games"]
    kept = [(game, move) for game in games for move in game["moves"]]
    assert len(rows) == len(kept) == 8
    for row, (game, move) in zip(rows, kept, strict=True):
        assert row["game"] == str(game["number"]) and row["white"] == 'A, "B" C'
        assert row["rating"] == ("1900" if move["ply"] % 2 == 0 else "")
        assert row["fen"] == game["positions"][move["ply"]]["fen"]
        same = ("ply", "san", "uci", "phase", "loss", "win_chance", "accuracy", "judgement", "cp")
        for name in same:
            assert row[name] == ("" if move.get(name) is None else str(move[name])), name
    assert rows[0]["left"] == "58.0" and rows[2]["spent"] == "8.0" and rows[6]["left"] == ""
    assert rows[0]["result"] == "1-0" and rows[6]["mate"] == "0" and rows[5]["reason"]
    for bad, told in (
        ([*words, "moves.json"], "--table writes CSV"),
        ([*words, "games.pgn"], "--table writes CSV"),
        (["--fen", chess.STARTING_FEN, "--table", "x.csv"], "--table needs files"),
    ):
        assert analyse_command.main(bad) == 2
        assert told in capsys.readouterr().err


def test_irregularities_of_a_game_are_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "games.pgn").write_text('[White "A"]\n[White "B"]\n\n1. e4, e5 $1000 3. Nf3 *\n')
    assert analyse_command.main(["games.pgn", *QUICK, "-o", "odd.json"]) == 1
    said = capsys.readouterr().err
    assert "move number 3 instead of 2" in said and "two tags White" in said and "$1000" in said
    (game,) = json.loads((folder / "odd.json").read_text("utf-8"))["games"]
    assert [move["san"] for move in game["moves"]] == ["e4", "e5", "Nf3"]
    assert len(game["problems"]) == 3


def test_it_says_its_effort_its_scale_and_who_won_on_the_board(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "games.pgn").write_text("1. f3 e5 2. g4 Qh4# *\n\n1. e4 *\n")
    assert analyse_command.main(["games.pgn", *QUICK, "-o", "mated.json"]) == 0
    shown = capsys.readouterr().out
    assert "300 nodes a position. Winning chances" in shown and "the curve of Lichess." in shown
    assert shown.count("│ 0-1 ") == shown.count("│ * ") == 1


def test_the_result_depends_on_nothing_else(folder: Path) -> None:
    once = analysed(folder, "once")
    assert analysed(folder, "again", "--jobs", "2") == once

    output = folder / "torn.journal"
    with analysis_journal(output).open() as kept:  # what a killed run has left
        for key, found in list(_results(folder).items())[::2]:
            add_result(kept, key, found)
    output.write_bytes(output.read_bytes() + b'{"key": "half of a li')
    assert analysed(folder, "torn") == once
    assert not output.exists()


def _results(folder: Path) -> dict[str, Evaluations]:
    """Everything that has to be found out about the games, as a journal has it."""
    settings = AnalysisSettings(nodes=300, hash_mb=1)
    search = segment_searcher(settings)
    results: dict[str, Evaluations] = {}
    for entry in read_games(folder / "games.pgn"):
        plan = AnalysisPlan(entry.game, settings)
        while tasks := plan.tasks(results):
            results |= {key: search(task) for key, task in tasks.items()}
    return results


def test_formats_and_lines(folder: Path) -> None:
    arguments = ["games.pgn", "--formats", "json", "--multipv", "3", "--out", "few", *QUICK]
    assert analyse_command.main(arguments) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["few.json", "games.pgn"]
    data = json.loads((folder / "few.json").read_text(encoding="utf-8"))
    lines = data["games"][0]["positions"][0]["lines"]
    assert len({line["uci"][0] for line in lines}) == 3
    assert data["settings"]["multipv"] == 3


def test_a_single_position(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    assert analyse_command.main(["--fen", fen, "--depth", "4", "--multipv", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == fen and len(shown) == 3
    assert shown[1].split()[0] == "#1" and shown[1].endswith("1. Ra8#")
    assert sorted(path.name for path in folder.iterdir()) == ["games.pgn"]
    mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    assert analyse_command.main(["--fen", mated, "--out", "mated", *QUICK]) == 0
    assert "the game is over" in capsys.readouterr().out
    assert (folder / "mated.html").exists()


def test_chess960(folder: Path) -> None:
    fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"
    game = f'[Variant "Chess960"]\n[FEN "{fen}"]\n\n1. O-O O-O 2. e4 *\n'
    (folder / "games.pgn").write_text(game, encoding="utf-8")
    found = analysed(folder, "fischer")
    assert list(game_of(found["pgn"]).mainline_moves()) == list(game_of(game).mainline_moves())
    assert json.loads(found["json"])["games"][0]["positions"][0]["fen"] == fen


def test_games_that_are_passed_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = '[Variant "Atomic"]\n\n1. e4 e5 *\n\n[White "A"]\n\n1. e4 Ke7 2. d4 *\n\n'
    (folder / "games.pgn").write_text(games, encoding="utf-8")
    assert analyse_command.main(["games.pgn", *QUICK]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "games.pgn:1: game 1: left out: the variant Atomic is not supported",
        "games.pgn:5: game 2: illegal move: 1... Ke7",
    ]
    text = (folder / "games-analysed.pgn").read_text(encoding="utf-8")
    assert text.startswith('[Variant "Atomic"]\n\n1. e4 e5 *\n\n') and text.count("[Event") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name PGN files or a --fen"),
        (["games.pgn", "--fen", chess.STARTING_FEN], "name PGN files or a --fen"),
        (["empty"], "'empty' has no file with the ending .pgn"),
        (["games.pgn", "--out", "games.pgn/x"], "cannot write 'games.pgn"),
        *(
            (["games.pgn", "--out", name], f"'{name or '.'}' names a folder: add the name")
            for name in ("", ".", "..", "/", "empty/", "empty/.")
        ),
        (["games.pgn", "--out", "folder"], "cannot write 'folder.html': it is a folder"),
        (
            ["games.pgn", "--out", "taken"],
            "is damaged, or no journal of this command; choose another --out",
        ),
        (["games.pgn", "--formats", "pdf"], "'pdf' is not one of pgn, json, html"),
        (["games.pgn", "--chess960"], "--chess960 needs --fen"),
        (["--fen", chess.STARTING_FEN, "--formats", "html"], "--formats needs --out"),
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position"),
    ],
)
def test_bad_usage(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "taken.journal").write_text("mine", encoding="utf-8")
    (folder / "empty").mkdir()
    (folder / "folder.html").mkdir()
    assert analyse_command.main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("boomslang analyse: ") and message in line
    assert not list(folder.glob("*.lock")) and not list(folder.glob("*.json"))


def test_several_files_make_one_report(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "more").mkdir()
    more = "more/[bold]evening.pgn"
    (folder / more).write_text('[White "Last"]\n\n1. d4 d5 2. Ke3 *\n', encoding="utf-8")
    assert analyse_command.main(["games.pgn", more, *QUICK]) == 1
    shown = capsys.readouterr()
    assert f"{more}:1: game 1: " in shown.err and "3 games" in shown.out
    stem = "games-and-1-more-analysed"
    names = [f"{stem}.{ending}" for ending in ("pgn", "json", "html")]
    assert shown.out.splitlines()[-3:] == names
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    games = json.loads(texts[f"{stem}.json"])["games"]
    assert [game["file"] for game in games] == ["games.pgn", "games.pgn", more]
    assert [game["headers"]["White"] for game in games][1:] == ["Loyd", "Last"]
    assert f"{more} " in texts[f"{stem}.html"] and texts[f"{stem}.pgn"].count("[Result ") == 3

    # What one of the files alone has, no name of a file, and what was begun is gone on with.
    alone = json.loads(analysed(folder, "alone")["json"])["games"]
    assert "file" not in alone[0]
    assert [{"file": "games.pgn", **game} for game in alone] == games[:2]
    for name in names:
        (folder / name).unlink()
    with analysis_journal(folder / f"{stem}.journal").open() as kept:
        for key, found in _results(folder).items():
            add_result(kept, key, found)
    searched: list[object] = []
    real = analyse_command.__dict__["_search"]

    def counted(*arguments: object) -> object:
        for found in real(*arguments):
            searched.append(found)
            yield found

    monkeypatch.setattr(analyse_command, "_search", counted)
    assert analyse_command.main(["games.pgn", more, *QUICK]) == 1
    assert 0 < len(searched) <= 3  # those of the second file
    assert texts == {name: (folder / name).read_text(encoding="utf-8") for name in names}
