"""What whole sets of pieces attack, once and twice, against python-chess."""

from __future__ import annotations

import functools
import random
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import U
from boomslang.core.board.fills import attacks_by_value, four_diagonal, four_knights, four_straight
from boomslang.core.jit.jit import DISABLED, kernel, u64, void
from boomslang.engine import bridge
from boomslang.engine.search.state import search_t
from tests.support.oracle import fixed_positions, random_game

pytestmark = pytest.mark.usefixtures("kernels")


@kernel(void(u64[::1], u64[:, :, ::1]))
def spread(words: Any, found: Any) -> None:
    """All three, of the first four words over the empty squares, the fifth."""
    a, b, c, d, empty = words[0], words[1], words[2], words[3], words[4]
    knights = four_knights(a, b, c, d, empty)
    diagonal = four_diagonal(a, b, c, d, empty)
    straight = four_straight(a, b, c, d, empty)
    for lane in range(4):
        for which in range(2):
            found[0, lane, which] = knights[lane][which]
            found[1, lane, which] = diagonal[lane][which]
            found[2, lane, which] = straight[lane][which]


def expected(kind: chess.PieceType, pieces: int, occupied: int) -> tuple[int, int]:
    """What python-chess says of one set: squares attacked, and attacked by two or more."""
    board = chess.BaseBoard.empty()
    for square in chess.scan_forward(pieces):
        board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    board.occupied |= occupied
    once = twice = 0
    for square in chess.scan_forward(pieces):
        attacked = board.attacks_mask(square)
        once, twice = once | attacked, twice | (once & attacked)
    return once, twice


def test_sets_attack_what_their_pieces_attack() -> None:
    rng = random.Random(17)
    found = np.zeros((3, 4, 2), dtype=np.uint64)
    seen_twice = 0
    for _ in range(10 if DISABLED else 1000):
        dense = rng.randrange(12)  # none to twelve pieces in each of the four
        sets = [sum(1 << square for square in rng.sample(range(64), dense)) for _ in range(4)]
        others = rng.getrandbits(64) & rng.getrandbits(64)
        occupied = others | sets[0] | sets[1] | sets[2] | sets[3]
        words = np.array([U(word) for word in (*sets, chess.BB_ALL ^ occupied)], dtype=np.uint64)
        spread(words, found)
        for kind, row in zip((chess.KNIGHT, chess.BISHOP, chess.ROOK), found, strict=True):
            for lane, pieces in enumerate(sets):
                once, twice = expected(kind, pieces, occupied)
                assert row[lane].tolist() == [once, twice]
                seen_twice += twice != 0
    assert seen_twice


@kernel(void(search_t, u64, u64[::1]))
def attacked(search: Any, colour: Any, found: Any) -> None:
    """Squares that a colour attacks in the root position, by the value of the attackers."""
    pawns, minors, rooks, every = attacks_by_value(search.rules, search.position[U(0)], colour)
    found[U(0)], found[U(1)], found[U(2)], found[U(3)] = pawns, minors, rooks, every


def test_the_squares_that_a_colour_attacks_by_value() -> None:
    search = bridge.new_search()
    found = np.zeros(4, dtype=np.uint64)
    minors = [chess.PAWN, chess.KNIGHT, chess.BISHOP]
    kinds = ([chess.PAWN], minors, [*minors, chess.ROOK], chess.PIECE_TYPES)
    boards = [*fixed_positions(), *random_game(18, 12 if DISABLED else 200)]
    for board in boards:
        bridge.set_castling(search.rules, board)
        bridge.to_position(search.rules, board, search.position[0])
        for colour, code in ((chess.WHITE, U(0)), (chess.BLACK, U(1))):
            attacked(search, code, found)
            for some, squares in zip(kinds, found.tolist(), strict=True):
                of = [s for kind in some for s in board.pieces(kind, colour)]
                assert squares == functools.reduce(int.__or__, map(board.attacks_mask, of), 0)
