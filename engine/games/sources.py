"""Where games come from: files, also compressed ones, open files, and bytes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from boomslang.core.system.files import FileError, cannot, open_file, quote_path
from boomslang.engine.notation.text import MAX_BYTES, text_blocks

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
        file: Any = open_file(name, MAX_BYTES)
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
                raw, failure = _decompress_zstandard(name, raw)
                damage = (*damage, failure)
        blocks = text_blocks(raw)
        while True:
            try:
                block = next(blocks, None)
            except OSError as problem:
                raise cannot("read", name, problem) from None
            except damage as problem:  # of a file that is cut, or another's
                raise FileError(f"cannot read {quote_path(name)}: {problem}") from None
            if block is None:
                return
            yield block


def _decompress_zstandard(name: str, file: BinaryIO) -> tuple[BinaryIO, type[Exception]]:
    try:
        import zstandard
    except ImportError:
        how = "pip install boomslang-chess[games]"
        raise FileError(f"{quote_path(name)} needs the package zstandard: {how}") from None
    stream: Any = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    reader = stream.stream_reader(file, read_across_frames=True)
    return cast("BinaryIO", reader), zstandard.ZstdError
