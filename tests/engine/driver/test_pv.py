"""Principal variations as they are printed."""

from __future__ import annotations

import random
from typing import Any

import chess
import pytest

from boomslang.engine import bridge
from boomslang.engine.driver import pv
from boomslang.engine.limits import Limits
from boomslang.engine.search.state import fields_of
from tests.support.oracle import random_game

pytestmark = pytest.mark.usefixtures("kernels")

WALK = ("g1f3", "g8f6", "f3g1", "f6g8")


def raw(board: chess.Board, *moves: str) -> tuple[int, ...]:
    """The moves as the search writes them; what is not legal stays what it is."""
    after, line = board.copy(), []
    for text in moves:
        move = chess.Move.from_uci(text)
        line.append(bridge.from_move(move, after))
        after.push(move)
    return tuple(line)


@pytest.fixture(scope="module")
def search() -> Any:
    return bridge.new_search()


def read(search: Any, board: chess.Board, line: tuple[int, ...]) -> list[str]:
    bridge.set_root(search, board, Limits(), 1, 1)
    return [move.uci() for move in pv.read(fields_of(search), line, board)]


def test_a_line_ends_before_a_move_that_is_not_legal(search: Any) -> None:
    board = chess.Board()
    assert read(search, board, raw(board, "e2e4", "e7e5", "e4e5", "g8f6")) == ["e2e4", "e7e5"]
    assert read(search, board, ()) == []


def test_a_line_ends_with_the_game(search: Any) -> None:
    board = chess.Board()
    for text in WALK[:3]:
        board.push_uci(text)
    line = raw(board, *WALK[3:], *WALK, *WALK)
    assert read(search, board, line) == ["f6g8", *WALK]
    late = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    assert read(search, late, raw(late, "a1a2", "e8e7", "a2a3")) == ["a1a2", "e8e7"]
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert read(search, mate, raw(mate, "a1a8", "h7h6")) == ["a1a8"]


def expected(board: chess.Board, line: tuple[int, ...]) -> list[str]:
    """What python-chess would show of a line."""
    after, told = board.copy(), []
    for word in line:
        move = bridge.to_move(word, after)
        if not after.is_legal(move):
            break
        after.push(move)
        told.append(move.uci())
        if after.halfmove_clock >= 100 or after.is_repetition(3):
            break
    return told


@pytest.mark.parametrize("chess960", [False, True])
def test_lines_of_games_with_foreign_moves_in_them(search: Any, chess960: bool) -> None:
    rng = random.Random(3)
    *_, last = random_game(7, plies=240, chess960=chess960)
    played, root = list(last.move_stack), last.root()
    for first, move in enumerate(played):
        if first % 12 == 0:
            after = root.copy()
            words = []
            for later in played[first : first + 40]:
                words.append(bridge.from_move(later, after))
                after.push(later)
            assert read(search, root, tuple(words)) == expected(root, tuple(words))
            words.insert(rng.randrange(len(words)), rng.randrange(1 << 12))
            assert read(search, root, tuple(words)) == expected(root, tuple(words))
        root.push(move)
