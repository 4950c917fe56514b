"""The game of one page, without a page: clocks, taking back, games that are read."""

from __future__ import annotations

import asyncio

import chess
import pytest

from boomslang.cli.play.board.latest_task import LatestTask
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


def load(table: WebGame, text: str) -> str:
    (entry,) = games_of_text(text)
    return table.load(entry)


def played(table: WebGame, *sans: str) -> None:
    for san in sans:
        table.play(table.game.read(san))


def test_take_back_goes_to_the_persons_turn() -> None:
    table = WebGame()
    played(table, "e4", "e5", "Nf3", "Nc6")
    table.take_back()
    assert len(table.game.board.move_stack) == 2
    table.seat("both")
    table.take_back()
    assert len(table.game.board.move_stack) == 1
    table.take_back()
    with pytest.raises(MessageError):
        table.take_back()


def test_moves_are_spelled_as_they_come_and_go() -> None:
    table = WebGame()
    table.seat("both")
    for moves, kept in ((["e4", "e5", "Nf3"], 3), (["Nc6"], 4), (["d5", "Nc3", "d4"], 1)):
        table.look_at(kept - 1 if len(moves) == 1 else kept)
        if len(table.game.board.move_stack) > table.at:
            table.cut()
        played(table, *moves)
        board = chess.Board()
        spelled = [board.san_and_push(move) for move in table.game.board.move_stack]
        assert table.message()["sans"] == spelled
    assert spelled == ["e4", "d5", "Nc3", "d4"]


def test_both_sides_of_one_player_have_the_names_of_their_colours() -> None:
    table = WebGame()
    assert table.name(chess.WHITE) == "You" != table.name(chess.BLACK)
    table.begin(chess.Board(), "both", None)
    assert (table.name(chess.WHITE), table.name(chess.BLACK)) == ("White", "Black")
    assert table.pgn().count('"Human"') == 2
    table.seat("black")
    assert table.name(chess.BLACK) == "You" != table.name(chess.WHITE)


def test_the_clock_runs_out_and_rests() -> None:
    table = WebGame()
    table.begin(chess.Board(), "white", Control(0.05, 0))
    table.rest()
    table._spent = 0.01
    table.go_on()
    left = table.time_left(chess.WHITE)
    assert left is not None and 0 < left <= 0.04
    table._since -= 1
    table.flag()
    assert table.message()["reason"] == "White lost on time"
    table.take_back()
    assert table.game.outcome() is None


def test_an_earlier_position_is_only_looked_at_until_it_is_cut() -> None:
    table = WebGame()
    table.seat("both")
    played(table, "e4", "e5", "Nf3")
    table.look_at(1)
    assert table.viewed_board().fullmove_number == 1
    table.seat("black")
    assert table.message()["moves"] == {}
    with pytest.raises(MessageError):
        table.read("c5")
    table.seat("both")
    table.cut()
    assert table.find("c7c5", "") == chess.Move.from_uci("c7c5")


@pytest.mark.parametrize("squares", ["e1g1", "e1h1"])
def test_castling_is_found_by_both_spellings(squares: str) -> None:
    table = WebGame()
    table.begin(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "both", None)
    assert table.game.board.is_castling(table.find(squares, ""))
    assert squares[2:] in table.message()["moves"]["e1"]


def test_a_promotion_needs_its_piece() -> None:
    table = WebGame()
    table.begin(chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "both", None)
    assert table.message()["promotions"] == ["a7a8"]
    with pytest.raises(MessageError):
        table.find("a7a8", "")
    assert table.find("a7a8", "n").promotion == chess.KNIGHT


@pytest.mark.parametrize("text", ["", " ", "hello"])
def test_what_is_no_move_is_quoted(text: str) -> None:
    with pytest.raises(MessageError, match=f"^“{text.strip()}” is not a move$"):
        WebGame().read(text)


def test_a_game_is_read_as_far_as_it_is_sound() -> None:
    table = WebGame()
    assert load(table, '[White "Ann"]\n\n1. e4 e5 2. Ke3 *').startswith("The game is read up to")
    assert table.message()["sans"] == ["e4", "e5"] and table.message()["white"] == "Ann"
    assert load(table, '[Result "0-1"]\n\n1. e4 e5 0-1') == ""
    assert table.message()["result"] == "0-1"
    assert "1. e4 e5" in table.pgn()
    with pytest.raises(MessageError):
        load(table, "1. " + "Nf3 Nf6 Ng1 Ng8 " * 400)
    assert table.message()["sans"] == ["e4", "e5"]


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


def test_an_outbox_keeps_only_the_newest_message() -> None:
    async def run() -> None:
        outbox = Outbox()
        for number in range(1000):
            outbox.put("game", lambda number=number: {"number": number})  # type: ignore[misc]
            outbox.say(f"{number}")
        told = await outbox.take()
        assert told[0] == {"is": "game", "number": 999} and len(told) == 21

    asyncio.run(run())


def test_a_task_follows_what_is_wanted() -> None:
    async def run() -> None:
        wanted: list[str | None] = ["a"]
        done: list[str] = []

        async def work(name: str) -> None:
            done.append(name)
            try:
                await asyncio.sleep(60)
            finally:
                done.append(f"{name} ended")

        task = LatestTask(lambda: wanted[0], work)
        for name in ("a", "a", "b", None):
            wanted[0] = name
            task.look()
            for _ in range(20):  # more steps of the loop than it takes; a time might be over before
                await asyncio.sleep(0)
        assert done == ["a", "a ended", "b", "b ended"]
        await task.close()

    asyncio.run(run())


def test_what_a_message_lacks_is_named() -> None:
    with pytest.raises(MessageError, match="squares is missing"):
        Message({"do": "move"}).text("squares")
    with pytest.raises(MessageError, match="between 600 and 3000"):
        Message({"level": 5}).level()
    assert Message({"level": None}).level() is None


def test_the_opening_up_to_the_viewed_position() -> None:
    table = WebGame()
    assert table.message()["opening"] == ""
    table.seat("both")
    played(table, "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "a3")
    assert table.message()["opening"] == ("C50 Italian Game: Giuoco Piano, out of book with 4. a3")
    table.look_at(2)
    assert table.message()["opening"] == "C20 King's Pawn Game"
    table.begin(chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "both", None)
    assert table.message()["opening"] == ""
