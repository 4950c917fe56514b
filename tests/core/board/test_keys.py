"""Zobrist keys are equal exactly when the positions are the same for the rules."""

from __future__ import annotations

from collections.abc import Hashable

import chess
import pytest

from boomslang.core.board.constants import NO_SQUARE, U
from boomslang.core.board.makemove import key_after, make_move
from boomslang.core.board.zobrist import refresh_keys
from boomslang.core.jit.jit import DISABLED
from tests.support.oracle import KIWIPETE, copy_of, moves_of, position_of, random_game, rules

pytestmark = pytest.mark.usefixtures("kernels")


def identity(board: chess.Board) -> Hashable:
    """What FIDE compares for a repetition: pieces, side, rights, possible en passant."""
    ep = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), ep


@pytest.mark.parametrize("chess960", [False, True])
def test_equal_keys_mean_equal_positions(chess960: bool) -> None:
    by_key: dict[int, Hashable] = {}
    by_identity: dict[Hashable, int] = {}
    start = None
    for seed in range(2 if DISABLED else 12):
        # The same Chess960 start for all games: rights are named by colour and side.
        for board in random_game(seed if not chess960 else seed // 6, 150, chess960):
            start = start or board.copy()
            key = int(position_of(board).key)
            assert by_key.setdefault(key, identity(board)) == identity(board)
            assert by_identity.setdefault(identity(board), key) == key
    assert len(by_key) > 100


def test_transpositions_have_one_key() -> None:
    one, two = chess.Board(), chess.Board()
    for uci in ("g1f3", "g8f6", "d2d4", "d7d5"):
        one.push_uci(uci)
    for uci in ("d2d4", "d7d5", "g1f3", "g8f6"):
        two.push_uci(uci)
    assert int(position_of(one).key) == int(position_of(two).key)


def test_each_feature_changes_the_key() -> None:
    fens = (
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQk - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K2R b - - 0 1",
        "r3k2r/8/8/8/3Pp3/8/8/R3K1R1 b kq - 0 1",
    )
    assert len({int(position_of(chess.Board(fen)).key) for fen in fens}) == len(fens)


def test_the_key_does_not_count_moves() -> None:
    early = chess.Board("8/8/8/4k3/8/4K3/8/7R w - - 0 1")
    late = chess.Board("8/8/8/4k3/8/4K3/8/7R w - - 90 120")
    assert int(position_of(early).key) == int(position_of(late).key)


def test_part_keys_follow_their_pieces() -> None:
    board = chess.Board()
    before = position_of(board)
    pawn_moves = 0
    for move in moves_of(before):
        after = copy_of(before)
        make_move(rules(), after, U(move))
        is_pawn = board.piece_type_at(move & 63) == chess.PAWN
        pawn_moves += is_pawn
        assert (int(after.pawn_key) != int(before.pawn_key)) == is_pawn
        assert (int(after.piece_key[0]) != int(before.piece_key[0])) != is_pawn
        assert int(after.piece_key[1]) == int(before.piece_key[1])
    assert pawn_moves == 16


def test_refresh_recomputes_from_the_board_alone() -> None:
    position = position_of(chess.Board())
    damaged = copy_of(position)
    damaged.key = damaged.pawn_key = 1
    damaged.psq = 99
    refresh_keys(rules(), damaged)
    assert (int(damaged.key), int(damaged.pawn_key)) == (int(position.key), int(position.pawn_key))
    assert int(damaged.psq) == int(position.psq)


def test_the_key_of_an_ordinary_move_is_known_beforehand() -> None:
    for board in (chess.Board(KIWIPETE), chess.Board(KIWIPETE.replace(" w ", " b "))):
        before = position_of(board)
        rights = int(before.castling)
        foreseen = 0
        for move in moves_of(before):
            after = copy_of(before)
            make_move(rules(), after, U(move))
            ordinary = move >> 14 == 0 and int(after.castling) == rights
            if ordinary and int(after.ep) == NO_SQUARE:
                foreseen += 1
                assert int(key_after(rules(), before, U(move))) == int(after.key)
        assert foreseen > 25
