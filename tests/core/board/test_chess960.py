"""The 960 start positions against python-chess, and how they castle."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from boomslang.core.board.chess960 import ARRAYS, ORDINARY, set_up
from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.eval.classical.weights import PIECE_SQUARE
from tests.support.oracle import start_of

pytestmark = pytest.mark.usefixtures("kernels")

CASTLING = ("castling_rook", "castling_empty", "castling_safe", "castling_keep")


def test_start_positions_agree_with_python_chess() -> None:
    mine, wanted = bridge.new_rules(None, PIECE_SQUARE), bridge.new_rules(None, PIECE_SQUARE)
    found, position = new_record(POSITION), new_record(POSITION)
    source = random.Random(4)
    pairs = [(number, number) for number in range(ARRAYS)]
    pairs += [(source.randrange(ARRAYS), source.randrange(ARRAYS)) for _ in range(200)]
    for white, black in pairs:
        board = start_of(white, black)
        set_up(mine, found, np.uint64(white), np.uint64(black))
        bridge.set_castling(wanted, board)
        bridge.to_position(wanted, board, position)
        assert found.tobytes() == position.tobytes(), (white, black)
        for name in CASTLING:
            assert (mine[name] == wanted[name]).all(), (white, black, name)


def test_the_ordinary_start() -> None:
    assert start_of(int(ORDINARY), int(ORDINARY)).fen() == chess.STARTING_FEN
