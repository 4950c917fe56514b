"""The board with a screen reader: the position described in text, kept up to date."""

from __future__ import annotations

import json
import random

import chess
import pytest

from tests.support.board_page import BoardPage

pytestmark = pytest.mark.jit_only

ENDS = {"+": ", check", "#": ", checkmate"}


def listed_pieces(board: chess.Board, colour: chess.Color) -> str:
    """What a side has, by python-chess."""
    told = []
    for kind in reversed(chess.PIECE_TYPES):
        squares = sorted(map(chess.square_name, board.pieces(kind, colour)))
        if squares:
            places = " and ".join(filter(None, [", ".join(squares[:-1]), squares[-1]]))
            told.append(f"{chess.piece_name(kind)}{'s' * (len(squares) > 1)} on {places}")
    return "; ".join(told)


def told(board: chess.Board, move: chess.Move) -> str:
    """A move in words, by python-chess."""
    san = board.san(move)
    end = ENDS.get(san[-1], "")
    if board.is_castling(move):
        side = "king's" if board.is_kingside_castling(move) else "queen's"
        return f"castles on the {side} side{end}"
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    bare = san.rstrip("+#").partition("=")[0].lstrip("KQRBN").replace("x", "")
    way = "takes on" if board.is_capture(move) else "to"
    words = [chess.piece_name(kind), bare[:-2], way, bare[-2:]]
    becomes = f", becomes a {chess.piece_name(move.promotion)}" if move.promotion else ""
    return " ".join(filter(None, words)) + becomes + end


def test_any_position_and_move_in_words(page: BoardPage) -> None:
    chance = random.Random(7)
    starts = [
        chess.STARTING_FEN,
        chess.Board.from_chess960_pos(3).fen(),
        "7k/PPP5/8/8/8/8/ppp5/7K w - - 0 1",
    ]
    placements, sans, expected = [], [], []
    for number in range(30):
        board = chess.Board(starts[number % 3], chess960=number % 3 == 1)
        for _ in range(80):
            choices = list(board.legal_moves)
            if not choices:
                break
            made = chance.choice(choices)
            placements.append(board.board_fen())
            sans.append(board.san(made))
            expected.append(
                [
                    listed_pieces(board, chess.WHITE),
                    listed_pieces(board, chess.BLACK),
                    told(board, made),
                ]
            )
            board.push(made)
    assert {san[-1] for san in sans} >= {"+", "#", "O"} and any("=" in san for san in sans)
    found = page.run(
        f"""import("./words.js").then(({{ menInWords, moveInWords }}) => {{
          const placements = {json.dumps(placements)}, sans = {json.dumps(sans)};
          return sans.map((san, at) => [
            menInWords(placements[at], true), menInWords(placements[at], false), moveInWords(san)]);
        }})"""
    )
    assert found == expected


def position(page: BoardPage, *wanted: str) -> str:
    """What a screen reader says, as soon as that is part of it."""
    for words in wanted:
        page.wait_for(
            f"document.getElementById('position').textContent.includes({json.dumps(words)})"
        )
    return page.heard("Position")[0]


def test_the_position_is_described_and_kept_up_to_date(page: BoardPage) -> None:
    board = chess.Board()
    heard = position(page, "White to move.")
    assert (
        f"White: {listed_pieces(board, chess.WHITE)}." in heard
        and f"Black: {listed_pieces(board, chess.BLACK)}." in heard
    )
    assert "No move has been made." in heard
    page.sit_on_both_sides()
    page.move("e2e4")
    page.wait_for_moves("e4")
    page.type_move("f5")
    heard = position(page, "Move 1, Black: pawn to f5.", "White to move.")
    for san in ("e4", "f5"):
        board.push_san(san)
    assert (
        f"White: {listed_pieces(board, chess.WHITE)}." in heard
        and f"Black: {listed_pieces(board, chess.BLACK)}." in heard
    )
    page.type_move("Qh5+")
    heard = position(page, "Move 2, White: queen to h5, check.", "Black to move, in check.")
    assert "queen on h5" in heard
    page.press_button("back")
    heard = position(page, "Move 1, Black: pawn to f5.")
    assert "queen on d1" in heard and "White to move." in heard
    page.press_button("last")
    page.press_button("undo")
    page.wait_for_moves("e4", "f5")
    assert "queen on d1" in position(page, "Move 1, Black: pawn to f5.")


def test_the_end_of_the_game_is_described_and_the_board_image_is_hidden(page: BoardPage) -> None:
    page.set_up("7k/8/6K1/8/8/8/8/R7 b - - 0 40")
    assert "Black to move." in position(page, "White: king on g6; rook on a1.")
    page.type_move("Kg8")
    page.type_move("Ra8#")
    heard = position(page, "Move 41, White: rook to a8, checkmate.")
    assert "The game is over: 1-0, checkmate." in heard and "Black: king on g8." in heard
    assert page.run("document.querySelector('#board piece').closest('[aria-hidden=true]') !== null")


def test_each_move_is_read_out_when_the_reader_is_free(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.run(
        """window.changes = [];
        new MutationObserver(() => changes.push(document.getElementById("last-move").textContent))
          .observe(document.getElementById("last-move"), { childList: true, characterData: true })"""
    )
    for san in ("e4", "e5", "Nf3"):
        page.type_move(san)
    position(page, "Move 2, White: knight to f3.")
    page.press_button("flip")  # no news
    page.press_button("tab-think")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    spoken = [
        "Move 1, White: pawn to e4.",
        "Move 1, Black: pawn to e5.",
        "Move 2, White: knight to f3.",
    ]
    heard = page.run("changes")
    assert heard[-1] == spoken[-1] and [words for words in spoken if words in heard] == heard
    page.press_button("tab-play")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    live = {
        each["name"]: each["value"]["value"]
        for node in nodes
        if node.get("role", {}).get("value") == "status"
        for each in node["properties"]
    }
    assert live["live"] == "polite"


def test_a_previewed_position_is_described_too(page: BoardPage) -> None:
    page.press_button("tab-think")
    page.wait_for("document.querySelectorAll('#lines li:first-child button').length > 3")
    page.run("document.querySelectorAll('#lines button[data-board]')[0].focus()")
    heard = position(page, "This is a position that is looked at")
    shown = page.run("document.activeElement.dataset.board")
    assert f"White: {listed_pieces(chess.Board(f'{shown} b - - 0 1'), chess.WHITE)}." in heard
    page.run("document.activeElement.blur()")
    assert "White to move." in position(page, "White to move.")
