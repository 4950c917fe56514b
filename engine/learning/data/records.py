"""Positions with their scores and game results in memory: the training records.

The files contain games (`game_files.py`), from which `game_reader.py` makes the records.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.core.board.attacks import find_checkers
from boomslang.core.board.constants import EMPTY, ONE, ZERO, U
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.board.zobrist import refresh_keys
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit, kernel, record_type, void

# Traits of a position and the move played in it, bits of `traits`.
IN_CHECK: Final = U(1)
NOISY: Final = U(2)  # the move is a capture or promotion
RANDOM: Final = U(4)  # the move was chosen at random: there is no score
CHESS960: Final = U(8)  # the game began from a Chess960 array
IN_SIDELINE: Final = U(16)  # the position is the end of a sideline, not of the game itself
# The bits above: the number of random moves from this position on.
TO_COME_SHIFT: Final = U(5)
MAX_TO_COME: Final = U(7)  # 7 or more
_NOT_ITS_RESULT: Final = IN_SIDELINE | MAX_TO_COME << TO_COME_SHIFT

DECIDED: Final = 1500  # centipawns; larger scores carry no more information

# 40 bytes.
RECORD: Final = np.dtype(
    [
        ("occupied", "u8"),  # bitboard of all pieces
        ("pieces", "u1", (16,)),  # two per byte, low half first, in the order of the bits above
        ("game", "u4"),  # number of the game in its file, from 0
        ("score", "i2"),  # centipawns, White's view
        ("ply", "u2"),  # half moves since the start position; where a sideline begins, for its end
        ("move", "u2"),  # the best one by the search
        ("side", "u1"),
        ("castling", "u1"),
        ("ep", "u1"),
        ("halfmoves", "u1"),
        ("result", "u1"),  # result of the game: 0 Black won, 1 draw, 2 White won
        ("traits", "u1"),  # bits, see above
    ],
    align=True,
)
record_t: Any = record_type(RECORD)
DataRecord: TypeAlias = Any  # a RECORD
DataRecords: TypeAlias = Any  # an array of RECORD


def has_true_result(records: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """Which RECORDs have a valid game result, bool[n].

    Not the end of a sideline, which did not occur in the game, nor a position before a random move, which
    may have decided the game.
    """
    true: npt.NDArray[np.bool_] = records["traits"] & _NOT_ITS_RESULT == 0
    return true


@jit
def result_counts(traits: np.uint64) -> bool:
    """`has_true_result` for the traits of one RECORD."""
    return bool(traits & _NOT_ITS_RESULT == ZERO)


@jit
def pack(position: Position, record: DataRecord) -> None:
    """Write the pieces and the state of a POSITION into a RECORD, in place."""
    occupied = position.by_colour[ZERO] | position.by_colour[ONE]
    record.occupied = occupied
    for index in range(16):
        record.pieces[U(index)] = 0
    number = ZERO
    while occupied:
        piece = U(position.board[lsb(occupied)])
        both = U(record.pieces[number >> ONE])
        record.pieces[number >> ONE] = both | (piece << (U(4) * (number & ONE)))
        number += ONE
        occupied &= occupied - ONE
    record.side = position.side
    record.castling = position.castling
    record.ep = position.ep
    record.halfmoves = position.halfmoves


@kernel(void(rules_t, record_t, position_t))
def unpack(rules: Rules, record: DataRecord, position: Position) -> None:
    """Fill a POSITION from a RECORD, in place; it has no history."""
    for index in range(6):
        position.by_type[U(index)] = ZERO
    position.by_colour[ZERO] = ZERO
    position.by_colour[ONE] = ZERO
    for index in range(64):
        position.board[U(index)] = EMPTY
    occupied = U(record.occupied)
    number = ZERO
    while occupied:
        square = lsb(occupied)
        piece = (U(record.pieces[number >> ONE]) >> (U(4) * (number & ONE))) & U(15)
        colour = ONE if piece >= U(6) else ZERO
        position.by_type[piece - colour * U(6)] |= ONE << square
        position.by_colour[colour] |= ONE << square
        position.board[square] = piece
        number += ONE
        occupied &= occupied - ONE
    position.side = record.side
    position.castling = record.castling
    position.ep = record.ep
    position.halfmoves = record.halfmoves
    position.since_null = 0
    position.moved[ZERO] = 0
    position.checkers = find_checkers(rules, position)
    refresh_keys(rules, position)
