"""How tables lie in memory, for kernels: a record for each open file, and one that finds it by material."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.jit.instructions import record_at
from boomslang.engine.tablebases.geometry import GEOMETRY, MAX_PIECES

MAX_SYMBOLS: Final = 4096  # a symbol has 12 bits
MAX_CODE: Final = 32  # bits
SLOTS: Final = 8192  # slots of the hash table of materials; there are 1,511 tables of 3 to 7 pieces
MAX_TABLES: Final = 2048

# Bits of PART.form, as in the files. Distances are stored in moves, unless a bit says plies.
FLAG_SIDE: Final = 1  # distances are there for Black to move, not for White
FLAG_MAPPED: Final = 2  # distances are numbers in a list, the most frequent first
FLAG_WIN_PLIES: Final = 4
FLAG_LOSS_PLIES: Final = 8
FLAG_WIDE: Final = 16  # that list has 16 bits an entry
FLAG_CONSTANT: Final = 128  # all positions have the same value

# One table in a file is made of parts: by side to move, and with pawns by the file of the leading pawn.
# Each is compressed by itself. Addresses are of bytes in memory; see `header` and `decoding`.
PART: Final = np.dtype(
    [
        # The order of the pieces, and the groups in which they are counted.
        ("pieces", "u8", (MAX_PIECES,)),  # 6 * colour + type
        ("group_count", "u8"),
        ("group_start", "u8", (MAX_PIECES,)),
        ("group_size", "u8", (MAX_PIECES,)),
        ("group_factor", "u8", (MAX_PIECES,)),
        ("positions", "u8"),  # positions
        # The compressed values.
        ("form", "u8"),
        ("constant", "u8"),  # the value of all positions, with FLAG_CONSTANT
        ("sparse_index", "u8"),  # address: block and offset of one position in 2 ** span_bits
        ("sparse_count", "u8"),
        ("span_bits", "u8"),
        ("block_lengths", "u8"),  # address: values in each block, less 1
        ("length_count", "u8"),
        ("blocks", "u8"),  # address
        ("block_count", "u8"),
        ("block_bits", "u8"),  # a block has 2 ** block_bits bytes
        # The Huffman code: codes of one length follow each other, and longer codes are smaller.
        ("shortest", "u8"),
        ("longest", "u8"),
        ("first_code", "u8", (MAX_CODE + 1,)),  # by length, in the highest bits
        ("first_symbol", "u8", (MAX_CODE + 1,)),
        # A symbol is a value, or a pair of symbols; `more` is the number of its values less 1.
        ("symbol_count", "u8"),
        ("left", "u2", (MAX_SYMBOLS,)),  # or the value
        ("right", "u2", (MAX_SYMBOLS,)),
        ("more", "u2", (MAX_SYMBOLS,)),
        # Distances with FLAG_MAPPED: lists for wins, losses, cursed wins and blessed losses.
        ("map", "u8", (4,)),  # addresses
        ("map_count", "u8", (4,)),
    ],
    align=True,
)

TABLE: Final = np.dtype(
    [
        ("piece_count", "u8"),
        ("has_pawns", "u8"),
        ("is_symmetric", "u8"),  # both sides have the same pieces
        ("sides", "u8"),  # parts for each file of the leading pawn
        ("leading", "u8"),  # pieces of the first group
        ("parts", PART, (8,)),  # by file of the leading pawn, then by side
    ],
    align=True,
)

# All tables of the folders. A kernel that misses one says so in `wanted`, and it is opened between two
# iterations.
TABLES: Final = np.dtype(
    [
        ("material", "u8", (SLOTS,)),  # see `material.key_of`, both colours; 0 is free
        ("number", "u2", (SLOTS,)),  # number of the table
        ("is_swapped", "u1", (SLOTS,)),  # 1: Black has the pieces that the name gives White
        ("wdl", "u8", (MAX_TABLES,)),  # address of the TABLE record, 0 if it is not open
        ("dtz", "u8", (MAX_TABLES,)),
        ("wanted", "u1", (MAX_TABLES,)),  # 1: a kernel would have liked its WDL file
        # 1: a kernel has met damage in its WDL file, 2: in the other.
        ("damaged", "u1", (MAX_TABLES,)),
        ("geometry", GEOMETRY),
    ],
    align=True,
)

Part: TypeAlias = Any  # a record of PART
Table: TypeAlias = Any  # a record of TABLE
Tables: TypeAlias = Any  # a record of TABLES

table_at = record_at(TABLE)
tables_at = record_at(TABLES)
