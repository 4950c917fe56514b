"""The fast reader of FEN agrees with python-chess, or leaves the line to it."""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import NO_SQUARE
from boomslang.core.board.fen import NOT_UNDERSTOOD, read_fen
from boomslang.core.board.position import POSITION, new_record
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.engine.notation.validity import why_invalid
from tests.support.oracle import fixed_positions, random_game, rules

pytestmark = pytest.mark.usefixtures("kernels")

GAMES, PLIES = (2, 30) if DISABLED else (20, 120)
LETTERS = "pnbrqkPNBRQK12345678/ wbKQkqAHh-abeg36 x0"


def read(line: str) -> tuple[int, Any]:
    """Where the position ends, and the record."""
    position = new_record(POSITION)
    text = np.frombuffer(bytearray(line.encode()), np.uint8)
    return int(read_fen(rules(), text, np.int64(0), np.int64(len(text)), position)), position


def by_python_chess(board: chess.Board) -> Any:
    position = new_record(POSITION)
    plain = board.copy(stack=False)
    plain.castling_rights = chess.BB_EMPTY
    plain.ep_square = None
    bridge.to_position(rules(), plain, position)
    position.ep = NO_SQUARE
    return position


def same(one: Any, other: Any) -> bool:
    return bool(one.tobytes() == other.tobytes())


def test_games() -> None:
    for seed in range(GAMES):
        for board in random_game(seed, PLIES, chess960=bool(seed % 2)):
            fen = board.fen(shredder=board.chess960, en_passant="fen")
            end, position = read(fen)
            assert end == len(fen), fen
            assert same(position, by_python_chess(board)), fen


def test_epd_and_what_follows() -> None:
    for board in fixed_positions():
        if why_invalid(board):
            continue
        fields = board.fen(shredder=board.chess960).split()
        epd = " ".join(fields[:4])
        for tail in ("", " ", ' bm e4; id "1 2";', " 7 9", " 7 9 c0 x;"):
            end, position = read(epd + tail)
            counted = tail.startswith(" 7 9")
            if end == NOT_UNDERSTOOD:  # odd armies are for python-chess
                assert not counted or board.status() != chess.STATUS_VALID, epd
                continue
            assert (epd + tail)[:end] == epd + (" 7 9" if counted else "")
            assert int(position.halfmoves) == (7 if counted else 0)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "w",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K3 w -",
        "4k3/8/8/8/8/8/8/4K3 w - ",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w  - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/8/8/8/8/8/8/44K w - - 0 1",
        "4k3/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KKK - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w kK - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 x",
        "4k3/8/8/8/8/8/8/4K3 w - - 123456 1",
        "4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "QQQQk3/QQQQ4/QQQQ4/8/8/8/8/4K3 b - - 0 1",
        "4kä3/8/8/8/8/8/8/4K3 w - - 0 1",
    ],
)
def test_what_is_left_to_python_chess(line: str) -> None:
    assert read(line)[0] == NOT_UNDERSTOOD


def test_every_accepted_position_agrees_with_python_chess() -> None:
    source = random.Random(4)
    understood = 0
    boards = [board.fen() for board in random_game(3, PLIES)]
    for _ in range(60 if DISABLED else 6000):
        letters = list(source.choice(boards))
        for _ in range(source.randrange(1, 3)):
            place = source.randrange(len(letters))
            letters[place : place + source.randrange(2)] = source.choice(LETTERS)
        line = "".join(letters)
        end, position = read(line)
        if end == NOT_UNDERSTOOD:
            continue
        understood += 1
        board = chess.Board(line[:end])
        assert why_invalid(board) is None, line
        assert same(position, by_python_chess(board)), line
    assert understood
