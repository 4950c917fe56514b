"""Writes Syzygy files, so that the reader can be tested where there are none.

Any values can be written. They are compressed a little: pairs of the most frequent value are symbols of their
own, and frequent symbols have short codes.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.tablebases.checksum import checksum
from boomslang.engine.tablebases.header import MAGIC

BLOCK_BITS: Final = 6  # 64 bytes
SPAN_BITS: Final = 7
_LEAF: Final = 0xFFF
_SHORT, _LONG = 2, 4  # bits of a code
_RARE: Final = 4  # symbols with long codes, which come first
QUEEN_SIZE: Final = 31332  # positions of queen and kings
QUEEN: Final = (
    bytes([0x00, 0x66, 0x55, 0xEE]),
)  # the order, then White's king and queen, Black's king


class PartWriter:
    """Compresses the values of one part; `code`, `index`, `lengths` and `blocks` are what is in the file."""

    def __init__(self, values: Sequence[int] | npt.NDArray[np.int64], form: int = 0) -> None:
        """Values are those of at most five kinds."""
        row = list(map(int, values))
        kinds = sorted(set(row), key=row.count)
        kinds += [kind for kind in range(4096) if kind not in kinds][: 5 - len(kinds)]
        often = kinds[-1]
        # Four rare values, then the frequent one, two of it, and two of those.
        pairs = [(kind, _LEAF) for kind in kinds] + [(4, 4), (5, 5)]
        symbols: dict[tuple[int, ...], int] = {(kind,): n for n, kind in enumerate(kinds)}
        symbols[often, often], symbols[(often,) * 4] = 5, 6
        self.index, self.lengths, self.blocks = b"", b"", b""
        block, starts, done = "", [0], 0
        while done < len(row):
            size = next(n for n in (4, 2, 1) if tuple(row[done : done + n]) in symbols)
            symbol = symbols[tuple(row[done : done + size])]
            word = f"{symbol:0{_LONG}b}" if symbol < _RARE else f"{symbol - _RARE + 1:0{_SHORT}b}"
            if len(block) + len(word) > 8 << BLOCK_BITS:
                self._end_block(block)
                starts.append(done)
                block = ""
            block += word
            done += size
        self._end_block(block)
        ends = [*starts[1:], len(row)]
        self.lengths = b"".join(
            struct.pack("<H", end - start - 1) for start, end in zip(starts, ends, strict=True)
        )
        for middle in range(1 << SPAN_BITS - 1, len(row) + (1 << SPAN_BITS - 1), 1 << SPAN_BITS):
            within = min(middle, len(row) - 1)
            number = max(n for n, start in enumerate(starts) if start <= within)
            self.index += struct.pack("<IH", number, middle - starts[number])
        self.code = struct.pack(
            "<BBBBIBB", form, BLOCK_BITS, SPAN_BITS, 0, len(starts), _LONG, _SHORT
        )
        self.code += struct.pack("<HHHH", _RARE, _RARE, 0, len(pairs))
        for left, right in pairs:
            self.code += (left | right << 12).to_bytes(3, "little")
        self.code += b"\0" * (len(pairs) % 2)

    def _end_block(self, bits: str) -> None:
        filled = bits.ljust(8 << BLOCK_BITS, "0")
        self.blocks += int(filled, 2).to_bytes(1 << BLOCK_BITS, "big")


def write_table(
    suffix: str, flags: int, pieces: Sequence[bytes], parts: Sequence[PartWriter], maps: bytes = b""
) -> bytes:
    """The bytes of a file: `pieces` are orders and pieces of each file of the leading pawn."""
    data = MAGIC[suffix] + bytes([flags]) + b"".join(pieces)
    data += b"\0" * (len(data) % 2)
    data += b"".join(part.code for part in parts) + maps
    data += b"\0" * (len(data) % 2)
    data += b"".join(part.index for part in parts)
    data += b"".join(part.lengths for part in parts)
    for part in parts:
        data += b"\0" * (-len(data) % 64) + part.blocks
    data += b"\0" * (-len(data) % 64)
    load_kernels()
    return data + checksum(np.frombuffer(data, np.uint8))


def queen_results(*sides: npt.NDArray[np.int64]) -> bytes:
    """KQvK.rtbw with these results, 0 to 4, for White and for Black to move."""
    return write_table(".rtbw", 1, QUEEN, [PartWriter(side) for side in sides])


def queen_distances(values: npt.NDArray[np.int64], form: int = 0, maps: bytes = b"") -> bytes:
    """KQvK.rtbz with these distances for White to move."""
    return write_table(".rtbz", 1, QUEEN, [PartWriter(values, form)], maps)
