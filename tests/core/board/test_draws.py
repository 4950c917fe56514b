"""Draws by the rules: dead positions as python-chess knows them, repetition, fifty moves."""

from __future__ import annotations

import itertools

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import I
from boomslang.core.board.draws import FIFTY_MOVES, is_dead, is_repetition
from tests.support.oracle import position_of, random_game
from tests.support.places import SUITES

pytestmark = pytest.mark.usefixtures("kernels")

DARK, LIGHT, OTHER_DARK = chess.C1, chess.F1, chess.E3


def place(*pieces: tuple[str, int]) -> chess.Board:
    """Kings on a8 and h8 and these pieces."""
    board = chess.Board("k6K/8/8/8/8/8/8/8 w - - 0 1")
    for symbol, square in pieces:
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board


def test_dead_positions_of_little_material() -> None:
    squares = (DARK, LIGHT, OTHER_DARK)
    symbols = ("B", "b", "N", "n", "P", "r", "Q", None)
    for chosen in itertools.product(symbols, repeat=3):
        pieces = [(s, square) for s, square in zip(chosen, squares, strict=True) if s]
        if any(s == "P" and square < 8 for s, square in pieces):
            continue
        board = place(*pieces)
        assert bool(is_dead(position_of(board))) == board.is_insufficient_material(), board.fen()


def test_dead_positions_in_random_games() -> None:
    for board in random_game(4, 400):
        assert bool(is_dead(position_of(board))) == board.is_insufficient_material()


def test_suite_of_dead_positions() -> None:
    suite = SUITES / "corner" / "insufficient_material.tsv"
    if not suite.exists():
        pytest.skip("no suite of dead positions beside this checkout")
    for line in suite.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            fen, _, _, dead = line.split("\t")
            assert bool(is_dead(position_of(chess.Board(fen)))) == (dead == "1"), fen


def repeated(keys: list[int], ply: int, halfmoves: int = 100, since_null: int = 100) -> bool:
    """Whether the last of `keys`, `ply` plies below the root, counts as repeated."""
    array = np.array(keys, dtype=np.uint64)
    return bool(is_repetition(array, I(len(keys) - 1), I(ply), I(halfmoves), I(since_null)))


def test_one_repetition_inside_the_search_is_enough() -> None:
    assert repeated([1, 2, 3, 4, 1], ply=5)
    assert not repeated([1, 2, 3, 4, 5], ply=5)
    assert not repeated([1, 2, 3, 4, 9, 1], ply=6)  # the other side is to move


def test_the_root_and_the_game_count_three_times() -> None:
    assert not repeated([1, 2, 3, 4, 1], ply=4)
    assert not repeated([1, 2, 3, 4, 1], ply=0)
    assert repeated([1, 2, 3, 4, 1, 2, 3, 4, 1], ply=0)
    assert repeated([1, 2, 3, 4, 1, 2, 3, 4, 1], ply=2)


def test_nothing_repeats_across_an_irreversible_or_null_move() -> None:
    keys = [1, 2, 3, 4, 1]
    assert repeated(keys, ply=5, halfmoves=4)
    assert not repeated(keys, ply=5, halfmoves=3)
    assert not repeated(keys, ply=5, since_null=3)


def test_python_chess_agrees_on_threefold_repetition() -> None:
    board = chess.Board()
    keys = [int(position_of(board).key)]
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8") * 3:
        board.push_uci(uci)
        keys.append(int(position_of(board).key))
        assert repeated(keys, 0, board.halfmove_clock) == board.is_repetition(3)


def test_fifty_moves_are_a_hundred_plies() -> None:
    assert FIFTY_MOVES == 100
