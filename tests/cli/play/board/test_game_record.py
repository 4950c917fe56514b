"""A game that was loaded is written as it was, and keeps what still holds when it is changed."""

from __future__ import annotations

import io
from collections.abc import Callable

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.notation.pgn import games_of_text

TAGS = {
    "Event": "Match", "Site": "New York", "Date": "1997.05.11", "Round": "6", "White": "Ann", "Black": "Bob",
    "Result": "1-0", "ECO": "B17", "EventDate": "1997.05.03", "PlyCount": "5", "Time": "15:00:00",
    "UTCTime": "19:00:00", "UTCDate": "1997.05.11", "TimeControl": "40/7200", "Termination": "normal",
    "WhiteElo": "2785", "Annotator": "Eve", "X-Own_1": "any thing",
}  # fmt: skip
MOVES = (
    "{ Before } 1. e4 $1 { Best } ( 1. d4 d5 ( 1... Nf6 $5 ) 2. c4 ) 1... c6 { [%clk 1:00:00] } "
    "2. d4 d5 ( 2... g6 ) 3. Nc3 { End } 1-0"
)
ARRAY = chess.Board.from_chess960_pos(100)
STARTS = [
    {},
    {"SetUp": "1", "FEN": "4k3/P7/8/8/8/8/8/R3K2R w KQ - 12 40"},
    {"Variant": "chess 960", "SetUp": "1", "FEN": ARRAY.fen()},
    {"Variant": "Chess960", "FEN": ARRAY.fen(shredder=True), "SetUp": "1"},
]


def text(tags: dict[str, str], moves: str) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves}\n"


def loaded(pgn: str) -> WebGame:
    game = WebGame()
    (entry,) = games_of_text(pgn)
    assert game.load(entry) == ""
    return game


def tags_of(pgn: str) -> dict[str, str]:
    headers = chess.pgn.read_headers(io.StringIO(pgn))
    assert headers is not None
    return dict(headers)


def moves_of(pgn: str) -> str:
    return " ".join(pgn.split("\n\n", 1)[1].split())


def play(game: WebGame, *sans: str) -> WebGame:
    for san in sans:
        game.play(game.user_game.read(san))
    return game


def test_tags_comments_and_variations_are_as_they_were() -> None:
    pgn = text(TAGS, MOVES)
    game = loaded(pgn)
    assert list(tags_of(game.pgn()).items()) == list(TAGS.items())
    assert moves_of(game.pgn()) == MOVES
    game.look_at(2)
    assert game.pgn() == loaded(game.pgn()).pgn()


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_wherever_it_began(start: dict[str, str], result: str) -> None:
    tags = TAGS | start | {"Result": result}
    game = loaded(text(tags, result))
    assert tags_of(game.pgn()) == tags
    changed = loaded(text(tags | {"Result": "*"}, "*"))
    changed.play(next(iter(changed.board.legal_moves)))
    written = tags_of(changed.pgn())
    assert {name: written[name] for name in start} == start
    again = loaded(changed.pgn())
    assert again.board == changed.board
    assert again.board.move_stack == changed.board.move_stack


@pytest.mark.parametrize("result", ["1-0", "1/2-1/2"])
def test_a_result_stays_that_the_board_contradicts(result: str) -> None:
    mate = "1. f3 e5 2. g4 Qh4#"
    game = loaded(text(TAGS | {"Result": result}, f"{mate} {result}"))
    assert tags_of(game.pgn())["Result"] == result and moves_of(game.pgn()) == f"{mate} {result}"


@pytest.mark.parametrize(
    ("change", "result", "moves"),
    [
        (lambda game: game.take_back(), "*", MOVES.replace(" 3. Nc3 { End } 1-0", " *")),
        (
            lambda game: (game.take_back(), play(game, "e5")),
            "*",
            MOVES.replace("3. Nc3 { End } 1-0", "3. e5 *"),
        ),
        (
            lambda game: (game.take_back(), play(game, "Nc3", "dxe4")),
            "*",
            MOVES.replace("{ End } 1-0", "dxe4 *"),
        ),
        (
            lambda game: (game.look_at(0), game.cut(), play(game, "f3", "e5", "g4", "Qh4#")),
            "0-1",
            "{ Before } 1. f3 e5 2. g4 Qh4# 0-1",
        ),
        (
            lambda game: (game.look_at(1), game.cut(), game.choose_side("black"), game.resign()),
            "1-0",
            "{ Before } 1. e4 $1 { Best Black resigned } ( 1. d4 d5 ( 1... Nf6 $5 ) 2. c4 ) 1-0",
        ),
    ],
)
def test_what_is_changed_keeps_what_still_holds(
    change: Callable[[WebGame], object], result: str, moves: str
) -> None:
    game = loaded(text(TAGS, MOVES))
    change(game)
    plies = f"{len(game.board.move_stack)}"
    expected = TAGS | {"Result": result, "PlyCount": plies}
    del expected["Termination"]
    assert list(tags_of(game.pgn()).items()) == list(expected.items())
    assert moves_of(game.pgn()) == moves
    assert "PlyCount" not in tags_of(loaded(text({"White": "Ann"}, "1. e4 *")).pgn())


def test_tables_with_the_same_game_do_not_change_it() -> None:
    read = chess.pgn.read_game(io.StringIO(text(TAGS, MOVES)))
    assert read is not None
    one, other = WebGame(), WebGame()
    one.take(read)
    one.take_back()
    one.pgn()
    other.take(read)
    assert moves_of(other.pgn()) == MOVES


def test_a_new_game_has_nothing_of_the_old_one() -> None:
    game = loaded(text(TAGS, MOVES))
    game.begin(chess.Board(), "both", None)
    assert "ECO" not in tags_of(game.pgn()) and tags_of(game.pgn())["White"] == "Human"


VALUES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=40)


@given(
    st.dictionaries(
        st.from_regex(r"[A-Z][A-Za-z0-9_]{0,20}", fullmatch=True).filter(
            lambda name: name not in ("FEN", "Variant", "SetUp", "Result")
        ),
        VALUES.map(lambda value: value.replace("\\", "/").replace('"', "'").strip() or "?"),
        max_size=8,
    )
)
def test_any_tags_are_written_again(tags: dict[str, str]) -> None:
    whole = {"White": "Ann", **tags, "Result": "*"}
    written = tags_of(loaded(text(whole, "1. e4 e5 *")).pgn())
    assert {name: written[name] for name in whole} == whole
    others = [name for name in whole if name not in chess.pgn.TAG_ROSTER]
    assert [name for name in written if name not in chess.pgn.TAG_ROSTER] == others
