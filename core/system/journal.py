"""Journals of interrupted runs: a header, then one line of JSON for each finished piece of work.

The header records everything that the run depends on; a file with another header is left unchanged. Each
line has a checksum and is on the disk before the next piece begins, and a second process is locked out. A
half-written last line is cut off when the run continues.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from boomslang.core.system.files import (
    FileError,
    cannot,
    check_writable,
    exists,
    open_file,
    quote_path,
    sole_writer,
)
from boomslang.core.system.sanitize import printable

Entry = TypeVar("Entry")

_MAX_BYTES: Final = 1 << 40
_MAX_LINE: Final = 1 << 28  # bytes
_MAX_NAMES: Final = 5  # of settings that differ
_MAX_SHOWN: Final = 30  # characters of an earlier setting
_CHECKSUM: Final = "crc32"  # key of that of the line without it
_DAMAGED: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class JournalError(FileError):
    """The file exists, and is no journal of this run."""


class Journal(Generic[Entry]):
    """The finished pieces of a run, in `entries`.

    `header` is JSON. `entry_of` turns a line's JSON and its number from 0 into an entry; it raises
    ValueError, LookupError or TypeError for a damaged line. A file with another header is refused,
    with what differs and the `remedy`. Damage is an error; with `cut_damage` the entries before it are kept.
    Without a path nothing is written.
    """

    def __init__(
        self,
        path: Path | None,
        header: Mapping[str, Any],
        entry_of: Callable[[Any, int], Entry],
        remedy: str = "name another file",
        *,
        cut_damage: bool = False,
    ) -> None:
        self.entries: list[Entry] = []
        self.is_done = False  # set it, and the file is removed when the journal is closed
        self._path = path
        self._header = json.loads(json.dumps(header))  # as it is read back from the disk
        self._entry_of = entry_of
        self._shown, self._remedy = quote_path(path or ""), remedy
        self._cut_damage = cut_damage
        self._file: FileIO | None = None
        self._is_open = False

    def check(self) -> None:
        """Check before the work begins that the file can be used; raises FileError."""
        if self._path is not None:
            check_writable(self._path)
            with sole_writer(self._path):
                self._read(self._path)

    @contextmanager
    def open(self) -> Iterator[Journal[Entry]]:
        """The journal, new or continued, to `add` to.

        Raises JournalError for any other file, FileError for a journal that is damaged, cannot be written or
        is being written by another process.
        """
        if self._path is None:
            with self._opening():
                yield self
            return
        check_writable(self._path)
        with sole_writer(self._path):
            whole = self._read(self._path)
            with self._at(self._path, whole) as file, self._opening(file):
                if not whole:
                    self._write(self._header)
                yield self
            if self.is_done:
                self._path.unlink()

    def _at(self, path: Path, whole: int) -> FileIO:
        """The file, open behind its valid lines; without a buffer, which its end would write once more."""
        try:
            file = FileIO(path, "r+" if exists(path) else "w+")
            file.truncate(whole)
            file.seek(whole)
        except OSError as problem:
            raise cannot("write", path, problem) from None
        return file

    @contextmanager
    def _opening(self, file: FileIO | None = None) -> Iterator[None]:
        self._file, self._is_open = file, True
        try:
            yield
        finally:
            self._file, self._is_open = None, False

    def add(self, content: Mapping[str, Any], entry: Entry) -> None:
        """Keep an entry, and its JSON on the disk. Raises FileError; RuntimeError outside `open`."""
        if not self._is_open:  # nothing that is kept may be lost without a word
            raise RuntimeError("the journal is not open: add entries inside the block of open()")
        if self._file is not None:
            self._write({**content, _CHECKSUM: _checksum(content)})
        self.entries.append(entry)

    def contents(self) -> Iterator[Any]:
        """The JSON of the entries, read from the disk; raises FileError."""
        if self._path is not None:
            for number, line in enumerate(_lines_of(self._path)):
                try:
                    if number:
                        yield _content(line)
                except _DAMAGED:
                    raise _damaged(self._path, number) from None

    def _write(self, content: Mapping[str, Any]) -> None:
        assert self._file is not None and self._path is not None  # noqa: S101 - see the callers
        try:
            line = _line(content)
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as problem:
            raise cannot("write", self._path, problem) from None

    def _refusal(self, header: Any) -> JournalError:
        if isinstance(header, dict) and header.keys() == self._header.keys():
            names = printable(", ".join(islice(_differences(header, self._header), _MAX_NAMES)))
            if names:
                why = f"{self._shown} belongs to another run, which differs in {names}"
                return JournalError(f"{why}; {self._remedy}")
        return JournalError(
            f"{self._shown} is damaged, or no journal of this command; {self._remedy}"
        )

    def _read(self, path: Path) -> int:
        """Read the entries of the file; returns the length of its valid lines in bytes."""
        self.entries.clear()
        whole = 0
        for number, line in enumerate(_lines_of(path)):
            is_whole = line.endswith(b"\n")
            if not number:
                header: Any = None
                with suppress(ValueError, RecursionError):
                    header = json.loads(line)
                if not (
                    header == self._header if is_whole else _line(self._header).startswith(line)
                ):
                    raise self._refusal(header)
            elif is_whole:
                try:
                    self.entries.append(self._entry_of(_content(line), number - 1))
                except _DAMAGED:
                    if self._cut_damage:
                        break
                    raise _damaged(path, number) from None
            if is_whole:
                whole += len(line)
        return whole


def _lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file, if there is one; the last may have no end. Raises FileError."""
    if exists(path):
        with open_file(path, _MAX_BYTES) as file:
            try:
                while line := file.readline(_MAX_LINE):
                    yield line
            except OSError as problem:
                raise cannot("read", path, problem) from None


def _content(line: bytes) -> Any:
    """The JSON of an entry; raises one of _DAMAGED."""
    content = json.loads(line)
    if content.pop(_CHECKSUM, "") not in ("", _checksum(content)):
        raise ValueError
    return content


def _damaged(path: Path, number: int) -> FileError:
    return FileError(f"{quote_path(path)}: line {number + 1} is damaged or out of turn")


def _differences(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """What differs in two headers, with the earlier value if it is short."""
    for name in [*wanted, *(kept.keys() - wanted.keys())]:
        earlier, value = kept.get(name), wanted.get(name)
        if isinstance(earlier, dict) and isinstance(value, dict):
            yield from _differences(earlier, value)
        elif earlier != value:
            text = "none" if earlier is None else str(earlier)
            is_short = len(text) <= _MAX_SHOWN and not isinstance(earlier, dict | list)
            yield f"{name} ({text})" if is_short else name


def _checksum(content: Mapping[str, Any]) -> str:
    return f"{zlib.crc32(_line(content)):08x}"


def _line(content: Any) -> bytes:
    return json.dumps(content).encode("ascii") + b"\n"
