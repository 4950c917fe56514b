"""The model adapted to one person: what his games tell, what they do not, and what is refused."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.cli.lab.people import command as people
from boomslang.cli.play import command as play
from boomslang.cli.play.board.web_game import WebGame
from boomslang.cli.terminal.arguments import BAD_USAGE
from boomslang.engine.engine import Engine
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.engine.people import person
from boomslang.engine.people.model import shipped_model

pytestmark = pytest.mark.jit_only


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def write_games(path: Path, games: int, by_lot: bool = False, **tags: str) -> Path:
    """Ann, White in every second game, moves as far to the left as she can, or by lot; Bob by lot."""
    dice = random.Random(3)
    with path.open("w", encoding="utf-8") as file:
        for number in range(games):
            board, ann = chess.Board(), number % 2 == 0
            while board.ply() < 40 and not board.is_game_over():
                moves = sorted(
                    board.legal_moves, key=lambda move: chess.square_file(move.to_square)
                )
                habit = board.turn == ann and not by_lot
                board.push(moves[0] if habit else dice.choice(moves))
            game = chess.pgn.Game.from_board(board)
            names = ["Ann", f"Bob {number}"] if ann else [f"Bob {number}", "Ann"]
            game.headers.update(
                {"White": names[0], "Black": names[1], "TimeControl": "300+3"} | tags
            )
            print(game, file=file, end="\n\n")
    return path


def test_habits_are_learnt_once_and_nothing_of_the_games_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write_games(tmp_path / "ann.pgn", 40, WhiteElo="1250", BlackElo="1250")
    found, model = person.adapted(path)
    assert (found.name, found.games, found.kept, found.rating) == ("Ann", 40, 5, 1250)
    assert found.after < found.before - 0.3 and f"{found.after:.3f} like him" in str(found)
    far = replace(found, before=6.2, after=1.6)
    assert str(far).endswith(": 99 times as likely")
    general, like = (each.chances(chess.Board(), 1250) for each in (shipped_model(), model))
    left = chess.Move.from_uci("a2a3")
    assert like[left] > 5 * general[left]

    monkeypatch.setattr(person, "PersonGames", None)  # read from the user's folder
    again, same = person.adapted(path)
    assert again == found
    assert same.chances(chess.Board(), 1250)[left] == pytest.approx(like[left], rel=0.02)
    (kept,) = (tmp_path / "data").rglob("*.net")
    assert b"Bob" not in kept.read_bytes()
    kept.write_bytes(kept.read_bytes()[:1000])  # damaged: learnt again
    with pytest.raises(TypeError):
        person.adapted(path)


def test_what_tells_nothing_changes_nothing(tmp_path: Path) -> None:
    few, model = person.adapted(write_games(tmp_path / "few.pgn", 5))
    assert "5 games are too few to learn from" in str(few) and "taken to be rated 1500" in str(few)
    assert model.chances(chess.Board(), 1500) == shipped_model().chances(chess.Board(), 1500)
    lot, _ = person.adapted(write_games(tmp_path / "lot.pgn", 24, by_lot=True))
    assert lot.after <= lot.before


def test_ratings_of_chess_com_are_brought_to_the_scale_of_lichess(tmp_path: Path) -> None:
    path = write_games(tmp_path / "site.pgn", 5, Site="Chess.com", WhiteElo="800", BlackElo="800")
    assert person.adapted(path, "ann")[0].rating == 1050


@pytest.mark.parametrize(
    ("text", "player", "reason"),
    [
        (None, "", "no such file"),
        ("\n", "", "no game"),
        ('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 *\n', "", "2 players .*'Ann', 'Bob'.*name one"),
        ('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 *\n', "Cid", "no game of a player 'Cid'"),
        ("1. e4 e5 *\n", "", "name no players"),
        ('[White "Ann"]\n[Black "B"]\n[Variant "Atomic"]\n\n1. e4 *\n', "Ann", "no game of 'Ann'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(
    tmp_path: Path, text: str | None, player: str, reason: str
) -> None:
    path = tmp_path / "games.pgn"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=reason):
        person.adapted(path, player)


def test_the_engine_plays_like_her_at_her_rating(tmp_path: Path) -> None:
    path = write_games(tmp_path / "ann.pgn", 40, WhiteElo="1250", BlackElo="1250")
    said: list[str] = []
    with Engine(said.append, Like=path, Random_Seed=5) as engine:
        moves = [engine.go(Limits(depth=2)).best for _ in range(3)]
        assert engine.handicap.level and engine.handicap.level.rating == 1250
        engine.set_option("UCI_LimitStrength", True)
        assert engine.handicap.level.rating == 1500
        engine.set_option("Like Player", "Nobody")
        engine.set_option("UCI_LimitStrength", False)
        assert engine.go(Limits(depth=1)).best and engine.handicap.level is None
        with pytest.raises(CommandError, match="no such file"):
            engine.set_option("Like", tmp_path / "none.pgn")
        assert engine.value_of("Like") == str(path)
    assert moves[0] and chess.square_file(moves[0].to_square) <= 1 and len(set(moves)) == 1
    assert any("levels play like 'Ann', rated 1250" in line for line in said)
    assert any("no game of a player 'Nobody'" in line for line in said)


def test_commands_say_what_games_tell_and_play_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_games(tmp_path / "ann.pgn", 60, WhiteElo="1250", BlackElo="1250")
    assert people.main(["like", str(path)]) == 0
    told = capsys.readouterr().out
    assert "like 'Ann', rated 1250: in 7 of 60 games" in told
    assert re.findall(r"^\W*(\d+)\W+\d\.\d", told, re.MULTILINE) == ["50", "53"]
    assert people.main(["like", str(path), "--player", "Cid"]) == BAD_USAGE
    assert "no game of a player 'Cid'" in capsys.readouterr().err

    monkeypatch.setattr("sys.stdin", StringIO("switch\nquit\n"))
    assert play.main(["--like", str(path)]) == 0
    told = capsys.readouterr().out
    assert "It plays like 'Ann', rated 1250" in told and "1250 Elo" in told
    assert play.main(["--player", "Ann"]) == BAD_USAGE
    assert "--player needs --like" in capsys.readouterr().err


def test_full_strength_is_nobodys() -> None:
    game = WebGame()
    game.like, game.whom = {"Like": "games.pgn", "Like Player": "Ann"}, "Ann"
    assert game.options["Like"] == "" and not game.options["UCI_LimitStrength"]
    game.set_level(1500, None, 1.0)
    assert game.options == game.options | {"Like": "games.pgn", "UCI_Elo": 1500}
    assert "like Ann, 1500 Elo" in game.name(chess.BLACK)
