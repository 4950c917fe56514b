"""The user's own level: the rule, the file, and which games count."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Timer

import chess
import pytest
from filelock import FileLock

from boomslang.cli.play.board.page_messages import Message
from boomslang.cli.play.board.web_game import WebGame
from boomslang.cli.play.my_level import START, MyLevel, is_whole, parse_level, score_of
from boomslang.core.system.files import FileError
from boomslang.engine.levels.ladder import MAX_ELO, MIN_ELO
from tests.cli.play.test_terminal_game import Table as Talk


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without a level."""
    folder = tmp_path / "boomslang"
    monkeypatch.setattr("boomslang.cli.play.my_level.user_file", lambda name: folder / name)
    return folder / "level.json"


def test_it_follows_the_results(home: Path) -> None:
    mine = MyLevel()
    assert mine.level == START
    assert mine.record(1, START) == f"Your level is {START + 32} now, after {START}."
    mine.record(0, START + 32)
    assert mine.level == START
    mine.record(0.5, START + 400)  # a draw with the stronger: 64 (1/2 - 1/11)
    assert mine.level == START + 26
    again = MyLevel()
    assert again.level == mine.level and again.games == 3
    assert json.loads(home.read_text()) == {"rating": 1226.2, "games": 3, "scale": "games"}
    home.write_text('{"rating": 1226.2, "games": 10, "scale": "games"}')
    again.record(1, again.level)
    assert again.level == START + 42  # half the step
    assert {path.name for path in home.parent.iterdir()} <= {home.name, f"{home.name}.lock"}


def test_of_two_games_at_once_both_count(home: Path) -> None:
    one, other = MyLevel(), MyLevel()
    one.record(1, START)
    assert other.record(0, START + 32) == f"Your level is {START} now, after {START + 32}."
    assert MyLevel().games == 2


def test_a_result_waits_while_another_is_written(home: Path) -> None:
    home.parent.mkdir(parents=True)
    holder = FileLock(f"{home}.lock", thread_local=False)
    holder.acquire()
    Timer(0.2, holder.release).start()
    MyLevel().record(1, START)
    assert MyLevel().games == 1


def test_it_stays_on_the_ladder(home: Path) -> None:
    mine = MyLevel()
    for _ in range(100):
        mine.record(0, mine.level)
    assert mine.level == MIN_ELO
    home.write_text(f'{{"rating": {MAX_ELO}, "games": 100, "scale": "games"}}')
    mine.record(1, MAX_ELO)
    assert MyLevel().level == MAX_ELO


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "1" * 2000,
        '{"rating": "x", "games": 1, "scale": "games"}',
        '{"rating": NaN, "games": 1, "scale": "games"}',
        '{"rating": 1600, "games": 20}',
        '{"rating": 1600, "games": 20, "scale": "puzzles"}',
    ],
)
def test_a_damaged_file_is_reported(home: Path, text: str) -> None:
    home.parent.mkdir(parents=True)
    home.write_text(text)
    with pytest.raises(FileError, match=home.name):
        MyLevel()
    with pytest.raises(ValueError, match=home.name):
        parse_level("mine")


def test_a_file_that_cannot_be_written_is_reported(home: Path) -> None:
    mine = MyLevel()
    home.parent.parent.mkdir(parents=True, exist_ok=True)
    home.parent.write_text("in the way")
    with pytest.raises(FileError, match="cannot write"):
        mine.record(1, 1200)


def test_only_games_from_a_start_position_are_whole() -> None:
    mated_in_one = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    boards = chess.Board(), chess.Board.from_chess960_pos(0), chess.Board(mated_in_one)
    assert not any(map(is_whole, boards))  # nothing was played
    for board in boards:
        board.push(next(iter(board.legal_moves)))
    assert list(map(is_whole, boards)) == [True, True, False]  # the last one though with all pieces


def test_scores() -> None:
    assert score_of("1-0", chess.WHITE) == score_of("0-1", chess.BLACK) == 1
    assert score_of("1-0", chess.BLACK) == score_of("0-1", chess.WHITE) == 0
    assert score_of("1/2-1/2", chess.BLACK) == 0.5


# In the terminal


def played(*lines: str) -> str:
    """What is shown in a game at the user's own level, which the person resigns."""
    return Talk(["level mine", *lines, "resign", "quit"]).shown


def test_a_game_counts_in_the_terminal() -> None:
    shown = played("e4")
    assert f"plays at {START} Elo, your level" in shown
    assert f"Your level is {START - 32} now, after {START}." in shown
    assert MyLevel().games == 1
    assert f"plays at {START - 32} Elo, your level" in played("e4", "resign", "new", "d4")
    assert MyLevel().games == 3


@pytest.mark.parametrize("help_", ["hint", "undo", "level mine", "switch"])
def test_a_game_with_help_does_not_count(help_: str) -> None:
    assert "The game does not count for your level." in played("e4", help_)
    assert MyLevel().games == 0


def test_other_levels_do_not_count() -> None:
    assert "Your level" not in played("level 1600", "e4")
    assert MyLevel().games == 0


# On the board


def begun_game(*, mine: bool = True, fen: str | None = None) -> WebGame:
    """A game in which the user has made a move."""
    game = WebGame()
    game.begin(chess.Board(fen) if fen else chess.Board(), "white", None)
    game.set_level(*Message({"level": 1500, "mine": mine, "seconds": 1.0}).strength())
    game.play(chess.Move.from_uci("e2e4"))
    return game


def test_a_game_counts_on_the_board() -> None:
    game = begun_game()
    assert game.message()["mine"] is True and game.count() == ""
    game.resign()
    assert game.count() == f"Your level is {START - 32} now, after {START}."
    assert game.count() == "" and MyLevel().games == 1


def test_what_does_not_count_on_the_board() -> None:
    others = [
        begun_game(mine=False),
        begun_game(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        begun_game(),
        begun_game(),
        begun_game(),
    ]
    others[2].take_back()
    others[3].choose_side("black")
    others[4].set_level(1500, None, 1.0)
    others[4].set_level(START, MyLevel(), 1.0)
    for game in others:
        game.resign()
        assert game.count() == ("The game does not count for your level." if game.mine else "")
        assert game.count() == ""
    assert MyLevel().games == 0
