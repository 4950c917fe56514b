"""The checksum at the end of a table, which finds damage of any kind.

Tables end in 16 bytes that their generator computed from all others: the 256-bit hash of each 16 MiB, and the
128-bit hash of these hashes. The functions are CityHashCrc256 and CityHashCrc128 of CityHash 1.0.3 by Geoff
Pike and Jyrki Alakuijala (Copyright (c) 2011 Google, Inc.; its MIT licence lies in `third_party/cityhash`).
Later versions of CityHash have other functions under these names.

The engine compares them when it opens a file of up to a megabyte, `boomslang doctor` for all files: 0.9 GB a
second from memory.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.position import new_record
from boomslang.core.jit.instructions import word_at
from boomslang.core.jit.jit import jit, kernel, record_type, u64, void

SIZE: Final = 16  # bytes of a checksum
_CHUNK: Final = 1 << 24  # bytes with a hash of their own

_K0, _K1, _K3 = map(U, (0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0xC949D7C7509E6557))
_MULTIPLIER = U(0x9DDFEA08EB382D69)
_LOW = U(0xFFFFFFFF)
_BYTE = U(0xFF)
_LONG = U(240)  # bytes: six rounds
_ROUND = U(40)  # bytes
_SHORT = U(900)  # bytes: more have the 128-bit hash from the 256-bit one
_POLYNOMIAL: Final = 0x82F63B78  # CRC-32C, bits reversed
_ROTATIONS = np.array([41, 27, 41, 33, 25], np.uint64)

HASHER: Final = np.dtype(
    [
        ("crc_table", "u8", (8, 256)),  # CRC-32C of a byte with 0 to 7 zero bytes behind it
        ("lanes", "u8", (6,)),  # while words are read
        ("crcs", "u8", (5,)),
        ("hash", "u8", (4,)),  # the result
        ("padded", "u1", (240,)),  # a text too short for a round
    ]
)
hasher_t: Any = record_type(HASHER)
Hasher: TypeAlias = Any  # a record of HASHER


def is_sound(data: npt.NDArray[np.uint8]) -> bool:
    """True if a file, uint8[n], ends in the checksum of the bytes before. The kernels must be loaded."""
    return len(data) > SIZE and checksum(data[:-SIZE]) == data[-SIZE:].tobytes()


def checksum(data: npt.NDArray[np.uint8]) -> bytes:
    """The 16 bytes that end a file with these bytes, uint8[n], before. The kernels must be loaded."""
    hasher = new_record(HASHER)
    hasher.crc_table[:] = _crc_table()
    hashes = b""
    for start in range(0, len(data), _CHUNK):
        _hash_into(hasher, data[start : start + _CHUNK])
        hashes += hasher.hash.tobytes()
    words = np.frombuffer(hashes, np.uint8)
    if len(words) > _SHORT:
        _hash_into(hasher, words)
        return hasher.hash[2:].tobytes()
    hash_short(hasher, _address(words), U(len(words)))
    return hasher.hash[:2].tobytes()


def _hash_into(hasher: Hasher, data: npt.NDArray[np.uint8]) -> None:
    if len(data) >= _LONG:
        hash_long(hasher, _address(data), U(len(data)), ZERO)
        return
    hasher.padded[:] = 0
    hasher.padded[: len(data)] = data
    hash_long(hasher, _address(hasher.padded), _LONG, U(~len(data) & 0xFFFFFFFF))


def _address(data: npt.NDArray[np.uint8]) -> np.uint64:
    return U(data.__array_interface__["data"][0])


def _crc_table() -> npt.NDArray[np.uint64]:
    table = np.zeros((8, 256), np.uint64)
    row = np.arange(256, dtype=np.uint64)
    for _ in range(8):
        row = np.where(row & ONE, row >> ONE ^ U(_POLYNOMIAL), row >> ONE)
    table[0] = row
    for number in range(1, 8):
        row = table[0][row & _BYTE] ^ row >> U(8)
        table[number] = row
    return table


@jit
def _rotate(word: np.uint64, bits: np.uint64) -> np.uint64:
    """The word rotated to the right, by 1 to 63 bits."""
    return word >> bits | word << (U(64) - bits)


@jit
def _mix_high_bits(word: np.uint64) -> np.uint64:
    """The word with its high bits mixed into the low ones."""
    return word ^ word >> U(47)


@jit
def _hash(one: np.uint64, other: np.uint64) -> np.uint64:
    """The hash of two words."""
    word = _mix_high_bits((one ^ other) * _MULTIPLIER)
    return _mix_high_bits((other ^ word) * _MULTIPLIER) * _MULTIPLIER


@jit
def _crc(hasher: Hasher, crc: np.uint64, word: np.uint64) -> np.uint64:
    """CRC-32C continued by eight bytes, the lowest first."""
    rest = word ^ crc & _LOW
    crc = ZERO
    for number in range(8):
        crc ^= hasher.crc_table[7 - number][rest & _BYTE]
        rest >>= U(8)
    return crc


@jit
def _round(
    hasher: Hasher, address: np.uint64, multiplier: np.uint64, turned: np.uint64
) -> np.uint64:
    """Take in 40 bytes; returns the address behind them."""
    lanes = hasher.lanes
    last = lanes[0]
    for number in range(5):
        word = word_at(address + U(8 * number))
        lanes[number] = _rotate(lanes[number + 1], _ROTATIONS[number] ^ turned) * multiplier + word
        hasher.crcs[number] = _crc(hasher, hasher.crcs[number], lanes[number])
    lanes[5] = last
    return address + _ROUND


@kernel(void(hasher_t, u64, u64, u64))
def hash_long(hasher: Hasher, address: np.uint64, size: np.uint64, seed: np.uint64) -> None:
    """The 256-bit hash of `size` bytes from `address` on, at least 240, in `hasher.hash`."""
    second = word_at(address + U(96)) + _K0
    third = _hash(second, size)
    fourth = word_at(address + U(120)) * _K0 + size
    hasher.lanes[0] = word_at(address + U(56)) + _K0
    hasher.lanes[1] = second
    hasher.lanes[2] = third
    hasher.lanes[3] = fourth
    hasher.lanes[4] = word_at(address + U(184)) + seed
    hasher.lanes[5] = third + fourth
    hasher.crcs[:] = ZERO
    hasher.crcs[0] = seed

    # 1. All bytes, six rounds at a time, then one; the last may take in some bytes again.
    end = address + size
    while end - address >= _LONG:
        for _ in range(3):
            address = _round(hasher, address, ONE, ONE)
            address = _round(hasher, address, _K0, ZERO)
    while end - address >= _ROUND:
        address = _round(hasher, address, _K0, ZERO)
    if address < end:
        _round(hasher, end - _ROUND, _K0, ZERO)

    # 2. What is in the lanes and the checksums becomes four words.
    lanes, crcs = hasher.lanes, hasher.crcs
    a, b, c, d, e, t = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]
    f, g, h, i, j = crcs[0], crcs[1], crcs[2], crcs[3], crcs[4]
    j += i << U(32)
    a = _hash(a, j)
    h += g << U(32)
    b += h
    c = _hash(c, f) + i
    d = _hash(d, e + third)
    j += e
    i += _hash(h, t)
    e = _hash(a, d) + j
    f = _hash(b, c) + a
    g = _hash(j, i) + c
    hasher.hash[0] = e + f + g + h
    a = _mix_high_bits((a + g) * _K0) * _K0 + b
    hasher.hash[1] = fourth + a + hasher.hash[0]
    a = _mix_high_bits(a * _K0) * _K0 + c
    hasher.hash[2] = a + hasher.hash[1]
    a = _mix_high_bits((a + e) * _K0) * _K0
    hasher.hash[3] = a + hasher.hash[2]


@kernel(void(hasher_t, u64, u64))
def hash_short(hasher: Hasher, address: np.uint64, size: np.uint64) -> None:
    """The 128-bit hash of `size` bytes, a multiple of 32 from 32 on, in `hasher.hash[:2]`."""
    one, two = word_at(address) ^ _K3, word_at(address + U(8))
    address += U(16)
    size -= U(16)
    if size < U(128):
        _hash_few(hasher, address, size, one, two)
    else:
        _hash_many(hasher, address, size, one, two)


@jit
def _hash_few(
    hasher: Hasher, address: np.uint64, size: np.uint64, a: np.uint64, b: np.uint64
) -> None:
    """The hash of 16 bytes to 127, a multiple of 16, beginning with the words A and B."""
    first, last = word_at(address), word_at(address + size - U(8))
    if size == U(16):
        a = _mix_high_bits(a * _K1) * _K1
        c = b * _K1 + (_hash(first, _rotate(last + size, size)) ^ last)
        d = _mix_high_bits(a + first)
    else:
        c = _hash(last + _K1, a)
        d = _hash(b + size, c + word_at(address + size - U(16)))
        a += d
        for number in range(I(size) // I(16) - I(1)):
            place = address + U(16 * number)
            a = (a ^ _mix_high_bits(word_at(place) * _K1) * _K1) * _K1
            b ^= a
            c = (c ^ _mix_high_bits(word_at(place + U(8)) * _K1) * _K1) * _K1
            d ^= c
    a, b = _hash(a, c), _hash(d, b)
    hasher.hash[0] = a ^ b
    hasher.hash[1] = _hash(b, a)


@jit
def _two(address: np.uint64, a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Two words from four in memory and these two."""
    a += word_at(address)
    last = word_at(address + U(24))
    b = _rotate(b + a + last, U(21))
    first = a
    a += word_at(address + U(8)) + word_at(address + U(16))
    return a + last, b + _rotate(a, U(44)) + first


@jit
def _hash_many(
    hasher: Hasher, address: np.uint64, size: np.uint64, x: np.uint64, y: np.uint64
) -> None:
    """The hash of 128 bytes and more, beginning with the words X and Y."""
    z = size * _K1
    v = _rotate(y ^ _K1, U(49)) * _K1 + word_at(address)
    v2 = _rotate(v, U(42)) * _K1 + word_at(address + U(8))
    w = _rotate(y + z, U(35)) * _K1 + x
    w2 = _rotate(x + word_at(address + U(88)), U(53)) * _K1
    end = address + size

    # 1. 128 bytes at a time, in two equal steps.
    while end - address >= U(128):
        for _ in range(2):
            x = _rotate(x + y + v + word_at(address + U(8)), U(37)) * _K1 ^ w2
            y = _rotate(y + v2 + word_at(address + U(48)), U(42)) * _K1
            y += v + word_at(address + U(40))
            z = _rotate(z + w, U(33)) * _K1
            v, v2 = _two(address, v2 * _K1, x + w)
            w, w2 = _two(address + U(32), z + w2, y + word_at(address + U(16)))
            x, z = z, x
            address += U(64)

    # 2. The rest, from its end.
    x += _rotate(v + z, U(49)) * _K0
    z += _rotate(w, U(37)) * _K0
    left, place = I(end - address), end
    while left > I(0):
        place -= U(32)
        left -= I(32)
        y = _rotate(x + y, U(42)) * _K0 + v2
        w += word_at(place + U(16))
        x = x * _K0 + w
        z += w2 + word_at(place)
        w2 += v
        v, v2 = _two(place, v + z, v2)
    x = _hash(x, v)
    y = _hash(y + z, w)
    hasher.hash[0] = _hash(x + v2, w2) + y
    hasher.hash[1] = _hash(x + w2, y + v2)
