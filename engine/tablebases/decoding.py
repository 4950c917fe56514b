"""The value with a given number in a part of a table.

The values of a part are one long row, cut into blocks of equal size in bytes. The sparse index has the block
and the place in it of one value in `2 ** span_bits`; from there the lengths of the blocks lead to the right
one. A block is a row of symbols in a Huffman code. A symbol is a value, or a pair of symbols, which
stand for one row of values behind the other (Larsson and Moffat, "Off-line dictionary-based compression",
1999).

All of this was checked by `header` but for the bytes that are read here, of which a damaged file can make
anything: so a block that is not there, or a code that leads beyond it, is damage.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.jit.instructions import reverse_bytes, word_at
from boomslang.core.jit.jit import jit
from boomslang.engine.tablebases.table_records import FLAG_CONSTANT, Part

DAMAGED = I(-1)
_CONSTANT = U(FLAG_CONSTANT)
_MAX_STEPS = I(65536)  # blocks between an entry of the sparse index and the value


@jit
def value_at(part: Part, index: np.uint64) -> np.int64:
    """The stored value with this number, or DAMAGED."""
    if part.form & _CONSTANT:
        return I(part.constant)
    if index >= part.positions:
        return DAMAGED

    # 1. The sparse index: the entry of a span is about the value in its middle.
    entry = word_at(part.sparse_index + U(6) * (index >> part.span_bits))
    block = I(entry & U(0xFFFFFFFF))
    middle = (ONE << part.span_bits) >> ONE
    place = I(entry >> U(32) & U(0xFFFF)) + I(index & ((ONE << part.span_bits) - ONE)) - I(middle)

    # 2. The block: places are counted from its first value.
    steps = I(0)
    while place < I(0):
        block -= I(1)
        if block < I(0) or block >= I(part.length_count) or steps >= _MAX_STEPS:
            return DAMAGED
        place += block_length(part, block)
        steps += I(1)
    while True:
        if block >= I(part.block_count) or steps >= _MAX_STEPS:
            return DAMAGED
        length = block_length(part, block)
        if place < length:
            break
        place -= length
        block += I(1)
        steps += I(1)

    # 3. The symbol that the value is in. Codes are read from the highest bit of each byte on.
    start = part.blocks + (U(block) << part.block_bits)
    size = U(8) << part.block_bits  # in bits
    bit = ZERO
    while True:
        code = reverse_bytes(word_at(start + (bit >> U(3)))) << (bit & U(7))
        bits = part.shortest
        while code < part.first_code[bits]:  # that of the longest is 0
            bits += ONE
        bit += bits
        if bit > size:
            return DAMAGED
        symbol = part.first_symbol[bits] + ((code - part.first_code[bits]) >> (U(64) - bits))
        more = I(part.more[symbol])
        if place <= more:
            break
        place -= more + I(1)

    # 4. The value in the symbol.
    while part.more[symbol]:
        left = U(part.left[symbol])
        more = I(part.more[left])
        if place <= more:
            symbol = left
        else:
            place -= more + I(1)
            symbol = U(part.right[symbol])
    return I(part.left[symbol])


@jit
def block_length(part: Part, block: np.int64) -> np.int64:
    """The number of values in a block."""
    return I(word_at(part.block_lengths + U(2) * U(block)) & U(0xFFFF)) + I(1)
