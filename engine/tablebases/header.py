"""Reading the head of a table, and checking it once: what is wrong here is refused, by name.

Bytes of a file, WDL (`.rtbw`) or DTZ (`.rtbz`); numbers are little-endian:

    4      magic
    1      flags: 1 two sides, 2 pawns
    n      per file of the leading pawn (one without pawns): order of the groups (with pawns of both
           colours one more byte), and a byte for each piece; low four bits for White to move,
           high four bits for Black. A zero byte where the length so far is odd.
    n      per file and side: the code of the compression, see `_read_code`
    n      DTZ: lists of distances, see `_read_maps`; a zero byte where the length is odd
    6 * n  per file and side: the sparse index
    2 * n  per file and side: lengths of the blocks
    n      per file and side: the blocks, from a multiple of 64 on
    16     checksum, see `checksum`

After these checks a kernel needs few more: each table of numbers lies within the file and is as long as
the record says, a pair of symbols has two parts that are shorter than itself, and every code has a symbol.
"""

from __future__ import annotations

import struct
from math import comb
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import PAWN
from boomslang.core.board.position import new_record
from boomslang.engine.tablebases.geometry import THREE_PIECES, TWO_KINGS, has_pawns, leading_pawns
from boomslang.engine.tablebases.table_records import (
    FLAG_CONSTANT,
    FLAG_MAPPED,
    FLAG_WIDE,
    MAX_CODE,
    MAX_SYMBOLS,
    TABLE,
)

MAGIC: Final = {".rtbw": bytes((0x71, 0xE8, 0x23, 0x5D)), ".rtbz": bytes((0xD7, 0x66, 0x0C, 0xA5))}
_CHECKSUM: Final = 16  # bytes
_LINE: Final = 64  # bytes that blocks are aligned to
_MAX_RESULTS: Final = 4  # a win; 0 is a loss
_MAX_BLOCK: Final = 16  # bits
_MAX_SPAN: Final = 24  # bits
_LEAF: Final = 0xFFF  # instead of the right half of a pair
_MAX_VALUES: Final = 255  # values of one symbol, less 1


class TableError(ValueError):
    """A file is not the table that its name says, or damaged."""


class _Reader:
    """Takes numbers from the bytes of a file, one after the other. Raises TableError at their end."""

    def __init__(self, data: npt.NDArray[np.uint8]) -> None:
        self.data = data
        self.place = 0

    def take(self, count: int) -> bytes:
        end = self.place + count
        if end > len(self.data) - _CHECKSUM:
            raise TableError("the file is cut off")
        taken = self.data[self.place : end].tobytes()
        self.place = end
        return taken

    def number(self, form: str) -> int:
        (value,) = struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))
        return int(value)

    def skip(self, count: int) -> int:
        """Pass over bytes, and return where they begin."""
        begin = self.place
        if count > len(self.data) - _CHECKSUM - begin:
            raise TableError("the file is cut off")
        self.place += count
        return begin

    def align(self, unit: int) -> None:
        self.skip(-self.place % unit)


def read_table(data: npt.NDArray[np.uint8], suffix: str, white: list[int], black: list[int]) -> Any:
    """A TABLE record for the bytes of a file, which must stay where they are.

    `suffix` is that of its name, `white` and `black` are the piece types that the name says. Raises
    TableError.
    """
    if len(data) < _LINE + _CHECKSUM or len(data) % _LINE != _CHECKSUM:
        raise TableError("no table has this size")
    address = int(data.ctypes.data)
    reader = _Reader(data)
    if reader.take(4) != MAGIC[suffix]:
        raise TableError("it does not begin as such a file does")
    is_dtz, symmetric, pawns = suffix == ".rtbz", white == black, has_pawns(white, black)
    flags = reader.number("B")
    if flags & 3 != (0 if symmetric else 1) | (2 if pawns else 0):
        raise TableError("it is a table of another material")
    table = new_record(TABLE)
    table.piece_count = len(white) + len(black)
    table.has_pawns, table.is_symmetric = pawns, symmetric
    table.sides = sides = 1 if is_dtz or symmetric else 2
    files = 4 if pawns else 1
    parts = [table.parts[number] for number in range(files * sides)]
    for file in range(files):
        _read_pieces(reader, table, parts[file * sides :][:sides], file, white, black)
    reader.align(2)
    for part in parts:
        _read_code(reader, part, is_dtz)
    if is_dtz:
        for part in parts:
            _read_maps(reader, part, address)
        reader.align(2)
    for part in parts:
        part.sparse_index = address + reader.skip(6 * int(part.sparse_count))
    for part in parts:
        part.block_lengths = address + reader.skip(2 * int(part.length_count))
    for part in parts:
        reader.align(_LINE)
        part.blocks = address + reader.skip(int(part.block_count) << int(part.block_bits))
    if len(data) - _CHECKSUM - reader.place >= _LINE:
        raise TableError("the file is too long")
    return table


def _read_pieces(
    reader: _Reader, table: Any, parts: list[Any], file: int, white: list[int], black: list[int]
) -> None:
    """The order of pieces and groups in the parts of a file of the leading pawn, in place."""
    both = int(PAWN) in white and int(PAWN) in black
    orders = reader.take(2 if both else 1)
    codes = reader.take(len(white) + len(black))
    wanted = sorted([*white, *(6 + piece for piece in black)])
    for side, part in enumerate(parts):
        pieces = [_piece(code >> 4 * side & 15) for code in codes]
        if sorted(pieces) != wanted:
            raise TableError("it is a table of another material")
        _group(table, part, pieces, file, [order >> 4 * side & 15 for order in orders])


def _piece(code: int) -> int:
    """6 * colour + type; in the files White's pawn to king are 1 to 6, Black's 9 to 14."""
    return 6 * (code >> 3) + (code & 7) - 1


def _group(table: Any, part: Any, pieces: list[int], file: int, places: list[int]) -> None:
    """Divide the pieces into groups, and give each group its factor in the index, in place.

    `places` are those of the first group, and with pawns of both colours of the second, in the order of the
    factors; the others keep theirs.
    """
    part.pieces[: len(pieces)] = pieces
    pawns = bool(table.has_pawns)
    leading = _leading_size(pieces, pawns)
    sizes = [leading]
    while (start := sum(sizes)) < len(pieces):
        same = [piece == pieces[start] for piece in pieces[start:]] + [False]
        sizes.append(same.index(False))
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    if len(sizes) - 1 + len(set(pieces[:leading])) != len(set(pieces)):
        raise TableError("pieces of a kind are apart")
    if len(places) > 1 and (len(sizes) < 2 or pieces[leading] % 6 != PAWN):
        raise TableError("its pawns are out of order")
    if len(set(places)) < len(places) or max(places) >= len(sizes):
        raise TableError("its groups are out of order")
    others = iter(range(len(places), len(sizes)))
    order = [
        places.index(place) if place in places else next(others) for place in range(len(sizes))
    ]
    free = 64 - sum(sizes[: len(places)])
    factor = 1
    for group in order:
        part.group_factor[group] = factor
        if group == 0:
            factor *= _leading_count(leading, file, pawns)
        elif group == 1 and len(places) > 1:
            factor *= comb(48 - leading, sizes[1])
        else:
            factor *= comb(free, sizes[group])
            free -= sizes[group]
    table.leading = leading
    part.group_count = len(sizes)
    part.group_start[: len(sizes)] = starts
    part.group_size[: len(sizes)] = sizes
    part.positions = factor


def _leading_size(pieces: list[int], pawns: bool) -> int:
    """Pieces of the first group: pawns of a colour, or three pieces that are there once, or the kings."""
    if pawns:
        leading = pieces.count(pieces[0])
        if pieces[0] % 6 != PAWN or pieces[:leading] != [pieces[0]] * leading:
            raise TableError("its pawns are out of order")
        return leading
    single = [piece for piece in pieces if pieces.count(piece) == 1]
    leading = 3 if len(single) > 2 else 2
    if not set(pieces[:leading]) <= set(single):
        raise TableError("pieces of a kind are apart")
    return leading


def _leading_count(leading: int, file: int, pawns: bool) -> int:
    """The ways to place the first group."""
    if pawns:
        return leading_pawns(leading, file)
    return THREE_PIECES if leading == 3 else TWO_KINGS


def _read_code(reader: _Reader, part: Any, is_dtz: bool) -> None:
    """Take over the code of a part, in place.

    In the file: flags, the bits of the size of a block, the bits of a span, and the number of lengths beyond
    the last block, a byte each; the number of blocks, four bytes; the longest and the shortest code, a byte
    each; for each length from the shortest on its first symbol, two bytes; the number of symbols, two bytes,
    and for each its left and right half, 12 bits each; a zero byte if that number is odd. With FLAG_CONSTANT
    there is nothing but flags and the value.
    """
    part.form = flags = reader.number("B")
    if flags & FLAG_CONSTANT:
        part.constant = value = reader.number("B")
        if not is_dtz and value > _MAX_RESULTS:
            raise TableError("its results cannot be")
        return
    part.block_bits, part.span_bits = reader.number("B"), reader.number("B")
    spare = reader.number("B")
    part.block_count = reader.number("I")
    part.length_count = int(part.block_count) + spare
    longest, shortest = reader.number("B"), reader.number("B")
    if not 0 < shortest <= longest <= MAX_CODE or not part.block_count:
        raise TableError("its code cannot be")
    if not 2 < part.block_bits <= _MAX_BLOCK or not 0 < part.span_bits <= _MAX_SPAN:
        raise TableError("its blocks cannot be")
    part.sparse_count = -(-int(part.positions) >> int(part.span_bits))
    lengths = range(shortest, longest + 1)
    first = [reader.number("H") for _ in lengths]
    count = reader.number("H")
    if not 0 < count <= MAX_SYMBOLS:
        raise TableError("its symbols cannot be")
    triples = np.frombuffer(reader.take(3 * count), np.uint8).reshape(count, 3).astype(np.uint16)
    reader.skip(count % 2)
    part.shortest, part.longest, part.symbol_count = shortest, longest, count
    part.left[:count] = triples[:, 0] | (triples[:, 1] & 15) << 8
    part.right[:count] = triples[:, 1] >> 4 | triples[:, 2] << 4
    _read_lengths(part, first, count)
    part.more[:count] = _sizes(part, count)
    results = part.left[:count][part.right[:count] == _LEAF]
    if not is_dtz and results.max(initial=0) > _MAX_RESULTS:
        raise TableError("its results cannot be")


def _read_lengths(part: Any, first: list[int], count: int) -> None:
    """The first code of each length, in place; `first` are their first symbols.

    The longest codes begin with zeros and have the first symbols. What follows the last code of a length
    is, without its last bit, the first code of the next shorter one.
    """
    code = 0
    longest, shortest = int(part.longest), int(part.shortest)
    symbol = first[-1]
    for length in range(longest, shortest - 1, -1):
        start = first[length - shortest]
        code += start - symbol
        if start < symbol or (length < longest and code % 2):
            raise TableError("its code cannot be")
        code //= 2 if length < longest else 1
        if code >> length:
            raise TableError("its code cannot be")
        part.first_symbol[length] = symbol = start
        part.first_code[length] = code << 64 - length
    # Symbols without a code are parts of others.
    if not 0 <= (1 << shortest) - code <= count - symbol:
        raise TableError("its code cannot be")


def _sizes(part: Any, count: int) -> Any:
    """Per symbol the number of its values less 1. Raises TableError for pairs within themselves."""
    left, right = part.left[:count].astype(np.intp), part.right[:count].astype(np.intp)
    is_value = right == _LEAF
    if (np.maximum(left, right)[~is_value] >= count).any():
        raise TableError("its symbols cannot be")
    sizes = np.where(is_value, 0, -1)
    while (unknown := np.flatnonzero(sizes < 0)).size:
        halves = sizes[left[unknown]], sizes[right[unknown]]
        ready = (halves[0] >= 0) & (halves[1] >= 0)
        sizes[unknown[ready]] = (halves[0] + halves[1] + 1)[ready]
        if not ready.any() or sizes.max() > _MAX_VALUES:
            raise TableError("its symbols cannot be")
    return sizes


def _read_maps(reader: _Reader, part: Any, address: int) -> None:
    """Four lists of distances, each behind its length: bytes, or with FLAG_WIDE words; in place."""
    if not int(part.form) & FLAG_MAPPED:
        return
    wide = bool(int(part.form) & FLAG_WIDE)
    if wide:
        reader.align(2)
    for number in range(4):
        count = reader.number("H" if wide else "B")
        part.map_count[number] = count
        part.map[number] = address + reader.skip(2 * count if wide else count)
