"""Positions with their scores and game results on disk: what self-play writes and the tuner reads.

A file is a header, padded to a multiple of 64 bytes, and then records of a fixed size, game after game.
The header is the magic, the version of the format (u4), the length of what follows (u4) and JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from engine.board.attacks import find_checkers
from engine.board.position import position_t, rules_t
from engine.board.zobrist import refresh_keys
from engine.constants import EMPTY, ONE, ZERO, U
from engine.system.files import open_file, shown
from engine.system.instructions import lsb
from engine.system.jit import jit, kernel, record_type, void

MAGIC: Final = b"BOOMDATA"
FORMAT: Final = 1
_PADDING: Final = 64
_LONGEST_HEADER: Final = 1 << 16
_LARGEST: Final = 1 << 40  # bytes
_CHUNK: Final = 1 << 16  # records looked at together
_KINDS: Final = 6  # of pieces; the king is the last

# 40 bytes: a position out of check whose best move is quiet.
RECORD: Final = np.dtype(
    [
        ("occupied", "u8"),  # bitboard of all pieces
        ("pieces", "u1", (16,)),  # two a byte, low half first, in the order of the bits above
        ("game", "u4"),  # number of the game, from 0
        ("score", "i2"),  # centipawns, White's view
        ("ply", "u2"),  # half moves since the start position
        ("move", "u2"),  # what the search played here
        ("side", "u1"),
        ("castling", "u1"),
        ("ep", "u1"),
        ("halfmoves", "u1"),
        ("result", "u1"),  # of the game: 0 Black won, 1 draw, 2 White won
        ("unused", "u1"),
    ],
    align=True,
)
record_t: Any = record_type(RECORD)


@jit
def pack(position: Any, record: Any) -> None:
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
def unpack(rules: Any, record: Any, position: Any) -> None:
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


def write_header(file: BinaryIO, header: dict[str, Any]) -> None:
    """Begin a file of records that `header` describes; it must go into JSON."""
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % _PADDING)
    file.write(MAGIC + np.array([FORMAT, len(text)], dtype="<u4").tobytes() + text)


def read_header(file: BinaryIO) -> dict[str, Any]:
    """The header of a file that is open at its beginning, and stays open behind it.

    Raises ValueError for anything else than a file of records.
    """
    start = file.read(len(MAGIC) + 8)
    if len(start) < len(MAGIC) + 8 or not start.startswith(MAGIC):
        raise ValueError("not a file of Boomslang's self-play records")
    version, length = np.frombuffer(start, dtype="<u4", offset=len(MAGIC))
    if version != FORMAT:
        raise ValueError(f"records of format {version}; this version reads format {FORMAT}")
    try:
        header = json.loads(file.read(int(length))) if length <= _LONGEST_HEADER else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise ValueError("the header of the records is damaged")
    return header


def read(path: Path) -> tuple[dict[str, Any], npt.NDArray[np.void]]:
    """Header and records of a file; a half-written record at its end is left out.

    Raises ValueError if it is not such a file, damaged, or cannot be read.
    """
    with open_file(path, _LARGEST) as file:
        header = read_header(file)
        whole = (os.fstat(file.fileno()).st_size - file.tell()) // RECORD.itemsize
        records = np.fromfile(file, dtype=RECORD, count=whole)
    for first in range(0, len(records), _CHUNK):
        if not _are_sound(records[first : first + _CHUNK]):
            raise ValueError(f"{shown(path)} is damaged near record {first}")
    return header, records


def _are_sound(records: npt.NDArray[np.void]) -> bool:
    """True if kernels can unpack these: two kings and only pieces that there are."""
    number = np.bitwise_count(records["occupied"])
    halves = np.stack([records["pieces"] & 15, records["pieces"] >> 4], axis=-1)
    pieces = halves.reshape(len(records), -1)
    pieces[np.arange(pieces.shape[1]) >= number[:, None]] = 0
    return bool(
        (number <= pieces.shape[1]).all()
        and (pieces < 2 * _KINDS).all()
        and ((pieces == _KINDS - 1).sum(1) == 1).all()
        and ((pieces == 2 * _KINDS - 1).sum(1) == 1).all()
        and (records["side"] <= 1).all()
        and (records["castling"] < 16).all()
        and (records["ep"] <= 64).all()
        and (records["result"] <= 2).all()
    )


def read_all(paths: Iterable[Path]) -> tuple[npt.NDArray[np.void], int]:
    """The records of several files, and how many games they are from; games get new numbers.

    Raises ValueError if one is not such a file, has no record or cannot be read.
    """
    parts = []
    games = 0
    for path in paths:
        _, records = read(path)
        if not len(records):
            raise ValueError(f"{path} has no positions")
        records["game"] += games
        games = int(records["game"][-1]) + 1
        parts.append(records)
    return np.concatenate(parts), games
