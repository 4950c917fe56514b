"""A move made on a copy gives what a fresh record of the new position holds."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from boomslang.core.board.constants import NO_SQUARE, U
from boomslang.core.board.makemove import make_move, make_null_move
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from tests.support.oracle import (
    copy_of,
    fixed_positions,
    moves_of,
    position_of,
    random_game,
    rules,
    without_history,
)

pytestmark = pytest.mark.usefixtures("kernels")


def replay(before: Any, after: Any) -> None:
    """Check that the record of moved pieces turns the old board into the new one."""
    squares = before.board.tolist()
    moved = after.moved.tolist()
    steps = [moved[first : first + 3] for first in range(1, 1 + 3 * moved[0], 3)]
    for piece, origin, _ in steps:
        if origin != NO_SQUARE:
            assert squares[origin] == piece
            squares[origin] = 12
    for piece, _, target in steps:
        if target != NO_SQUARE:
            squares[target] = piece
    assert squares == after.board.tolist()


def check_all_moves(board: chess.Board) -> None:
    """Make every legal move and compare with python-chess."""
    before = position_of(board)
    untouched = without_history(before)
    for move in moves_of(before):
        after = copy_of(before)
        make_move(rules(), after, U(move))
        board.push(bridge.to_move(move, board))
        # The rules keep the root's castling squares, as in a search.
        fresh = copy_of(before)
        bridge.to_position(rules(), board, fresh)
        assert without_history(after) == without_history(fresh), board.fen()
        replay(before, after)
        board.pop()
    assert without_history(before) == untouched


@pytest.mark.parametrize("board", fixed_positions(), ids=lambda board: board.fen())
def test_positions_of_one_rule_each(board: chess.Board) -> None:
    check_all_moves(board)


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games(chess960: bool) -> None:
    for board in random_game(100, 20 if DISABLED else 100, chess960):
        check_all_moves(board)


@pytest.mark.parametrize("chess960", [False, True])
def test_a_whole_game_without_starting_afresh(chess960: bool) -> None:
    ours = None
    for board in random_game(77, 200, chess960):
        if ours is None:
            ours = position_of(board)
            start = board.copy()
        else:
            earlier = board.copy()
            move = earlier.pop()
            make_move(rules(), ours, U(bridge.from_move(move, earlier)))
        bridge.set_castling(rules(), start)
        fresh = copy_of(ours)
        bridge.to_position(rules(), board, fresh)
        assert without_history(ours) == without_history(fresh), board.fen()


@pytest.mark.parametrize("fen", ["8/8/8/K2pP3/8/8/8/7k w - d6 5 9", chess.STARTING_FEN])
def test_a_null_move_only_passes_the_turn(fen: str) -> None:
    board = chess.Board(fen)
    position = position_of(board)
    make_null_move(rules(), position)
    board.push(chess.Move.null())
    assert without_history(position) == without_history(position_of(board))
    assert int(position.since_null) == 0


def test_the_halfmove_clock_stops_at_its_end() -> None:
    board = chess.Board("8/8/8/4k3/8/4K3/8/7R w - - 254 300")
    position = position_of(board)
    for uci in ("h1h2", "e5d5", "h2h1"):
        make_move(rules(), position, U(bridge.from_move(chess.Move.from_uci(uci), board)))
        board.push_uci(uci)
    assert int(position.halfmoves) == 255
