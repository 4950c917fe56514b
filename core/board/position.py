"""Memory layout of positions, moves and the rules.

Everything is a NumPy structured record. Python sees `record.field`; a kernel gets a plain pointer,
so `position.by_type[PAWN]` costs what it costs in C, and a function takes one word per record
instead of seven per array.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import U
from boomslang.core.jit.jit import record_type
from boomslang.core.jit.memory import new_memory

MAX_MOVES: Final = 256  # no position has more than 218 legal moves

# 192 bytes: copying it is cheaper than taking a move back.
POSITION: Final = np.dtype(
    [
        ("by_type", "u8", (6,)),  # bitboard of each piece type, both colours
        ("by_colour", "u8", (2,)),  # bitboard of each colour
        ("board", "u1", (64,)),  # piece on each square: colour * 6 + type, or EMPTY
        ("key", "u8"),  # Zobrist key: pieces, side, castling rights, capturable en passant
        ("pawn_key", "u8"),  # Zobrist key of pawns alone
        ("piece_key", "u8", (2,)),  # Zobrist key of each colour's other pieces
        # Material and piece-square sum, White's view, see eval.classical.score.
        ("psq", "i8"),
        ("checkers", "u8"),  # enemy pieces that give check to the side to move
        ("side", "u1"),  # colour to move
        ("castling", "u1"),  # rights: 1 white king side, 2 white queen side, 4 and 8 black
        ("ep", "u1"),  # square behind a pawn that can legally be taken in passing, or 64
        ("halfmoves", "u1"),  # plies since a capture or pawn move, at most 255
        ("since_null", "u2"),  # plies since a null move or the start of the game's history
        # What the last move moved: count, then (piece, from, to) up to three times.
        ("moved", "u1", (10,)),
    ],
    align=True,
)

# What move generation needs beside the position: attack tables, Zobrist keys, piece-square values, and the
# castling squares of this game's kings and rooks (in Chess960 they start anywhere on the back rank).
RULES: Final = np.dtype(
    [
        ("slider_attacks", "u8", (107648,)),
        ("rook_mask", "u8", (64,)),
        ("bishop_mask", "u8", (64,)),
        ("rook_magic", "u8", (64,)),
        ("bishop_magic", "u8", (64,)),
        ("rook_shift", "u8", (64,)),
        ("bishop_shift", "u8", (64,)),
        ("rook_offset", "u8", (64,)),
        ("bishop_offset", "u8", (64,)),
        ("knight_attacks", "u8", (64,)),
        ("king_attacks", "u8", (64,)),
        ("pawn_attacks", "u8", (2, 64)),
        ("between", "u8", (64, 64)),  # squares strictly between two squares on a line
        ("line", "u8", (64, 64)),  # the whole line through two squares, both included, or 0
        ("zobrist_piece", "u8", (13, 64)),
        ("zobrist_castling", "u8", (16,)),
        ("zobrist_ep", "u8", (8,)),
        ("zobrist_side", "u8"),
        ("psq", "i8", (13, 64)),  # by piece and square, White's view; row EMPTY is 0
        ("castling_rook", "u8", (4,)),  # square of the rook of each right
        ("castling_empty", "u8", (4,)),  # squares that must be empty
        ("castling_safe", "u8", (4,)),  # squares that the king stands on, crosses or enters
        ("castling_keep", "u1", (64,)),  # rights left after a move from or to this square
    ],
    align=True,
)

MOVE_LIST: Final = np.dtype(
    [
        ("count", "u8"),
        ("quiets_scored", "u8"),
        ("move", "u2", (MAX_MOVES,)),
        ("order", "i8", (MAX_MOVES,)),  # for the search: score << 24 | (255 - index) << 16 | move
    ],
    align=True,
)

position_t: Any = record_type(POSITION)
rules_t: Any = record_type(RULES)
move_list_t: Any = record_type(MOVE_LIST)

# Records as annotations: kernels get their types from signatures, so mypy takes these for Any.
Position: TypeAlias = Any  # a record of POSITION
Rules: TypeAlias = Any  # a record of RULES
MoveList: TypeAlias = Any  # a record of MOVE_LIST
Positions: TypeAlias = Any  # an array of POSITION

# A move is 16 bits: from | to << 6 | promotion << 12 | kind << 14. Castling is king takes own rook.
NORMAL: Final = U(0)
PROMOTION: Final = U(1)
EN_PASSANT: Final = U(2)
CASTLING: Final = U(3)
NO_MOVE: Final = U(0)


class _Record(np.record):  # type: ignore[misc]  # final only in NumPy's stubs
    """A record that exposes its memory at once.

    Numba reads `data` of a record at every call of a kernel. NumPy would copy all fields first, which for a
    large record takes longer than a short search.
    """

    _memory: memoryview | None = None  # None: part of another record

    @property
    def data(self) -> memoryview:
        """The memory of the record."""
        return super().data if self._memory is None else self._memory


def new_record(dtype: np.dtype[Any]) -> Any:
    """One zeroed record of `dtype`; a position fills whole cache lines."""
    memory = new_memory(dtype.itemsize)
    record = memory.view(np.dtype((_Record, dtype)))[0]
    object.__setattr__(record, "_memory", memory.data)  # a record takes all attributes for fields
    return record
