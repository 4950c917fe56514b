"""Principal variations as they are printed."""

from __future__ import annotations

import chess
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine import bridge
from boomslang.engine.searcher.pv import PvReader

WALK = ("g1f3", "g8f6", "f3g1", "f6g8")


def raw(board: chess.Board, *moves: str) -> tuple[int, ...]:
    """The moves as the search writes them; what is not legal stays what it is."""
    after, line = board.copy(), []
    for text in moves:
        move = chess.Move.from_uci(text)
        line.append(bridge.from_move(move, after))
        after.push(move)
    return tuple(line)


def read(board: chess.Board, line: tuple[int, ...]) -> list[str]:
    return [move.uci() for move in PvReader(board).read(line)]


def test_a_line_ends_before_a_move_that_is_not_legal() -> None:
    board = chess.Board()
    assert read(board, raw(board, "e2e4", "e7e5", "e4e5", "g8f6")) == ["e2e4", "e7e5"]
    assert read(board, ()) == []


def test_a_line_ends_with_the_game() -> None:
    board = chess.Board()
    for text in WALK[:3]:
        board.push_uci(text)
    line = raw(board, *WALK[3:], *WALK, *WALK)
    assert read(board, line) == ["f6g8", *WALK]
    late = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    assert read(late, raw(late, "a1a2", "e8e7", "a2a3")) == ["a1a2", "e8e7"]
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert read(mate, raw(mate, "a1a8", "h7h6")) == ["a1a8"]


MOVES = st.sampled_from([*WALK, "e2e4", "e7e5", "e1e2", "e8e7", "e2e1", "e7e8", "a1a8"])


@given(st.lists(st.lists(MOVES, max_size=14), min_size=1, max_size=8))
def test_what_was_read_before_makes_no_difference(lines: list[list[str]]) -> None:
    board = chess.Board()
    for text in (*WALK, *WALK[:2]):
        board.push_uci(text)
    reader = PvReader(board)
    fen, plies = board.fen(), board.ply()
    for line in lines:
        moves = tuple(
            chess.Move.from_uci(text).from_square | chess.Move.from_uci(text).to_square << 6
            for text in line
        )
        assert reader.read(moves) == PvReader(board).read(moves)
    assert (board.fen(), board.ply()) == (fen, plies)
