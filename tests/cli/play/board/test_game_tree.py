"""Variations, comments, clocks and arrows of a game: shown, walked, branched, and written again."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Callable
from typing import Any, cast

import chess
import chess.pgn
import pytest

from boomslang.cli.play.board.board_engines import BoardEngines
from boomslang.cli.play.board.helper import Helper
from boomslang.cli.play.board.outbox import Outbox
from boomslang.cli.play.board.page_messages import MessageError
from boomslang.cli.play.board.page_session import BoardSession
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.levels.oversight import OVERLOOKED
from boomslang.engine.notation.pgn import games_of_text

STUDY = """[White "Ann"]
[Result "1-0"]

{ Look [%csl Gd4] } 1. e4 $1 { [%clk 0:05:00] }
( { Or } 1. d4 $6 { quiet [%cal Gd2d4,Re2e4] } d5 ( 1... Nf6 ) 2. c4 )
1... e5 { [%clk 0:04:58.5] [%eval 0.2] open } 2. Nf3 $14 ( 2. -- d5 ) Nc6 1-0
"""


def loaded(text: str = STUDY) -> WebGame:
    game = WebGame()
    (entry,) = games_of_text(text)
    game.load(entry)
    return game


def play(game: WebGame, *sans: str) -> None:
    for san in sans:
        game.play(game.read(san))


def spelled(items: list[Any]) -> str:
    return " ".join(item if isinstance(item, str) else item.get("san", "{}") for item in items)


def moves_of(game: WebGame) -> str:
    return " ".join(game.pgn().split("\n\n", 1)[1].split())


def go_to(game: WebGame, san: str) -> None:
    """View the position behind the move of that name."""
    items = [item for item in game.tree.items() if not isinstance(item, str)]
    game.look_at_node(next(item["node"] for item in items if item.get("san") == san))


def test_everything_is_shown_and_kept() -> None:
    game = loaded()
    items: list[Any] = game.tree.items()
    assert spelled(items) == "{} e4 ( d4 d5 ( Nf6 ) c4 ) e5 Nf3 Nc6"
    by_san = {item["san"]: item for item in items if "san" in item}
    assert items[0] == {"text": "Look"}
    assert by_san["e4"] == {
        "node": 1,
        "ply": 0,
        "san": "e4",
        "glyph": "!",
        "sign": 1,
        "clock": "5:00",
    }
    assert by_san["d4"]["before"] == "Or" and by_san["d4"]["text"] == "quiet"
    assert by_san["d4"]["glyph"] == "?!" and by_san["Nf3"]["glyph"] == "+="
    assert (by_san["e5"]["text"], by_san["e5"]["ply"], by_san["Nf6"]["ply"]) == ("open", 1, 1)
    (entry,) = games_of_text(STUDY)
    assert moves_of(game) == moves_of(loaded(str(entry.game)))
    assert "2. -- d5" in moves_of(game)


def test_clocks_and_arrows_of_a_position() -> None:
    game = loaded()
    assert game.message()["record"] == {"white": "5:00", "black": "4:58"}
    game.look_at(1)
    assert game.message()["record"] == {"white": "5:00"}
    game.look_at(0)
    assert game.message()["shapes"] == [("green", "d4")]
    go_to(game, "d4")
    assert game.message()["shapes"] == [("green", "d2d4"), ("red", "e2e4")]
    game.tree.draw(game.message()["node"], [("blue", "a1"), ("yellow", "a1h8")])
    assert "quiet" in moves_of(game) and "[%csl Ba1][%cal Ya1h8]" in moves_of(game)
    game.tree.draw(0, [])
    assert "csl G" not in moves_of(game) and "{ Look }" in moves_of(game)


def test_a_variation_is_walked_and_the_result_is_that_of_the_game() -> None:
    game = loaded()
    assert game.message()["result"] == "1-0"
    go_to(game, "d5")
    shown = game.message()
    assert shown["sans"] == ["d4", "d5", "c4"] and shown["at"] == 2 and shown["result"] is None
    assert game.viewed_board() == chess.Board(
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2"
    )
    game.look_at(3)
    assert game.is_at_end
    play(game, "e6", "Nc3")
    assert "1... d5 ( 1... Nf6 ) 2. c4 e6 3. Nc3 )" in moves_of(game)
    assert moves_of(game).endswith("1-0")
    go_to(game, "Nc6")
    assert game.message()["result"] == "1-0" and game.message()["sans"][-1] == "Nc6"


def test_own_variations_branch_and_are_kept() -> None:
    game = WebGame()
    game.begin(chess.Board(), "both", None)
    play(game, "e4", "e5", "Nf3")
    game.look_at(1)
    play(game, "c5", "Nf3")
    game.look_at(1)
    version = game.version
    play(game, "e5")  # which is there: it is followed
    assert game.at == 2 and game.message()["sans"] == ["e4", "e5", "Nf3"]
    assert game.version != version
    assert moves_of(game) == "1. e4 e5 ( 1... c5 2. Nf3 ) 2. Nf3 *"
    go_to(game, "c5")
    game.take_back()  # the end of the variation
    assert moves_of(game) == "1. e4 e5 ( 1... c5 ) 2. Nf3 *"
    game.take_back()
    assert moves_of(game) == "1. e4 e5 2. Nf3 *"
    assert game.message()["sans"] == ["e4", "e5", "Nf3"] and game.at == 1
    game.cut()
    assert moves_of(game) == "1. e4 *"
    with pytest.raises(MessageError, match="not there any more"):
        game.look_at_node(2)


def test_behind_a_resignation_a_variation_goes_on_and_behind_mate_none() -> None:
    game = loaded('[Result "0-1"]\n\n1. e4 e5 0-1')
    play(game, "Nf3")
    assert game.message()["result"] == "0-1" and moves_of(game) == "1. e4 e5 2. Nf3 0-1"
    mated = loaded("1. f3 e5 2. g4 Qh4# 0-1")
    with pytest.raises(MessageError, match="over"):
        mated.read("a3")


def test_against_the_engine_the_line_on_the_board_is_the_game() -> None:
    game = loaded()
    go_to(game, "c4")
    game.choose_side("white")
    assert game.is_engines_turn and game.tree.is_main
    assert " 1. d4 " in moves_of(game).partition("( 1. e4 ")[0]
    with pytest.raises(MessageError, match="both sides"):
        go_to(game, "e4")


def test_chess960_and_a_game_without_moves() -> None:
    board = chess.Board.from_chess960_pos(0)
    game = loaded(f'[Variant "Chess960"]\n[FEN "{board.fen()}"]\n\n*')
    assert game.tree.items() == [] and game.message()["node"] == 0
    for move in list(board.legal_moves)[:3]:
        game.look_at(0)
        game.play(move)
    assert len(game.tree.items()) == 3 + 2 * 2


def test_any_walk_leaves_tree_and_board_the_same() -> None:
    chance = random.Random(7)
    game = loaded()
    for _ in range(300):
        items: list[Any] = game.tree.items()
        numbers = [item["node"] for item in items if "node" in item]
        act = chance.randrange(6)
        legal = list(game.viewed_board().legal_moves)
        if act < 3 and legal and game.message()["moves"]:
            game.play(chance.choice(legal))
        elif act == 3 and numbers:
            game.look_at_node(chance.choice(numbers))
        elif act == 4:
            game.look_at(chance.randrange(len(game.tree.line) + 1))
        elif game.board.move_stack and chance.random() < 0.3:
            game.take_back()
        line = [node.move for node in game.tree.line]
        assert game.board.move_stack == line
        assert (
            game.tree.line[: game.at] == game.tree.line_through(game.tree._at(game.at))[: game.at]
        )
    read = chess.pgn.read_game(io.StringIO(game.pgn()))
    assert read is not None and not read.errors
    main = [node.move for node in game.tree.line_through(game.tree.root)]
    assert list(read.mainline_moves()) == main


def test_a_game_with_too_many_moves_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded()
    monkeypatch.setattr("boomslang.cli.play.board.game_tree._MAX_NODES", 8)
    with pytest.raises(MessageError, match="at most 8 moves"):
        play(game, "Bb5")
    assert len(game.board.move_stack) == 4
    with pytest.raises(MessageError, match="more than 8 moves"):
        loaded("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *")
    assert len(game.tree.line) == 4


async def test_a_game_without_room_for_the_engines_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boomslang.cli.play.board.game_tree._MAX_NODES", 1)

    async def reply(*arguments: object, **options: object) -> chess.Move:
        return chess.Move.from_uci("e7e5")

    game, outbox, told = WebGame(), Outbox(), list[dict[str, Any]]()
    engines = BoardEngines(outbox.say)
    session = BoardSession(game, outbox, engines, cast(Helper, None), asyncio.Semaphore())
    monkeypatch.setattr(engines.strong, "search", reply)
    session.execute('{"do": "move", "squares": "e2e4"}')
    async with asyncio.timeout(60):
        while not any(message["is"] == "error" for message in told):
            told += await outbox.take()
    assert told[-1]["text"].startswith("A game has at most 1 moves")
    assert [message["lost"] for message in told if message["is"] == "game"][-1] == ["move"]
    assert game.message()["sans"] == ["e4"]
    await session.close()


MOVE, UNDO, RESIGN = '{"do": "move", "squares": "e2e4"}', '{"do": "undo"}', '{"do": "resign"}'
BLIND, SEEING = ("e7e5", f"{OVERLOOKED}2.Qh5"), ("e7e5", "getting ready")


def played(
    monkeypatch: pytest.MonkeyPatch, replies: list[tuple[str, str]], *said: str | int
) -> WebGame:
    """The game after messages of the page, or after so many plies; `replies` with the engine's remarks."""
    left, game = iter(replies), WebGame()

    async def reply(*_: object, on_remark: Callable[[str], None], **options: object) -> chess.Move:
        move, remark = next(left)
        on_remark(remark)
        return chess.Move.from_uci(move)

    async def run() -> None:
        outbox = Outbox()
        engines = BoardEngines(outbox.say)
        session = BoardSession(game, outbox, engines, cast(Helper, None), asyncio.Semaphore())
        monkeypatch.setattr(engines.strong, "search", reply)
        async with asyncio.timeout(60):
            for step in said:
                if isinstance(step, str):
                    session.execute(step)
                    continue
                while len(game.tree.line) != step:
                    await outbox.take()
        await session.close()

    asyncio.run(run())
    return game


def test_what_the_engine_overlooked_stands_beside_its_move_after_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert played(monkeypatch, [BLIND], MOVE, 2).tree.line[1].comment == ""
    game = played(monkeypatch, [BLIND], MOVE, 2, RESIGN, '{"do": "view", "ply": 0}')
    assert game.tree.line[1].comment == "I missed 2.Qh5."
    assert game.pgn().count("I missed") == 1


def test_what_was_overlooked_is_forgotten_when_somebody_moves_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anew = played(monkeypatch, [BLIND, SEEING], MOVE, 2, UNDO, MOVE, 2, RESIGN)
    own = played(
        monkeypatch,
        [BLIND, ("g1f3", ""), ("g1f3", "")],
        *(MOVE, 2, '{"do": "side", "side": "black"}', 3, UNDO),
        *(MOVE.replace("e2e4", "e7e5"), 3, RESIGN),
    )
    assert [game.tree.line[1].comment for game in (anew, own)] == ["", ""]
