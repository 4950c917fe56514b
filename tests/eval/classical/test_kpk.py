"""King and pawn against king: the table against a tablebase, and what the evaluation makes of it."""

from __future__ import annotations

import random
from typing import Any

import chess
import chess.syzygy
import pytest

from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.kpk import is_won_kpk
from boomslang.eval.classical.new_evaluator import new_evaluator
from tests.support.oracle import rules
from tests.support.places import SUITES

TABLES = SUITES / "syzygy"

# Known to every beginner's book: FEN, and whether the side with the pawn wins.
BOOK = [
    ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", False),  # the defender has the opposition
    ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", True),  # and here he would have to give it up
    ("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1", True),  # room for a waiting move of the pawn
    ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", True),  # king on the sixth before its pawn
    ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", True),
    ("k7/8/K7/P7/8/8/8/8 w - - 0 1", False),  # rook pawn, king in the corner
    ("8/8/8/8/7P/8/k7/7K w - - 0 1", True),  # outside the square of the pawn
    ("8/8/8/8/7P/1k6/8/7K b - - 0 1", True),
    ("8/8/8/3k4/7P/8/8/7K b - - 0 1", False),  # inside it
    ("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1", False),  # stalemate
    ("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1", False),
]


@pytest.fixture(scope="module")
def evaluator(kernels: None) -> Any:
    return new_evaluator()


def is_won(evaluator: Any, board: chess.Board) -> bool:
    position = new_record(POSITION)
    bridge.to_position(rules(), board, position)
    return bool(is_won_kpk(evaluator, position))


@pytest.mark.parametrize(("fen", "won"), BOOK)
def test_positions_of_the_books(evaluator: Any, fen: str, won: bool) -> None:
    board = chess.Board(fen)
    for same in (board, board.mirror(), board.transform(chess.flip_horizontal)):
        assert is_won(evaluator, same) == won, same.fen()


@pytest.mark.parametrize(("fen", "won"), BOOK)
def test_draws_score_nothing(evaluator: Any, fen: str, won: bool) -> None:
    position = new_record(POSITION)
    bridge.to_position(rules(), chess.Board(fen), position)
    score = abs(int(evaluate(rules(), evaluator, position)))
    assert score > 50 if won else score <= 20


def test_table_against_a_tablebase(evaluator: Any) -> None:
    if not TABLES.is_dir():
        pytest.skip("no tablebases here")
    source = random.Random(7)
    seen = {True: 0, False: 0}
    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        while min(seen.values()) < 300:
            board = chess.Board(None)
            squares = source.sample(chess.SQUARES, 3)
            pieces = [chess.Piece(chess.KING, True), chess.Piece(chess.KING, False)]
            pieces.append(chess.Piece(chess.PAWN, source.random() < 0.5))
            for square, piece in zip(squares, pieces, strict=True):
                board.set_piece_at(square, piece)
            board.turn = source.random() < 0.5
            if not board.is_valid():
                continue
            won = tables.probe_wdl(board) != 0
            assert is_won(evaluator, board) == won, board.fen()
            seen[won] += 1
