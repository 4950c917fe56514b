"""The lines of a text file in any encoding, with any line ends and control characters."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from boomslang.core.system.files import cannot, open_input
from boomslang.core.system.sanitize import sanitize

MAX_BYTES: Final = 1 << 36  # bytes of a file that is read line by line
MAX_LINE: Final = 1 << 20  # bytes; longer lines are split
_BLOCK: Final = 1 << 20  # bytes
_SAMPLE: Final = 4096  # bytes from which the encoding is detected
# ASCII with blanks for control characters, as `sanitize` has them: there may be gigabytes.
_VISIBLE: Final = bytes(byte if 32 <= byte != 127 else 32 for byte in range(256))
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, ""),
)


def file_lines(path: Path | str, longest: int = MAX_LINE, whole: bool = True) -> Iterator[str]:
    """The lines of a file, or of standard input as `-`, as text; raises FileError. See `byte_lines`."""
    with open_input(path, MAX_BYTES) as file:
        try:
            yield from map(decode, byte_lines(file, longest, whole))
        except OSError as problem:
            raise cannot("read", path, problem) from None


def text_lines(text: str) -> Iterator[str]:
    """The lines of a text in memory."""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield sanitize(line)


def lines_of_bytes(data: bytes) -> Iterator[str]:
    """The lines of a file in memory as text, in the same way."""
    return map(decode, byte_lines(io.BytesIO(data)))


def byte_lines(file: BinaryIO, longest: int = MAX_LINE, whole: bool = True) -> Iterator[bytes]:
    r"""The lines without their ends (\n, \r\n or \r), for `decode`; never more than a block in memory.

    Lines longer than `longest` bytes are split at blanks; if not `whole`, only the first part is returned,
    which then is longer than `longest`. Encodings are those of `text_blocks`. Raises OSError.
    """
    rest = b""
    dropping = False  # inside the rest of a line that is too long
    for block in text_blocks(file):
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            if not dropping:
                yield from _pieces(line, longest, whole)
            dropping = False
        if dropping:
            rest = b""
        elif len(rest) > longest:
            if whole:
                *pieces, rest = _pieces(rest, longest, whole)
                yield from pieces
            else:
                yield rest[: longest + 1]
                rest, dropping = b"", True
    if rest:
        yield from _pieces(rest, longest, whole)


def text_blocks(file: BinaryIO) -> Iterator[bytes]:
    r"""The bytes of a text in blocks: UTF-8 or another superset of ASCII, with \n at the ends of lines.

    UTF-16 and UTF-32 are converted to UTF-8, also without a byte order mark. Raises OSError.
    """
    block = file.read(_SAMPLE)
    while block and len(block) < _SAMPLE and (more := file.read(_SAMPLE - len(block))):
        block += more  # a pipe or a decompressor may give less at a time
    encoding, mark = _encoding(block)
    block = block[mark:]
    decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
    held = b""
    while block:
        if decoder:
            block = decoder.decode(block).encode("utf-8", "replace")
        block = held + block
        held = b"\r" if block.endswith(b"\r") else b""  # its \n may follow
        block = block[: len(block) - len(held)]
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield block
        block = file.read(_BLOCK)
    if decoder:
        held += decoder.decode(b"", final=True).encode("utf-8", "replace")
    yield held.replace(b"\r", b"\n")


def decode(line: bytes) -> str:
    """A line as text: UTF-8 or, if invalid, the code page of older programs (cp1252).

    It is sanitised: no control characters, nor invisible ones.
    """
    line = line.translate(_VISIBLE)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("cp1252", "replace")
    return sanitize(text)


def _encoding(sample: bytes) -> tuple[str, int]:
    """The encoding, empty for a superset of ASCII; and the length of the byte order mark."""
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding, len(mark)
    pairs = len(sample) // 2
    high, low = sample[: 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    # Chess is written in ASCII, so nearly every other byte of UTF-16 is 0.
    first = sample[:2].find(0)  # at the start: other files may contain a part in UTF-16
    if first == 1 and low > 0.6 * pairs and high < 0.1 * pairs:
        return "utf-16-le", 0
    if first == 0 and high > 0.6 * pairs and low < 0.1 * pairs:
        return "utf-16-be", 0
    return "", 0


def _pieces(line: bytes, longest: int, whole: bool) -> Iterator[bytes]:
    if not whole:
        yield line[: longest + 1]
        return
    while len(line) > longest:
        cut = line.rfind(b" ", 1, longest) + 1 or longest
        yield line[:cut]
        line = line[cut:]
    yield line
