"""Boards and moves survive the way into the core and back."""

from __future__ import annotations

import random

import chess
import pytest

from boomslang.core.board.constants import NO_SQUARE
from boomslang.engine import bridge
from boomslang.engine.notation.position_setup import PositionSetup
from boomslang.engine.notation.validity import why_invalid
from tests.support.oracle import (
    CHESS960_FENS,
    KIWIPETE,
    fixed_positions,
    position_of,
    random_game,
    rules,
)

pytestmark = pytest.mark.usefixtures("kernels")


def keys_before(board: chess.Board) -> list[int]:
    """The keys of the earlier positions that could still come again."""
    return bridge.history_keys(rules(), board, position_of(board))


def test_every_legal_move_comes_back() -> None:
    for board in fixed_positions():
        for move in board.legal_moves:
            assert bridge.to_move(bridge.from_move(move, board), board) == move, board.fen()


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_of_random_games_come_back(chess960: bool) -> None:
    for board in random_game(5, 60, chess960):
        for move in board.legal_moves:
            assert bridge.to_move(bridge.from_move(move, board), board) == move


def test_castling_is_king_takes_rook_inside() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short = bridge.from_move(chess.Move.from_uci("e1g1"), board)
    assert (short & 63, short >> 6 & 63) == (chess.E1, chess.H1)
    assert bridge.from_move(chess.Move.from_uci("e1h1"), board) == short
    assert bridge.to_move(short, board).uci() == "e1g1"
    assert set(bridge.spellings(short, board)) == {"e1g1", "e1h1"}
    board.chess960 = True
    assert bridge.to_move(short, board).uci() == "e1h1"
    assert bridge.spellings(short, board) == ("e1h1",)


def test_long_castling_has_its_two_spellings() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    long = bridge.from_move(chess.Move.from_uci("e8c8"), board)
    assert bridge.to_move(long, board).uci() == "e8c8"
    assert set(bridge.spellings(long, board)) == {"e8c8", "e8a8"}


def test_other_moves_have_one_spelling() -> None:
    board = chess.Board("8/P7/8/8/8/8/8/K1k5 w - - 0 1")
    move = bridge.from_move(chess.Move.from_uci("a7a8r"), board)
    assert bridge.spellings(move, board) == ("a7a8r",)


@pytest.mark.parametrize("fen", CHESS960_FENS)
def test_castling_squares_of_chess960(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    position = position_of(board)
    for right in range(4):
        if int(position.castling) >> right & 1:
            rook = int(rules().castling_rook[right])
            assert board.piece_at(rook) == chess.Piece(chess.ROOK, right < 2)
            assert not int(rules().castling_keep[rook]) >> right & 1
    assert bin(int(position.castling)).count("1") == bin(board.clean_castling_rights()).count("1")


def test_a_useless_en_passant_square_is_dropped() -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    assert int(position_of(board).ep) == NO_SQUARE
    pinned = chess.Board("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
    assert int(position_of(pinned).ep) == NO_SQUARE
    legal = chess.Board("8/8/8/K2pP3/8/8/8/7k w - d6 0 1")
    assert int(position_of(legal).ep) == chess.D6


def test_the_board_is_written_into_the_record() -> None:
    board = chess.Board(KIWIPETE)
    position = position_of(board)
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        expected = 12 if piece is None else piece.piece_type - 1 + (0 if piece.color else 6)
        assert int(position.board[square]) == expected
    assert int(position.by_colour[0]) == board.occupied_co[chess.WHITE]
    assert int(position.by_type[3]) == board.rooks
    assert int(position.side) == 0


def test_a_large_halfmove_clock_is_clamped() -> None:
    board = chess.Board("8/8/8/4k3/8/4K3/8/7R w - - 700 900")
    assert int(position_of(board).halfmoves) == 255


def test_history_ends_at_the_last_capture_or_pawn_move() -> None:
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f3g1", "c6b8"):
        board.push_uci(move)
    position = position_of(board)
    keys = bridge.history_keys(rules(), board, position)
    assert len(keys) == int(position.since_null) == 4
    assert keys[0] == int(position.key)
    assert keys.count(int(position.key)) == 1
    assert keys_before(chess.Board()) == []


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_history_keys_equal_the_keys_of_the_positions(seed: int, chess960: bool) -> None:
    earlier: list[tuple[int, int]] = []  # key and castling rights after each move
    for board in random_game(seed, 150, chess960):
        key = int(position_of(board).key)
        keys = keys_before(board)
        since = earlier[len(earlier) - board.halfmove_clock :]
        same = [known for known, rights in since if rights == board.castling_rights]
        assert keys == same
        earlier.append((key, board.castling_rights))


def test_a_position_where_a_pawn_may_be_taken_en_passant_is_another() -> None:
    board = chess.Board("4k3/8/8/8/3p4/8/4P3/R3K3 w - - 0 1")
    for move in ("e2e4", "e8e7", "a1a2", "e7e8", "a2a1"):
        board.push_uci(move)
    again = int(position_of(board).key)
    first, *others = keys_before(board)
    assert len(others) == 3 and first != again
    start = chess.Board("4k3/8/8/8/3p4/8/4P3/R3K3 w - - 0 1")
    start.push_uci("e2e4")
    assert first == int(position_of(start).key)


def test_boards_that_a_user_has_changed_have_no_invented_history() -> None:
    def moved(fen: str, *moves: str) -> chess.Board:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        return board

    dirty = moved("3qk3/8/8/8/8/8/6PP/6RK b Q - 0 1", *("d8d5", "g1f1", "d5d8", "f1g1") * 2)
    assert keys_before(dirty).count(int(position_of(dirty).key)) == 2  # cleaned by the first move
    taken = moved("4k2q/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", "e8e7", "e5f3", "e7e8")
    taken.halfmove_clock = 40
    assert len(keys_before(taken)) == 3
    passed = moved(chess.STARTING_FEN, *("g1f3", "g8f6", "f3g1", "f6g8") * 2, "g1f3")
    passed.turn = chess.WHITE
    assert keys_before(passed) == []
    passed = moved(chess.STARTING_FEN, "g1f3", "g8f6")
    passed.ep_square = chess.E6
    assert keys_before(passed) == []


@pytest.mark.parametrize("seed", range(100))
def test_rights_that_a_user_has_set_count_where_king_and_rook_stand(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    earlier: list[tuple[int, int]] = []  # key and castling rights that hold
    for _ in range(40):
        if rng.random() < 0.2:
            board.castling_rights = rng.choice((0, 0x81, 0x81 << 56, chess.BB_CORNERS))
        plain = board.copy(stack=False)  # where there is a history python-chess does not look
        key, rights = int(position_of(plain).key), plain.clean_castling_rights()
        mended = PositionSetup().set_up(board, (), chess960=False)
        assert int(position_of(mended).key) == key
        since = earlier[len(earlier) - board.halfmove_clock :]
        same: list[int] = []
        for known, held in reversed(since):
            if held != rights:
                break
            same.insert(0, known)
        assert keys_before(mended) == same
        earlier.append((key, rights))
        quiet = [move for move in plain.legal_moves if not plain.is_capture(move)]
        if not quiet:
            return
        mine = board.move_stack[-2:-1]
        back = [move for move in quiet if chess.Move(move.to_square, move.from_square) in mine]
        board.push(rng.choice(back if back and rng.random() < 0.7 else quiet))


def test_history_begins_anew_after_a_null_move() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "0000", "f6g8", "f3g1"):
        board.push_uci(move)
    assert int(position_of(board).since_null) == len(keys_before(board)) == 2


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("8/8/8/8/8/8/8/k7 w - - 0 1", "White has no king"),
        ("K7/8/8/8/8/8/8/K1k5 w - - 0 1", "too many kings"),
        ("P7/8/8/8/8/8/8/K1k5 w - - 0 1", "first or last rank"),
        ("8/8/8/8/8/8/8/K1kr3R b - - 0 1", None),
        ("8/8/8/8/8/8/7r/K1k4R b - - 0 1", None),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "in check"),
        ("8/8/8/8/8/8/8/K1k5 w - d6 0 1", "en passant"),
        ("QQQQQQQQ/QQQQQQQ1/8/8/8/k7/8/K7 b - - 0 1", "promoted"),
        ("QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/K1k5 b - - 0 1", "more than 16"),
        ("3nnnnn/8/8/8/8/8/8/K1k5 w - - 0 1", None),
        (chess.STARTING_FEN, None),
    ],
)
def test_positions_that_would_break_the_core(fen: str, words: str | None) -> None:
    reason = why_invalid(chess.Board(fen))
    assert reason is None if words is None else reason is not None and words in reason


def test_the_moves_between_two_boards_of_a_game() -> None:
    earlier = chess.Board()
    earlier.push_uci("e2e4")
    later = earlier.copy()
    assert bridge.moves_between(earlier, later) == []
    for name in ("e7e5", "g1f3"):
        later.push_uci(name)
    squares = [(chess.E7, chess.E5), (chess.G1, chess.F3)]
    assert bridge.moves_between(earlier, later) == [one | two << 6 for one, two in squares]
    assert bridge.moves_between(later, earlier) is None
    assert bridge.moves_between(earlier, chess.Board(later.fen())) is None
    later.push(chess.Move.null())
    assert bridge.moves_between(earlier, later) is None
