"""Start positions: 960 ways to place the pieces on the back rank, the ordinary one among them.

Arrays are numbered after Reinhard Scharnagl; 518 is ordinary chess. White and Black may start from
different arrays.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    EMPTY,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.makemove import put_piece
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.board.zobrist import refresh_keys
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit, kernel, u64, void

ARRAYS: Final = 960
ORDINARY: Final = U(518)

_ALL_RIGHTS: Final = U(15)
_BACK_RANK: Final = U(255)


@jit
def _free_file(taken: np.uint64, index: np.uint64) -> np.uint64:
    """The free file with `index` free files to its left; `taken` has one bit per file."""
    free = ~taken & _BACK_RANK
    for _ in range(index):
        free &= free - ONE
    return lsb(free)


@jit
def _place(
    rules: Rules, position: Position, piece_type: np.uint64, colour: np.uint64, file: np.uint64
) -> np.uint64:
    """Put a piece on its back rank, in place; returns the bit of its file."""
    put_piece(rules, position, piece_type, colour, file + (ZERO if colour == WHITE else U(56)))
    return ONE << file


@jit
def _path(one: np.uint64, other: np.uint64) -> np.uint64:
    """The squares from one to the other on a rank, both included."""
    low, high = min(one, other), max(one, other)
    return (U(2) << high) - (ONE << low)


@jit
def allow_castling(rules: Rules, right: np.uint64, king: np.uint64, rook: np.uint64) -> None:
    """Set, in place, where king and rook of a castling right (0..3) start."""
    rank = king & U(56)
    king_side = rook > king
    king_path = _path(king, rank + (U(6) if king_side else U(2)))
    rook_path = _path(rook, rank + (U(5) if king_side else U(3)))
    rules.castling_rook[right] = rook
    rules.castling_empty[right] = (king_path | rook_path) & ~(ONE << king | ONE << rook)
    rules.castling_safe[right] = king_path
    rules.castling_keep[king] = U(rules.castling_keep[king]) & ~(ONE << right)
    rules.castling_keep[rook] = U(rules.castling_keep[rook]) & ~(ONE << right)


@jit
def _line_up(rules: Rules, position: Position, colour: np.uint64, array: np.uint64) -> None:
    """Place the pieces and pawns of one side and set its castling squares in `rules`, both in place."""
    # 1. The number encodes the two bishops, the queen, and one of ten pairs of knights.
    rest = array
    taken = _place(rules, position, BISHOP, colour, (rest & U(3)) * U(2) + ONE)
    rest >>= U(2)
    taken |= _place(rules, position, BISHOP, colour, (rest & U(3)) * U(2))
    rest >>= U(2)
    taken |= _place(rules, position, QUEEN, colour, _free_file(taken, rest % U(6)))
    pair = rest // U(6)
    left, pairs = ZERO, U(4)
    while pair >= pairs:
        pair -= pairs
        pairs -= ONE
        left += ONE
    first, second = _free_file(taken, left), _free_file(taken, left + ONE + pair)
    taken |= _place(rules, position, KNIGHT, colour, first)
    taken |= _place(rules, position, KNIGHT, colour, second)

    # 2. Rook, king and rook take the files that are left.
    queen_rook, king, king_rook = (
        _free_file(taken, ZERO),
        _free_file(taken, ONE),
        _free_file(taken, U(2)),
    )
    _place(rules, position, ROOK, colour, queen_rook)
    _place(rules, position, KING, colour, king)
    _place(rules, position, ROOK, colour, king_rook)

    # 3. The rights, and the pawns.
    rank = ZERO if colour == WHITE else U(56)
    allow_castling(rules, colour * U(2), rank + king, rank + king_rook)
    allow_castling(rules, colour * U(2) + ONE, rank + king, rank + queen_rook)
    for number in range(8):
        pawn = U(number) + (U(8) if colour == WHITE else U(48))
        put_piece(rules, position, PAWN, colour, pawn)


@kernel(void(rules_t, position_t, u64, u64))
def set_up(rules: Rules, position: Position, white: np.uint64, black: np.uint64) -> None:
    """Fill a POSITION with a start position, in place: White to move, all castling rights.

    `white` and `black` are numbers of arrays, 0..959. The castling squares of `rules` are set in place.
    """
    for number in range(6):
        position.by_type[U(number)] = ZERO
    position.by_colour[ZERO] = ZERO
    position.by_colour[ONE] = ZERO
    for number in range(64):
        position.board[U(number)] = EMPTY
        rules.castling_keep[U(number)] = _ALL_RIGHTS
    _line_up(rules, position, ZERO, white)
    _line_up(rules, position, ONE, black)
    for number in range(10):
        position.moved[U(number)] = 0
    position.side = WHITE
    position.castling = _ALL_RIGHTS
    position.ep = NO_SQUARE
    position.halfmoves = 0
    position.since_null = 0
    position.checkers = ZERO
    position.psq = I(0)
    refresh_keys(rules, position)
