"""Files of self-play games: writing, and reading up to the first damage.

A file is a header, padded to a multiple of 64 bytes, followed by games. The header consists of the magic,
the format version, the length and the checksum of the rest (u4 each), and JSON. A game is a head (HEAD in
`replay.py`) with a checksum, and its moves and scores (`game_encoding.py`). All numbers are little-endian.
"""

from __future__ import annotations

import json
import struct
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, NamedTuple

from boomslang.core.system.files import FileError, open_file, quote_path

MAGIC: Final = b"BOOMDATA"
FORMAT: Final = 2
MAX_BYTES: Final = 1 << 42  # bytes

_PADDING: Final = 64
_MAX_HEADER: Final = 1 << 16
_NUMBERS: Final = struct.Struct("<III")
_HEAD: Final = struct.Struct("<IHHHHHBB")
_CRC: Final = struct.Struct("<I")


class GameFileError(FileError):
    """Not a file of games, or another format version; the message is a short reason."""


class EncodedGame(NamedTuple):
    """One complete game."""

    number: int
    offset: int  # offset of its head in the file
    plies: int
    data: bytes  # head, moves and scores


@dataclass(frozen=True, slots=True)
class DamagedBlock:
    """The place of the first damage in a file; the games before it are valid."""

    path: Path
    offset: int  # byte
    game: int  # number, from 0
    reason: str

    def __str__(self) -> str:
        """The damage in one line."""
        place = f"at byte {self.offset}, in game {self.game}"
        return f"{quote_path(self.path)} is damaged {place} ({self.reason}); it is read up to there"


Report = Callable[[DamagedBlock], None]


def warn(damage: DamagedBlock) -> None:
    """Report damage as a RuntimeWarning."""
    warnings.warn(str(damage), RuntimeWarning, stacklevel=2)


def write_header(file: BinaryIO, header: dict[str, Any]) -> None:
    """Write the header of a file of games; it must be JSON-serialisable."""
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-(len(MAGIC) + _NUMBERS.size + len(text)) % _PADDING)
    file.write(MAGIC + _NUMBERS.pack(FORMAT, len(text), zlib.crc32(text)) + text)


def read_header(file: BinaryIO) -> dict[str, Any]:
    """Read the header of a file open at its beginning; leaves the file position behind it.

    Raises GameFileError if it is not a file of games.
    """
    start = file.read(len(MAGIC) + _NUMBERS.size)
    if len(start) < len(MAGIC) + _NUMBERS.size or not start.startswith(MAGIC):
        raise GameFileError("not a file of Boomslang's self-play games")
    version, length, checksum = _NUMBERS.unpack_from(start, len(MAGIC))
    if version != FORMAT:
        raise GameFileError(f"games of format {version}; this version reads format {FORMAT}")
    text = file.read(length) if length <= _MAX_HEADER else b""
    try:
        header = json.loads(text) if zlib.crc32(text) == checksum else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise GameFileError("the header of the games is damaged")
    return header


def game_bytes(
    number: int,
    body: bytes,
    *,
    plies: int,
    random: int,
    arrays: tuple[int, int],
    mark: int,
    result: int,
) -> bytes:
    """The encoding of game `number` of a file; the fields are those of `replay.HEAD`."""
    head = _HEAD.pack(0, len(body), plies, *arrays, mark, random, result)
    game = head[_CRC.size :] + body
    return _CRC.pack(zlib.crc32(game, number)) + game


class GameFileReader:
    """Iterates over the games of a file up to the first damage; a context manager.

    After the last game, `damage` is the damage that follows, if any, and `end` is the offset behind the
    game. Raises FileError if the file cannot be read, GameFileError if it is not a file of games.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open_file(path, MAX_BYTES)
        try:
            self.header = read_header(self._file)
        except GameFileError as problem:
            self._file.close()
            raise GameFileError(f"{quote_path(path)}: {problem}") from None
        except BaseException:
            self._file.close()
            raise
        self.start = self.end = self._file.tell()
        self.games = 0
        self.damage: DamagedBlock | None = None

    def __enter__(self) -> GameFileReader:
        """The reader itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[EncodedGame]:
        """The games; iterate only once."""
        while head := self._file.read(_HEAD.size):
            if len(head) < _HEAD.size:
                self._stop("cut")
                return
            checksum, length, plies, *_ = _HEAD.unpack(head)
            data = head + self._file.read(length)
            if len(data) < _HEAD.size + length:
                self._stop("cut, or its length is wrong")
                return
            if zlib.crc32(memoryview(data)[_CRC.size :], self.games) != checksum:
                self._stop("the checksum is wrong")
                return
            game = EncodedGame(self.games, self.end, plies, data)
            self.games += 1
            self.end += len(data)
            yield game

    def _stop(self, reason: str) -> None:
        self.damage = DamagedBlock(self._path, self.end, self.games, reason)


def header_of(path: Path) -> dict[str, Any]:
    """The header of a game file; raises FileError."""
    with GameFileReader(path) as walk:
        return walk.header


def setting_of(path: Path, header: dict[str, Any], name: str) -> Any:
    """A setting that the games of a file depend on; raises GameFileError if its header has none."""
    if name not in header:
        raise GameFileError(
            f"{quote_path(path)} is of another version: its header has no '{name}'; make the games anew"
        )
    return header[name]


def check_games(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """The headers of game files; raises FileError, also for a file without a complete game."""
    headers = []
    for path in paths:
        headers.append(header_of(path))
        with GameFileReader(path) as walk:
            if next(iter(walk), None) is None:
                raise FileError(f"{quote_path(path)} has no games")
    return headers
