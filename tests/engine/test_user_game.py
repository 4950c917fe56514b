"""The game in a terminal, without the terminal: moves as typed, clock, endings, PGN."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.cli.play.terminal_game import Scoresheet
from boomslang.engine.chess_clock import ChessClock, Control, format_time
from boomslang.engine.user_game import AmbiguousMoveError, IllegalMoveError, UserGame


@pytest.fixture
def game() -> UserGame:
    return UserGame(chess.Board(), chess.WHITE, None)


# Reading moves


@pytest.mark.parametrize("text", ["Nf3", "nf3", "g1f3", "G1F3"])
def test_moves_as_people_type_them(game: UserGame, text: str) -> None:
    assert game.read(text) == chess.Move.from_uci("g1f3")


@pytest.mark.parametrize("text", ["O-O", "0-0", "o-o", "e1g1", "e1h1"])
def test_castling(text: str) -> None:
    game = UserGame(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), chess.WHITE, None)
    assert game.board.san(game.read(text)) == "O-O"


@pytest.mark.parametrize("text", ["a8=Q", "a8Q", "a7a8q", "A7A8Q"])
def test_promotion(text: str) -> None:
    game = UserGame(chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), chess.WHITE, None)
    assert game.read(text).promotion == chess.QUEEN


@pytest.mark.parametrize("text", ["a8", "a8+", "a8=", "a7a8", "a7-a8", "A7A8"])
def test_a_promotion_without_a_piece_asks_for_one(text: str) -> None:
    game = UserGame(chess.Board("1n5k/P7/8/8/8/8/8/K7 w - - 0 1"), chess.WHITE, None)
    with pytest.raises(AmbiguousMoveError, match="a8=Q, a8=R, a8=B or a8=N") as question:
        game.read(text)
    assert question.value.squares == "a7a8"
    with pytest.raises(AmbiguousMoveError, match="axb8=Q"):
        game.read("axb8")
    with pytest.raises(IllegalMoveError, match="not legal"):
        game.read("b8")


@pytest.mark.parametrize("turn", chess.COLORS)
def test_every_promotion_is_asked_for_however_it_is_spelled(turn: chess.Color) -> None:
    board = chess.Board("1rbq1rn1/P1PPPPPP/8/k6K/8/8/p1pppppp/1RBQ1RN1 w - - 0 1")
    board.turn = turn
    assert board.is_valid()
    game = UserGame(board, turn, None)
    promotions = [move for move in board.legal_moves if move.promotion]
    assert len(promotions) > 40
    for move in promotions:
        bare = board.san(move).partition("=")[0]
        for text in (bare, bare.replace("x", ""), move.uci()[:4]):
            with pytest.raises(AmbiguousMoveError) as question:
                game.read(text)
            assert question.value.squares == move.uci()[:4]
        assert game.read(board.san(move)) == game.read(move.uci()) == move


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (chess.STARTING_FEN, "e5", "not legal"),
        (chess.STARTING_FEN, "e2e5", "not legal"),
        (chess.STARTING_FEN, "hello", "not a move"),
        (chess.STARTING_FEN, "0000", "passing"),
        (chess.STARTING_FEN, "♞f3", "not a move"),
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "e8e7", "in check"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rf1", ""),
        ("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "Ra2", "which one"),
    ],
)
def test_what_is_not_a_move(fen: str, text: str, reason: str) -> None:
    game = UserGame(chess.Board(fen), chess.WHITE, None)
    if reason:
        with pytest.raises(IllegalMoveError, match=reason):
            game.read(text)
    else:
        assert game.read(text)


# The clock


@pytest.mark.parametrize(
    ("text", "base", "more"), [("5+3", 300, 3), ("0.5", 30, 0), ("90+30", 5400, 30)]
)
def test_controls(text: str, base: float, more: float) -> None:
    assert Control.parse(text) == Control(base, more)


@pytest.mark.parametrize("text", ["", "five", "0", "5+", "5 + 3", "-1", "9999", "1+9999"])
def test_bad_controls(text: str) -> None:
    with pytest.raises(ValueError, match="minutes"):
        Control.parse(text)


def test_time_is_spent_and_given_back() -> None:
    clock = ChessClock(Control(60, 2))
    assert clock.spend(chess.WHITE, 10) and clock.spend(chess.BLACK, 1)
    assert (clock.left(chess.WHITE), clock.left(chess.BLACK)) == (52, 61)
    clock.undo()
    assert clock.left(chess.BLACK) == 60
    assert not clock.spend(chess.BLACK, 61)
    assert clock.left(chess.BLACK) == 0
    assert [format_time(seconds) for seconds in (0, 9.34, 61, 600)] == [
        "0.0",
        "9.3",
        "1:01",
        "10:00",
    ]


def test_losing_on_time(game: UserGame) -> None:
    game = UserGame(chess.Board(), chess.WHITE, Control(60, 0))
    game.play(chess.Move.from_uci("e2e4"), 61)
    assert game.outcome() == ("0-1", "White lost on time")
    assert not game.board.move_stack
    bare = UserGame(chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), chess.WHITE, Control(60, 0))
    bare.play(chess.Move.from_uci("a1a2"), 61)
    assert bare.outcome() == ("1/2-1/2", "the time is over, but nobody can win")


# Taking back, endings, PGN


def test_undo_goes_to_the_persons_turn(game: UserGame) -> None:
    assert game.undo() == 0
    for move in ("e2e4", "e7e5", "g1f3"):
        game.play(chess.Move.from_uci(move), 0)
    assert game.undo() == 1
    assert game.undo() == 2
    black = UserGame(chess.Board(), chess.BLACK, Control(60, 0))
    black.play(chess.Move.from_uci("e2e4"), 1)
    assert black.undo() == 0
    black.play(chess.Move.from_uci("e7e5"), 1)
    black.play(chess.Move.from_uci("g1f3"), 1)
    assert black.undo() == 2
    assert black.clock and black.clock.left(chess.BLACK) == 60


@pytest.mark.parametrize(
    ("too_late", "taken_back", "left"), [(2, 1, (50, 55)), (3, 2, (50, 55)), (0, 1, (60, 60))]
)
def test_undo_of_a_move_that_came_too_late(
    too_late: int, taken_back: int, left: tuple[float, float]
) -> None:
    """The person's move, the engine's, the first of all: the clocks are as before it."""
    game = UserGame(chess.Board(), chess.WHITE, Control(60, 0))
    assert game.clock
    for ply, (move, seconds) in enumerate([("e4", 10), ("e5", 5), ("Nf3", 20), ("Nc6", 5)]):
        game.play(game.read(move), 61 if ply == too_late else seconds)
        if ply == too_late:
            break
    assert game.outcome() and game.reason.endswith("lost on time")
    assert game.undo() == taken_back
    assert game.outcome() is None and game.is_persons_turn
    assert len(game.board.move_stack) == (2 if too_late else 0)
    assert (game.clock.left(chess.WHITE), game.clock.left(chess.BLACK)) == left
    game.play(game.read("Nf3"), 1)
    assert game.outcome() is None and game.undo() == 1


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", ("1-0", "checkmate")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ("1/2-1/2", "stalemate")),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", ("1/2-1/2", "nobody can win")),
        (
            "7k/8/6K1/8/8/8/8/R7 b - - 100 90",
            ("1/2-1/2", "fifty moves without capture or pawn move"),
        ),
        (chess.STARTING_FEN, None),
    ],
)
def test_endings(fen: str, outcome: tuple[str, str] | None) -> None:
    assert UserGame(chess.Board(fen), chess.WHITE, None).outcome() == outcome


def test_a_draw_that_a_move_could_claim_is_none_yet() -> None:
    """Who stands to win may still play another move."""
    game = UserGame(chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 90 90"), chess.WHITE, None)
    for move in ["Ra2", "Kg8", "Ra1", "Kh8"] * 2:
        assert game.outcome() is None
        game.play(game.read(move), 0)
    assert game.outcome() == ("1/2-1/2", "threefold repetition")
    game.undo()
    for move in ("Rb2", "Kh8", "Rb3", "Kg8"):
        assert game.outcome() is None
        game.play(game.read(move), 0)
    assert game.outcome() == ("1/2-1/2", "fifty moves without capture or pawn move")


def test_pgn_of_a_game() -> None:
    game = UserGame(chess.Board.from_chess960_pos(5), chess.BLACK, Control(300, 3))
    move = next(iter(game.board.legal_moves))
    game.play(move, 1)
    game.end(chess.WHITE, "Black resigned")
    read = chess.pgn.read_game(io.StringIO(game.pgn("engine")))
    assert read and not read.errors
    assert read.board().chess960 and list(read.mainline_moves()) == [move]
    assert [read.headers[name] for name in ("White", "Black", "Result", "TimeControl")] == [
        *("engine", "Human", "1-0", "300+3")
    ]
    assert read.end().comment == "Black resigned"


def test_games_are_added_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('[Event "old"]\n\n*\n')
    sheet = Scoresheet()
    sheet.save(path, "a long first version\n")
    sheet.save(path, "second\n")
    assert path.read_text() == '[Event "old"]\n\n*\n\nsecond\n'
    sheet.forget()
    sheet.save(path, "third\n")
    assert path.read_text().endswith("second\n\nthird\n")
