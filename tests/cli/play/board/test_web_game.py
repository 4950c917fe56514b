"""The game of one page, without a page: clocks, taking back, games that are read."""

from __future__ import annotations

import chess
import pytest

from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import Message, MessageError
from boomslang.cli.play.board.tree_search import (
    ALGORITHMS,
    TreeSearch,
    TreeTooLargeError,
    count,
    draw,
)
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.chess_clock import Control
from boomslang.engine.notation.pgn import games_of_text


def load(game: WebGame, text: str) -> str:
    (entry,) = games_of_text(text)
    return game.load(entry)


def played(game: WebGame, *sans: str) -> None:
    for san in sans:
        game.play(game.user_game.read(san))


def test_take_back_goes_to_the_persons_turn() -> None:
    game = WebGame()
    played(game, "e4", "e5", "Nf3", "Nc6")
    game.take_back()
    assert len(game.board.move_stack) == 2
    game.choose_side("both")
    game.take_back()
    assert len(game.board.move_stack) == 1
    game.take_back()
    with pytest.raises(MessageError):
        game.take_back()


def test_moves_are_spelled_as_they_come_and_go() -> None:
    game = WebGame()
    game.choose_side("both")
    for moves, kept in ((["e4", "e5", "Nf3"], 3), (["Nc6"], 4), (["d5", "Nc3", "d4"], 1)):
        game.look_at(kept - 1 if len(moves) == 1 else kept)
        if len(game.board.move_stack) > game.at:
            game.cut()
        played(game, *moves)
        board = chess.Board()
        spelled = [board.san_and_push(move) for move in game.board.move_stack]
        assert game.message()["sans"] == spelled
    assert spelled == ["e4", "d5", "Nc3", "d4"]


def test_both_sides_of_one_player_have_the_names_of_their_colours() -> None:
    game = WebGame()
    assert game.name(chess.WHITE) == "You" != game.name(chess.BLACK)
    game.begin(chess.Board(), "both", None)
    assert (game.name(chess.WHITE), game.name(chess.BLACK)) == ("White", "Black")
    assert game.pgn().count('"Human"') == 2
    game.choose_side("black")
    assert game.name(chess.BLACK) == "You" != game.name(chess.WHITE)


def test_the_clock_runs_out_and_rests() -> None:
    game = WebGame()
    game.begin(chess.Board(), "white", Control(0.05, 0))
    game._since -= 9  # one may look before the first move
    assert game.time_left(chess.WHITE) == 0.05
    played(game, "e4", "e5")
    game.rest()
    game._spent = 0.01
    game.go_on()
    left = game.time_left(chess.WHITE)
    assert left is not None and 0 < left <= 0.04
    game._since -= 1
    game.flag()
    assert game.message()["reason"] == "White lost on time"
    game.take_back()
    assert game.outcome() is None


def test_an_earlier_position_is_only_looked_at_until_it_is_cut() -> None:
    game = WebGame()
    game.choose_side("both")
    played(game, "e4", "e5", "Nf3")
    game.look_at(1)
    assert game.viewed_board().fullmove_number == 1
    game.choose_side("black")
    assert game.message()["moves"] == {}
    with pytest.raises(MessageError):
        game.read("c5")
    game.choose_side("both")
    game.cut()
    assert game.find("c7c5", "") == chess.Move.from_uci("c7c5")


@pytest.mark.parametrize("squares", ["e1g1", "e1h1"])
def test_castling_is_found_by_both_spellings(squares: str) -> None:
    game = WebGame()
    game.begin(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "both", None)
    assert game.board.is_castling(game.find(squares, ""))
    assert squares[2:] in game.message()["moves"]["e1"]


def test_a_promotion_needs_its_piece() -> None:
    game = WebGame()
    game.begin(chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "both", None)
    assert game.message()["promotions"] == ["a7a8"]
    with pytest.raises(MessageError):
        game.find("a7a8", "")
    assert game.find("a7a8", "n").promotion == chess.KNIGHT


@pytest.mark.parametrize("text", ["", " ", "hello"])
def test_what_is_no_move_is_quoted(text: str) -> None:
    with pytest.raises(MessageError, match=f"^“{text.strip()}” is not a move$"):
        WebGame().read(text)


def test_a_game_is_read_as_far_as_it_is_sound() -> None:
    game = WebGame()
    assert load(game, '[White "Ann"]\n\n1. e4 e5 2. Ke3 *').startswith("The game is read up to")
    assert game.message()["sans"] == ["e4", "e5"] and game.message()["white"] == "Ann"
    assert load(game, '[Result "0-1"]\n\n1. e4 e5 0-1') == ""
    assert game.message()["result"] == "0-1"
    assert "1. e4 e5" in game.pgn()
    with pytest.raises(MessageError):
        load(game, "1. " + "Nf3 Nf6 Ng1 Ng8 " * 400)
    assert game.message()["sans"] == ["e4", "e5"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_tree_search_is_described_in_whites_view(algorithm: str) -> None:
    fen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"  # mate in one
    tree = draw(TreeSearch("chess", algorithm, 60 if algorithm == "mcts" else 2, fen=fen))
    mirrored = draw(
        TreeSearch(
            "chess",
            algorithm,
            60 if algorithm == "mcts" else 2,
            fen=chess.Board(fen).mirror().fen(),
        )
    )
    if algorithm == "mcts":
        assert [0, 1] in tree["steps"][-1]["proven"] and [0, -1] in mirrored["steps"][-1]["proven"]
    else:
        assert tree["nodes"][0]["value"] == "#1" and mirrored["nodes"][0]["value"] == "#-1"
        assert tree["positions"] == len(tree["nodes"]) == len(tree["steps"]) // 2


def test_what_is_too_deep_is_counted_and_what_is_too_large_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("boomslang.cli.play.board.tree_search.MAX_POSITIONS", 12_000)
    tree_search = TreeSearch("chess", "minimax", 3)
    tree = draw(tree_search)
    below = sum(node["below"] for node in tree["nodes"])
    assert len(tree["nodes"]) + below == tree["positions"] == 9323
    assert count(tree_search, "alphabeta") == draw(TreeSearch("chess", "alphabeta", 3))["positions"]
    with pytest.raises(TreeTooLargeError):
        draw(TreeSearch("chess", "minimax", 5))
    assert count(TreeSearch("chess", "minimax", 5), "minimax") is None


async def test_an_outbox_keeps_only_the_newest_message() -> None:
    outbox = Outbox()
    for number in range(1000):
        outbox.put("game", lambda number=number: {"number": number})  # type: ignore[misc]
        outbox.say(f"{number}")
    told = await outbox.take()
    assert told[0] == {"is": "game", "number": 999} and len(told) == 21


def test_what_a_message_lacks_is_named() -> None:
    with pytest.raises(MessageError, match="squares is missing"):
        Message({"do": "move"}).text("squares")
    with pytest.raises(MessageError, match="between 600 and 3000"):
        Message({"level": 5}).level()
    assert Message({"level": None}).level() is None


def test_the_opening_up_to_the_viewed_position() -> None:
    game = WebGame()
    assert game.message()["opening"] == ""
    game.choose_side("both")
    played(game, "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "a3")
    assert game.message()["opening"] == ("C50 Italian Game: Giuoco Piano, out of book with 4. a3")
    game.look_at(2)
    assert game.message()["opening"] == "C20 King's Pawn Game"
    game.begin(chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "both", None)
    assert game.message()["opening"] == ""
