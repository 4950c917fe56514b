"""The rows of an unfinished run, stored so that the same command resumes it.

The rows are in FILE.part; the journal FILE.part.json has the number of valid bytes and the settings. At the
end FILE.part is renamed to FILE. A crash loses at most one second's work.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from boomslang.core.system.files import (
    FileError,
    check_writable,
    exists,
    is_file,
    move_into_place,
    quote_path,
    sole_writer,
)
from boomslang.core.system.journal import Journal
from boomslang.engine.labels.raw_positions import RawPosition

_VERSION: Final = 2
_REMEDY: Final = "delete it to start again"
_CHUNK: Final = 1 << 20  # bytes read at once
_SAVE_INTERVAL: Final = 1.0  # seconds


@dataclass(slots=True)
class LabelProgress:
    """The progress of a run."""

    items: int = 0  # items of the input
    digest: str = ""  # hash of these items
    size: int = 0  # bytes of rows
    checksum: int = 0  # CRC-32 of these bytes
    good: int = 0
    bad: int = 0


class LabelMarks:
    """Counts and hashes the items that pass through."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()
        self.items = 0

    def passing(self, items: Iterator[RawPosition]) -> Iterator[RawPosition]:
        """The same items."""
        for item in items:
            self._sum.update(item if isinstance(item, bytes) else repr(item).encode())
            self.items += 1
            yield item

    @property
    def digest(self) -> str:
        """The digest of the items so far."""
        return self._sum.hexdigest()


class ResumableOutput:
    """The rows of an unfinished run; opened by `open_output`."""

    def __init__(self, file: BinaryIO, journal: Journal[LabelProgress]) -> None:
        self._file = file
        self._journal = journal
        self._saved = time.monotonic()
        self.done = journal.entries[-1] if journal.entries else LabelProgress()
        self.is_complete = False  # if set, the file gets its final name when it is closed

    def add(self, text: str, items: int, digest: str, good: int, bad: int) -> None:
        """Append rows; `items` is the number of finished items of the input."""
        data = text.encode("utf-8", "replace")
        self._file.write(data)
        done = self.done
        self.done = LabelProgress(
            items,
            digest,
            done.size + len(data),
            zlib.crc32(data, done.checksum),
            done.good + good,
            done.bad + bad,
        )
        if time.monotonic() - self._saved > _SAVE_INTERVAL:
            self.save()

    def save(self) -> None:
        """Write everything to the disk, the rows before their number."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._journal.add(asdict(self.done), self.done)
        self._saved = time.monotonic()


def unfinished(path: Path) -> tuple[Path, Path]:
    """The files of the rows of an unfinished run, and of its journal."""
    return path.with_name(f"{path.name}.part"), path.with_name(f"{path.name}.part.json")


@contextlib.contextmanager
def open_output(path: Path, settings: dict[str, Any]) -> Iterator[ResumableOutput]:
    """The store of the rows that become `path`, new or continued; raises FileError.

    A run is continued only with the same `settings`.
    """
    if exists(path) and not is_file(path):
        raise FileError(f"cannot write {quote_path(path)}: it is not a regular file")
    part, notes = unfinished(path)
    for needed in (path, part):
        check_writable(needed)
    journal = Journal(
        notes,
        {"version": _VERSION, "settings": settings},
        lambda entry, number: LabelProgress(**entry),
        _REMEDY,
        shown=part,
        cut_damage=True,
    )
    try:
        with sole_writer(part):
            if not exists(part):
                notes.unlink(missing_ok=True)  # the rows no longer exist
            with journal.open():
                if not (journal.entries and journal.entries[-1].items):
                    journal.clear()  # a file with only a header line starts again
                done = journal.entries[-1] if journal.entries else LabelProgress()
                with part.open("r+b" if done.size else "w+b") as file:
                    if _checksum(file, done.size) != done.checksum:
                        raise FileError(f"{quote_path(part)} is damaged; {_REMEDY}")
                    file.truncate(done.size)
                    file.seek(done.size)
                    store = ResumableOutput(file, journal)
                    try:
                        yield store
                    finally:
                        store.save()
                if store.is_complete:
                    move_into_place(part, path)
                    journal.is_done = True
    except OSError as problem:
        raise FileError(f"cannot write {quote_path(path)}: {problem.strerror or problem}") from None


def _checksum(file: BinaryIO, size: int) -> int:
    """The CRC-32 of the first bytes of a file."""
    found = 0
    while size and (chunk := file.read(min(size, _CHUNK))):
        found, size = zlib.crc32(chunk, found), size - len(chunk)
    return found
