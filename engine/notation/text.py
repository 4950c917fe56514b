"""The lines of a text file in any encoding, with any line ends and control characters."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from boomslang.core.system.files import cannot, open_input
from boomslang.core.system.sanitize import sanitize

MAX_BYTES: Final = 1 << 36  # bytes of a file that is read line by line
MAX_LINE: Final = 1 << 20  # bytes; longer lines are split
_BLOCK: Final = 1 << 20  # bytes
_SAMPLE: Final = 4096  # bytes from which the encoding is detected
_BLANK_LINES: Final = re.compile(rb"[\x00-\x20\x7f]*\n")
# ASCII with blanks for control characters, as `sanitize` has them: there may be gigabytes.
_VISIBLE: Final = bytes(byte if 32 <= byte != 127 else 32 for byte in range(256))
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, ""),
)


class Text:
    """The bytes of a text that have been read and may still be needed; offsets are those in the text."""

    def __init__(self, blocks: Iterator[bytes], kept: int = 0) -> None:
        """`kept` bytes before a line are not forgotten when `lines` reads on."""
        self._blocks = blocks
        self._kept = kept
        self.data = b""
        self.base = 0  # offset of the first byte of the data
        self.at_end = False

    def grow(self, needed: int) -> bool:
        """Read more, and forget what lies before the offset `needed`; False at the end."""
        if self.at_end:
            return False
        block = next(self._blocks, None)
        self.data = self.data[needed - self.base :] + (block or b"")
        self.base = needed
        if block is None:
            self.at_end = True
            if self.data and not self.data.endswith(b"\n"):
                self.data += b"\n"
        return True

    def lines(self, place: int = 0) -> Iterator[tuple[int, str]]:
        r"""Offset and text of each line from `place` on, without its end.

        A run of n + 1 blank lines is one text of n times \n. A line of more than MAX_LINE bytes is split at
        blanks, and what goes on with it begins with \r. Raises what the blocks raise.
        """
        mark = ""
        while True:
            begin = place - self.base
            end = self.data.find(b"\n", begin, begin + MAX_LINE + 1)
            following = end + 1
            if end < 0 and len(self.data) - begin <= MAX_LINE:
                if not self.grow(max(self.base, place - self._kept)):
                    return
                continue
            if end < 0:
                end = self.data.rfind(b" ", begin + 1, begin + MAX_LINE) + 1 or begin + MAX_LINE
                following = end
            blank = _BLANK_LINES.match(self.data, begin, begin + MAX_LINE)
            if blank and not mark:
                following = blank.end()
                text = "\n" * self.data.count(b"\n", begin, following - 1)
            else:
                text = mark + decode(self.data[begin:end])
            yield place, text
            mark = "\r" if following == end else ""
            place += following - begin


def file_texts(path: Path | str) -> Iterator[str]:
    """The lines of a file, or of standard input as `-`, as `Text` has them; raises FileError."""
    with open_input(path, MAX_BYTES) as file:
        try:
            yield from (text for _, text in Text(text_blocks(file)).lines())
        except OSError as problem:
            raise cannot("read", path, problem) from None


def file_lines(path: Path | str) -> Iterator[str]:
    """The same, each blank line by itself, and of one that is split only the beginning."""
    return (line for text in file_texts(path) if text[:1] != "\r" for line in _each(text))


def lines_of_bytes(data: bytes) -> Iterator[str]:
    """The lines of a file in memory, each blank one and each part of a long one by itself."""
    texts = Text(text_blocks(io.BytesIO(data))).lines()
    return (line for _, text in texts for line in _each(text.lstrip("\r")))


def _each(text: str) -> list[str]:
    return [""] * (len(text) + 1) if text[:1] == "\n" else [text]


def text_lines(text: str) -> Iterator[str]:
    """The lines of a text in memory."""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        yield sanitize(line)


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
