"""What an unfinished analysis has found so far, kept so that nothing but a broken disk loses it.

A line of JSON for each position, on the disk before the next is looked at. What was half-written when
the process was killed is cut off at the next start. The keys are hashes of everything that a result
depends on, so a journal of other settings, of another engine or of another file does no harm.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from boomslang.cli.analysis.position import Evaluation
from boomslang.engine.core.system.files import sole_writer

_HEADER: Final = b'{"boomslang": "journal of an analysis", "version": 1}\n'


class JournalError(Exception):
    """A file of that name exists, and is something else."""


class AnalysisJournal:
    """The results so far, by key; open it with `opened`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.results: dict[str, Evaluation] = {}
        self.is_done = False  # set it, and the file goes when it is closed
        self._read()

    def add(self, key: str, evaluation: Evaluation) -> None:
        """Keep one more result; it is on the disk when this returns. Raises OSError."""
        line = json.dumps({"key": key, **evaluation.to_json()}, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._sync()
        self.results[key] = evaluation

    def _read(self) -> None:
        """Take over what is whole, and cut off the rest. Raises JournalError."""
        end = self._file.seek(0, os.SEEK_END)
        self._file.seek(0)
        header = self._file.read(len(_HEADER))
        if header != _HEADER[: len(header)]:
            raise JournalError
        if len(header) < len(_HEADER):
            self._file.seek(0)
            self._file.write(_HEADER)
            self._file.truncate()
            self._sync()
            return
        whole = len(_HEADER)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            try:
                kept = json.loads(line)
                self.results[str(kept["key"])] = Evaluation.from_json(kept)
            except (KeyError, TypeError, ValueError):
                break
            whole += len(line)
        if whole < end:
            self._file.truncate(whole)
            self._sync()
        self._file.seek(whole)

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())


@contextlib.contextmanager
def opened(path: Path) -> Iterator[AnalysisJournal]:
    """The journal at `path`, new or continued; raises OSError, JournalError and FileError.

    The folder is made if there is none. FileError: another process is writing to it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with sole_writer(path):
        with path.open("r+b" if path.exists() else "w+b") as file:
            journal = AnalysisJournal(file)
            yield journal
        if journal.is_done:
            path.unlink()
