"""Files that users name: a careful way in, and one line that says what is wrong with one.

A file may be missing, a folder, a pipe or a device that never ends, far too large, or not what its
name says. Whoever reads one that a user has named opens it here.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

LARGEST_TEXT: Final = 1 << 30  # bytes of a text file, read line by line
LONGEST_LINE: Final = 1 << 20  # bytes
_LONGEST_NAME: Final = 120
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class FileProblem(ValueError):
    """A file that cannot be used; the message is one harmless line that names file and reason."""


def shown(path: Path | str) -> str:
    """A name in quotes, cut and without characters that could forge a line or move a cursor."""
    text = str(path)
    if len(text) > _LONGEST_NAME:
        text = "..." + text[-_LONGEST_NAME:]
    return "'" + "".join(c if c.isprintable() else "?" for c in text) + "'"


def open_file(path: Path | str, largest: int) -> BinaryIO:
    """An existing regular file of at most `largest` bytes, open for reading; raises FileProblem."""
    try:
        _check(path, Path(path).stat(), largest)
        # What has become a pipe since then must not make us wait for its other end.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags)
        try:
            _check(path, os.fstat(descriptor), largest)
        except BaseException:
            os.close(descriptor)
            raise
        return os.fdopen(descriptor, "rb")
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise FileProblem(f"cannot read {shown(path)}: {reason}") from None
    except FileProblem:
        raise
    except ValueError:  # a NUL in the name
        raise FileProblem(f"cannot read {shown(path)}: no such name") from None


def read_file(path: Path | str, largest: int) -> bytes:
    """All of a regular file of at most `largest` bytes; raises FileProblem."""
    with open_file(path, largest) as file:
        try:
            data = file.read(largest + 1)
        except OSError as problem:
            reason = (problem.strerror or str(problem)).lower()
            raise FileProblem(f"cannot read {shown(path)}: {reason}") from None
    if len(data) > largest:
        raise FileProblem(f"{shown(path)} is larger than {largest} bytes")
    return data


def read_text(path: Path | str, largest: int) -> str:
    """All of a UTF-8 file; raises FileProblem."""
    try:
        return read_file(path, largest).removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError:
        raise FileProblem(f"{shown(path)} is not UTF-8 text") from None


def read_lines(path: Path | str, largest: int = LARGEST_TEXT) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file with their numbers from 1, without their ends; never read whole.

    Raises FileProblem, also for a line that is no text or longer than LONGEST_LINE.
    """
    with open_file(path, largest) as file:
        number = 0
        while line := _next_line(file, path):
            number += 1
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
            if len(line) > LONGEST_LINE:
                raise FileProblem(f"{shown(path)}:{number}: a line of more than a megabyte")
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError:
                raise FileProblem(f"{shown(path)}:{number}: not UTF-8 text") from None
            yield number, text.rstrip("\r\n")


def _next_line(file: BinaryIO, path: Path | str) -> bytes:
    try:
        return file.readline(LONGEST_LINE + 1)
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise FileProblem(f"cannot read {shown(path)}: {reason}") from None


def _check(path: Path | str, status: os.stat_result, largest: int) -> None:
    """Raise FileProblem unless that is a regular file of bearable size."""
    if stat.S_ISDIR(status.st_mode):
        raise FileProblem(f"{shown(path)} is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise FileProblem(f"{shown(path)} is not a regular file")
    if status.st_size > largest:
        raise FileProblem(f"{shown(path)} is larger than {largest} bytes")
