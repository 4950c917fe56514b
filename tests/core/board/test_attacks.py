"""Attack tables and look-ups against python-chess."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from boomslang.core.board import attacks, magics
from boomslang.core.board.constants import U
from boomslang.core.board.magics import BISHOP_MAGICS, ROOK_MAGICS
from boomslang.core.jit.jit import DISABLED
from tests.support.oracle import fixed_positions, position_of, random_game, rules
from tests.support.process import run_python

pytestmark = pytest.mark.usefixtures("kernels")


def occupations(count: int) -> list[int]:
    """Sparse to dense random sets of squares."""
    rng = random.Random(3)
    return [rng.getrandbits(64) & rng.choice((~0, rng.getrandbits(64))) for _ in range(count)]


def test_tables_of_single_squares() -> None:
    table = rules()
    for square in chess.SQUARES:
        assert int(table.knight_attacks[square]) == chess.BB_KNIGHT_ATTACKS[square]
        assert int(table.king_attacks[square]) == chess.BB_KING_ATTACKS[square]
        assert int(table.pawn_attacks[0, square]) == chess.BB_PAWN_ATTACKS[chess.WHITE][square]
        assert int(table.pawn_attacks[1, square]) == chess.BB_PAWN_ATTACKS[chess.BLACK][square]


def test_lines_between_two_squares() -> None:
    table = rules()
    for first in chess.SQUARES:
        for second in chess.SQUARES:
            if first != second:
                assert int(table.between[first, second]) == chess.between(first, second)
                assert int(table.line[first, second]) == chess.ray(first, second)
    assert not table.between.diagonal().any()
    assert not table.line.diagonal().any()


def test_slider_look_ups() -> None:
    for square in chess.SQUARES:
        for occupied in occupations(3 if DISABLED else 100):
            board = chess.BaseBoard.empty()
            board.occupied = occupied | chess.BB_SQUARES[square]
            for look_up, kind in (
                (attacks.rook_attacks, "rooks"),
                (attacks.bishop_attacks, "bishops"),
            ):
                board.rooks = board.bishops = 0
                setattr(board, kind, chess.BB_SQUARES[square])
                found = look_up(rules(), U(square), U(board.occupied))
                assert int(found) == board.attacks_mask(square)


@pytest.mark.parametrize("board", fixed_positions(), ids=lambda board: board.fen())
def test_attackers(board: chess.Board) -> None:
    check_attackers(board)


def test_attackers_in_a_random_game() -> None:
    for board in random_game(8, 10 if DISABLED else 80):
        check_attackers(board)


def check_attackers(board: chess.Board) -> None:
    position = position_of(board)
    for square in chess.SQUARES:
        white = board.attackers_mask(chess.WHITE, square)
        black = board.attackers_mask(chess.BLACK, square)
        occupied = U(board.occupied)
        assert int(attacks.attackers(rules(), position, U(square), occupied)) == white | black
        for colour, mask in ((0, white), (1, black)):
            found = attacks.attacked_by(rules(), position, U(square), occupied, U(colour))
            assert bool(found) == bool(mask)
    assert int(attacks.find_checkers(rules(), position)) == board.checkers_mask()


def test_squares_from_which_a_piece_checks() -> None:
    games = [board.copy(stack=False) for board in random_game(9, 10 if DISABLED else 80)]
    for board in fixed_positions() + games:
        position, king = position_of(board), board.king(not board.turn)
        assert king is not None
        for kind in chess.PIECE_TYPES:
            expected = 0
            if kind != chess.KING:
                other = board.copy(stack=False)
                other.set_piece_at(king, chess.Piece(kind, not board.turn))
                expected = other.attacks_mask(king)
            found = attacks.checking_squares(rules(), position, U(kind - 1))
            assert int(found) == expected, (board.fen(), kind)


def check_magic(magic: int, square: int, steps: list[magics.Step]) -> None:
    """No two occupations of the slider's rays with different attacks share an index."""
    mask = magics._rays(square, 0, steps, to_edge=False)
    seen: dict[int, int] = {}
    subset = 0
    while True:
        product = subset * magic & 0xFFFFFFFFFFFFFFFF
        expected = magics._rays(square, subset, steps, to_edge=True)
        assert seen.setdefault(product >> (64 - mask.bit_count()), expected) == expected
        subset = (subset - mask) & mask
        if not subset:
            break


def test_magics_never_confuse_two_attack_sets() -> None:
    # Independent of what this CPU uses: the multipliers must hold on every machine.
    rng = random.Random(1)
    for table, steps in ((ROOK_MAGICS, magics._ROOK), (BISHOP_MAGICS, magics._BISHOP)):
        for square in rng.sample(range(64), 4 if DISABLED else 64):
            check_magic(int(table[square]), square, steps)


def test_a_magic_is_found_anew() -> None:
    check_magic(magics.find_magic(27, magics._BISHOP, random.Random(2)), 27, magics._BISHOP)


@pytest.mark.slow
@pytest.mark.jit_only
def test_perft_is_right_without_pext(tmp_path: Path) -> None:
    # Compiled for a plain CPU, whatever this one can do: the look-up goes through the magics.
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    plain |= {"BOOMSLANG_CACHE_DIR": str(tmp_path)}
    words = ("perft", "--suite", "--max-nodes", "5000000")
    done = run_python("-m", "cli", *words, variables=plain)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 wrong" in done.stdout
