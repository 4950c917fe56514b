"""Static exchange evaluation against a slow exchange on a python-chess board."""

from __future__ import annotations

import re

import chess
import pytest

from boomslang.core.board.constants import I, U
from boomslang.core.board.see import SEE_VALUE, see_at_least
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from tests.support.oracle import fixed_positions, position_of, random_game, rules
from tests.support.places import SUITES

pytestmark = pytest.mark.usefixtures("kernels")

VALUE = {kind: int(SEE_VALUE[kind - 1]) for kind in chess.PIECE_TYPES}


def recapture(board: chess.BaseBoard, square: int, side: chess.Color) -> int:
    """What `side` wins at best by taking on the square, or 0 if it had better not."""
    attackers = board.attackers(side, square)
    if not attackers:
        return 0
    taker = min(attackers, key=lambda origin: (board.piece_type_at(origin), origin))
    kind = board.piece_type_at(taker)
    victim = board.piece_type_at(square)
    assert kind and victim
    if kind == chess.KING and board.attackers(not side, square):
        return 0
    board.remove_piece_at(taker)
    board.set_piece_at(square, chess.Piece(kind, side))
    return max(0, VALUE[victim] - recapture(board, square, not side))


def exchange(board: chess.Board, move: chess.Move) -> int:
    """The value of a move and the best play of both sides on its target square."""
    if board.is_castling(move):
        return 0
    after = chess.BaseBoard(board.board_fen())
    piece = after.remove_piece_at(move.from_square)
    victim = after.piece_type_at(move.to_square)
    assert piece
    if board.is_en_passant(move):
        victim = chess.PAWN
        after.remove_piece_at(move.to_square ^ 8)
    gain = VALUE[victim] if victim else 0
    if move.promotion:
        gain += VALUE[move.promotion] - VALUE[chess.PAWN]
        piece = chess.Piece(move.promotion, piece.color)
    after.set_piece_at(move.to_square, piece)
    return gain - recapture(after, move.to_square, not board.turn)


def check(board: chess.Board, move: chess.Move, value: int) -> None:
    """Both sides of the threshold."""
    position, ours = position_of(board), U(bridge.from_move(move, board))
    assert see_at_least(rules(), position, ours, I(value)), (board.fen(), move, value)
    assert not see_at_least(rules(), position, ours, I(value + 1)), (board.fen(), move, value)


@pytest.mark.parametrize("board", fixed_positions(), ids=lambda board: board.fen())
def test_positions_of_one_rule_each(board: chess.Board) -> None:
    for move in board.legal_moves:
        check(board, move, exchange(board, move))


def test_random_game() -> None:
    for board in random_game(1, 20 if DISABLED else 100):
        for move in board.legal_moves:
            check(board, move, exchange(board, move))


@pytest.mark.parametrize(
    ("fen", "san", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        ("4k3/8/3r4/8/8/8/3R4/3RK3 w - - 0 1", "Rxd6", 500),
        ("4k3/2p5/3r4/8/8/8/3R4/3RK3 w - - 0 1", "Rxd6", 100),
        ("4k3/3r4/3p4/8/8/8/3Q4/3RK3 w - - 0 1", "Qxd6", -300),
        ("8/8/8/3k4/3p4/8/3R4/3K4 w - - 0 1", "Rxd4+", -400),
        ("8/8/8/3k4/3p4/8/3R4/3RK3 w - - 0 1", "Rxd4+", 100),
    ],
)
def test_facts(fen: str, san: str, value: int) -> None:
    board = chess.Board(fen)
    check(board, board.parse_san(san), value)


# In these a recapture promotes. The exchange counts it as a plain pawn capture.
PROMOTING_RECAPTURES = ("see.023", "see.067")


def test_suite_of_exchanges() -> None:
    suite = SUITES / "corner" / "see_a.epd"
    if not suite.exists():
        pytest.skip("no suite of exchanges beside this checkout")
    for line in suite.read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(line)
        if operations["id"] in PROMOTING_RECAPTURES:
            continue
        match = re.fullmatch(r"see=(-?\d+)", str(operations["c0"]))
        move = operations["sm"]
        assert match and isinstance(move, chess.Move)
        check(board, move, int(match[1]))
