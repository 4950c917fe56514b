"""Zobrist keys: one random number for each feature of a position, combined by exclusive or.

Albert Zobrist, "A New Hashing Method with Application for Game Playing" (1970).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.core.board.constants import BLACK, EMPTY, NO_SQUARE, ONE, PAWN, ZERO, I, U
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.board.splitmix import random_bits
from boomslang.core.jit.jit import jit, kernel, void

_SEED: Final = 0xB00
_NUMBERS: Final = 12 * 64 + 16 + 8 + 1


def fill_keys(rules: Rules) -> None:
    """Fill the Zobrist tables of a RULES record in place; the same numbers in every process."""
    numbers = np.array(
        [random_bits(_SEED, number) for number in range(1, _NUMBERS + 1)], dtype=np.uint64
    )
    rules.zobrist_piece[:12] = numbers[:768].reshape(12, 64)
    rules.zobrist_castling[:] = numbers[768:784]
    rules.zobrist_castling[0] = 0
    rules.zobrist_ep[:] = numbers[784:792]
    rules.zobrist_side = numbers[792]


@jit
def state_key(rules: Rules, position: Position) -> np.uint64:
    """The part of the key that is not pieces: side to move, castling rights, en passant file."""
    key = rules.zobrist_castling[U(position.castling)]
    if U(position.side) == BLACK:
        key ^= rules.zobrist_side
    if U(position.ep) != NO_SQUARE:
        key ^= rules.zobrist_ep[U(position.ep) & U(7)]
    return key


@kernel(void(rules_t, position_t))
def refresh_keys(rules: Rules, position: Position) -> None:
    """Recompute key, pawn_key, piece_key and psq of a POSITION from its board, in place."""
    position.pawn_key = ZERO
    position.piece_key[U(0)] = ZERO
    position.piece_key[U(1)] = ZERO
    total = I(0)
    for number in range(64):
        square = U(number)
        piece = U(position.board[square])
        if piece == EMPTY:
            continue
        colour = ONE if piece >= U(6) else ZERO
        number_of_piece = rules.zobrist_piece[piece, square]
        if piece - colour * U(6) == PAWN:
            position.pawn_key ^= number_of_piece
        else:
            position.piece_key[colour] ^= number_of_piece
        total += rules.psq[piece, square]
    position.psq = total
    pieces = position.pawn_key ^ position.piece_key[U(0)] ^ position.piece_key[U(1)]
    position.key = pieces ^ state_key(rules, position)
