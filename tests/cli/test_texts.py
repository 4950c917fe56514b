"""Untrusted texts through every command that reads them: the valid part is used, the rest reported."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from boomslang.cli.analysis import analyse_command
from boomslang.cli.lab.books import command as book
from boomslang.cli.lab.labels import command as label
from boomslang.cli.lab.suites import puzzles_command, suite_command
from boomslang.cli.play.board.games_file import GamesFile
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.books.opening_book import Book
from boomslang.engine.notation.pgn import games_of_text
from tests.support.places import ROOT

pytestmark = pytest.mark.jit_only

# What is wrong with every second game, and what is said of it.
GAMES = """\
{ A collection. }

[Event "one"]


1. e4 e5 2. Nf3 1-0
[Event "hello"]
[FEN "hello"]

1. e4 { kept } ( 1. d4 ) *

[Event "two"] [White "A \\"B\\" C"]
1. d4 d5 -- 2. Nf6 *

[Event "\x1b[2Jlosers"]
[Variant "Losers"]

1. e4 *

[Event "three"]
1. ♘f3 d5 1/2-1/2

[Event "German"]

1. d4 Sf6 { never closed

[Event "four"]

1. c4 *
"""
TOLD = (
    "7: game 2: {0}not a FEN: 'hello'",
    "15: game 4: {0}the variant Losers is not supported",
    "23: game 6: not a move: 1... Sf6",
)
QUICK = ("--nodes", "1", "--jobs", "1", "--hash", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text(GAMES, "utf-8")
    return tmp_path


def test_analyse_copies_what_it_leaves_out(folder: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "cli", "analyse", "games.pgn", *QUICK]
    done = subprocess.run(command, capture_output=True, cwd=folder, env=environment)
    assert done.returncode == 1 and b"\x1b" not in done.stdout + done.stderr
    lines = [line for line in done.stderr.decode().splitlines() if "game " in line]
    assert lines == [f"games.pgn:{line.format('left out: ')}" for line in TOLD]
    names = [f"games-analysed.{name}" for name in ("html", "json", "pgn")]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*names, "games.pgn"])
    html, text, pgn = results = [Path(name).read_text("utf-8") for name in names]
    assert analyse_command.main(["games.pgn", *QUICK]) == 1
    assert results == [Path(name).read_text("utf-8") for name in names]  # the same again
    assert '[Event "hello"]\n[FEN "hello"]\n\n1. e4 { kept } ( 1. d4 ) *\n\n' in pgn
    assert '[Event " [2Jlosers"]\n[Variant "Losers"]\n\n1. e4 *\n\n' in pgn
    assert '[White "A \\"B\\" C"]' in pgn and "Not read: Sf6 (never closed)" in pgn
    assert "Game 2, line 7, is left out: not a FEN: 'hello'." in html
    games = json.loads(text)["games"]
    assert [game["number"] for game in games if not game["analysed"]] == [2, 4]
    assert [game["line"] for game in games if game["problems"]] == [7, 15, 23]
    assert [len(game["moves"]) for game in games if game["analysed"]] == [3, 4, 2, 1, 1]
    assert games[2]["moves"][2] is None and games[2]["white"]["moves"] == 1
    again = list(games_of_text(pgn))
    assert [entry.analysable for entry in again] == [True, False, True, False, True, True, True]


def test_label(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert label.main(["games.pgn", "--jobs", "1"]) == 1
    out, err = capsys.readouterr()
    rows = [row["game"] for row in csv.DictReader(io.StringIO(out))]
    assert {game: rows.count(game) for game in rows} == {"1": 4, "3": 5, "5": 3, "6": 2, "7": 2}
    assert err.splitlines()[-1] == "left out: 3" and len(err.splitlines()) == 4  # each game once
    board = chess.Board()
    for move in (*("d2d4", "d7d5"), "0000"):
        board.push(chess.Move.from_uci(move))
    assert f"3,3,{board.fen(en_passant='fen')}," in out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1252"])
def test_label_reads_lines_in_any_encoding(
    encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.fen"
    lines = ["4k3/8/8/8/8/8/4P3/4K3 w - - 7 9;", '4k3/8/8/8/8/8/4P3/4K3 w - - id "ü";', "bad", ""]
    lines += ["4k3/8/8/8/8/8/4P3/4K3 w - - -1 5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 2"]
    path.write_bytes("\r\n".join(lines).encode(encoding))
    for search in ([], ["--nodes", "1"]):
        assert label.main([str(path), "--jobs", "1", *search]) == 1
        out, err = capsys.readouterr()
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [row["place"] for row in rows] == ["1", "2"]
        assert rows[0]["fen"] == lines[0].rstrip(";")
        assert [line.split(":")[1] for line in err.splitlines()[:-1]] == ["3", "5", "6"]


def test_book(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert book.main(["build", "games.pgn", "-o", "out.bin", "--min-games", "1"]) == 1
    assert capsys.readouterr().err.splitlines() == [f"games.pgn:{t.format('')}" for t in TOLD]
    entries = Book(folder / "out.bin").find_all(chess.Board())
    assert {entry.move.uci() for entry in entries} == {"e2e4", "d2d4", "g1f3", "c2c4"}


def test_mine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert puzzles_command.main(["games.pgn", "-o", "out.epd"]) == 2  # these games are too short
    warned = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert warned == [f"boomslang puzzles: warning: games.pgn:{line.format('')}" for line in TOLD]


def test_the_board_lists_the_games_and_says_why_one_is_not_read() -> None:
    game = WebGame()
    file = GamesFile.read("games.pgn", GAMES.encode())
    assert game.load(file.game(1)) == "" and len(game.board.move_stack) == 3
    cut = GAMES[GAMES.index('[Event "hello') :]
    assert len(file.rows) == len(list(games_of_text(GAMES)))
    cut_file = GamesFile.read("", cut.encode())
    assert game.load(cut_file.game(2)) == "The game is read up to here: a null move follows."
    assert '[White "A \\"B\\" C"]' in game.pgn() and len(game.board.move_stack) == 2
    with pytest.raises(MessageError, match="the variant Losers is not supported"):
        GamesFile.read("", b'[Variant "Losers"]\n\n1. e4 *').game(1)
    with pytest.raises(MessageError, match="that is no PGN"):
        GamesFile.read("", b"hello")


def test_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "lines.epd", tmp_path / "out.json"
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm"
    lines = [
        f'{castling} 0-0; id "\x1b[2JX";',
        f"{castling} Sf3;",
        f'{castling} e1c1; id "say "hi"";',
        f'{castling}  e1c1;  id "say "hi"";',
        f"{castling} O-O ♔d1; dm 1.5;",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 2 bm e4;",
    ]
    path.write_text("\n".join(lines), "utf-8")
    assert suite_command.main([str(path), "--nodes", "1", "--json", str(out)]) == 1
    said, err = capsys.readouterr()
    assert "\x1b" not in said + err and "int()" not in err
    assert [line.split(": ", 1)[1] for line in err.splitlines()[:-1]] == [
        "bm: not a move: 1. Sf3",
        "the same as line 3, and counted once",
        "dm 1.5: not a whole number",
        "what is '2' behind the position?",
    ]
    found = json.loads(out.read_text("utf-8"))["runs"][0]["outcomes"]
    assert [(outcome["id"], outcome["wanted"]) for outcome in found] == [
        (" [2JX", "O-O"),
        ('say "hi"', "O-O-O"),
    ]
