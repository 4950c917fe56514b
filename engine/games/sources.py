"""Where games come from: files, also compressed ones, open files, and bytes."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.core.system.files import FileError, cannot, is_open_already, open_input, quote_path
from boomslang.engine.notation.pgn import games_of_scanner
from boomslang.engine.notation.scanner import Scanner
from boomslang.engine.notation.text import MAX_BYTES, lines_of_bytes, text_blocks

_CHECKED: Final = 1 << 20  # bytes
_NULS: Final = re.compile(rb"\0+")  # of a disk that was full; readers see a blank
_CHUNK: Final = 1 << 10  # bytes of a compressed file: they may hold thousands of times as many

Source: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO


def name_of(source: Source) -> str:
    """The name of a source, as problems have it; empty for bytes."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    return "" if isinstance(source, bytes) else str(getattr(source, "name", ""))


def blocks_of(source: Source) -> Iterator[bytes]:
    """`text_blocks` of a source, decompressed if its name ends in .gz, .bz2 or .zst; raises FileError."""
    name = name_of(source)
    if isinstance(source, str | os.PathLike):
        file: Any = open_input(name, MAX_BYTES)
    else:
        file = nullcontext(BytesIO(source) if isinstance(source, bytes) else source)
    with file as raw:
        damage: tuple[type[Exception], ...] = (EOFError, zlib.error)
        match Path(name).suffix.lower():
            case ".gz":
                import gzip

                raw = gzip.GzipFile(fileobj=raw)
            case ".bz2":
                import bz2

                raw = bz2.BZ2File(raw)
            case ".zst":
                raw = _ZstandardFile(name, raw)
                damage = (*damage, raw.failure)
        blocks = text_blocks(raw)
        while True:
            try:
                block = next(blocks, None)
            except OSError as problem:
                raise cannot("read", name or "an open file", problem) from None
            except damage as problem:  # of a file that is cut, or another's
                raise FileError(f"cannot read {quote_path(name)}: {problem}") from None
            if block is None:
                return
            yield block


def check_source(path: Path) -> None:
    """Raise FileError if a file cannot be read or its first megabyte has no game.

    What can be read only once is not looked at.
    """
    if is_open_already(path):
        return
    data = b""
    for block in blocks_of(path):
        data += block
        if len(data) > _CHECKED:
            return
    if not any(entry.number for entry in games_of_scanner(Scanner(lines_of_bytes(data)), True)):
        what = "is not a PGN file" if data.strip() else "has no game"
        raise FileError(f"{quote_path(path)} {what}")


def copy_games(
    source: Source, lines: npt.NDArray[np.int64], wanted: npt.NDArray[np.bool_], file: BinaryIO
) -> None:
    """Write the wanted games as they stand in a source, but no NULs; `lines` are the first of all, from 1."""
    rest, line, game, following = b"", 0, -1, lines.tolist()
    for block in (*blocks_of(source), b"\n"):
        *whole, rest = (rest + _NULS.sub(b" ", block)).split(b"\n")
        for text in whole:
            line += 1
            while game + 1 < len(following) and following[game + 1] <= line:
                game += 1
            if game >= 0 and wanted[game]:
                file.write(text + b"\n")


class _ZstandardFile:
    """What a file compressed by Zstandard holds. Unlike that library's reader it notices a cut."""

    def __init__(self, name: str, file: BinaryIO) -> None:
        try:
            import zstandard
        except ImportError:
            how = "pip install boomslang-chess[games]"
            raise FileError(f"{quote_path(name)} needs the package zstandard: {how}") from None
        self._file = file
        self._start = zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj
        self._frame: Any = None
        self._rest = b""
        self.failure: type[Exception] = zstandard.ZstdError

    def read(self, _: int) -> bytes:
        """Some more bytes; empty at the end."""
        data = b""
        while not data:
            block = self._rest or self._file.read(_CHUNK)
            self._rest = b""
            if not block:
                if self._frame:
                    raise EOFError("it ends too early")
                return b""
            self._frame = self._frame or self._start()
            data = self._frame.decompress(block)
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        return data
