"""A check of whole tables: every block decoded, some 300 MB a second.

Small files are checked when they are opened, all by `boomslang doctor`. Damage is found where it changes the
number of values in a block, which most damage does; a symbol in the place of another of as many values is not
found.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boomslang.engine.core.constants import ONE, ZERO, I, U
from boomslang.engine.core.system.instructions import reversed_bytes, word_at
from boomslang.engine.core.system.jit import i64, kernel
from boomslang.engine.tablebases.decoding import block_length
from boomslang.engine.tablebases.records import FLAG_CONSTANT, Part, Table, part_t

_CONSTANT = U(FLAG_CONSTANT)
_SOUND: Final = -1
# A block has 65,536 values at most, so one with more than these may have had no room for another symbol.
_ROOM: Final = U(65536 - 256)


@kernel(i64(part_t))
def damaged_block(part: Part) -> np.int64:
    """The first block that has not as many values as it should, or another place in the index; or -1."""
    if part.form & _CONSTANT:
        return I(_SOUND)
    half = (ONE << part.span_bits) >> ONE
    first = ZERO  # value of the block
    span = ZERO
    for number in range(part.block_count):
        block = U(number)
        length = U(block_length(part, I(block)))

        # 1. What the sparse index has in this block is the middle of a span. The last span may have none.
        while (span << part.span_bits) + half < part.positions:
            entry = word_at(part.sparse_index + U(6) * span)
            if entry & U(0xFFFFFFFF) != block:
                break
            if first + (entry >> U(32) & U(0xFFFF)) != (span << part.span_bits) + half:
                return I(block)
            span += ONE

        # 2. Its symbols make up its length, and all of its bytes. The last one may go on in the next block.
        start = part.blocks + (block << part.block_bits)
        bit, left = ZERO, I(length)
        while left > I(0):
            code = reversed_bytes(word_at(start + (bit >> U(3)))) << (bit & U(7))
            bits = part.shortest
            while code < part.first_code[bits]:
                bits += ONE
            bit += bits
            if bit > U(8) << part.block_bits:
                return I(block)
            symbol = part.first_symbol[bits] + ((code - part.first_code[bits]) >> (U(64) - bits))
            left -= I(part.more[symbol]) + I(1)
        first += length
        fits_more = bit + part.longest <= U(8) << part.block_bits and length <= _ROOM
        if first < part.positions and fits_more:
            return I(block)
    is_whole = first == part.positions and (span << part.span_bits) + half >= first
    return I(_SOUND) if is_whole else I(part.block_count)


def is_sound(table: Table) -> bool:
    """True if all blocks of a TABLE can be decoded."""
    parts = int(table.sides) * (4 if table.has_pawns else 1)
    return all(int(damaged_block(table.parts[number])) == _SOUND for number in range(parts))
