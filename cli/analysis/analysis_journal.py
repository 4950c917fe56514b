"""The journal of an unfinished analysis, from which the same command resumes.

The keys are hashes of everything that a result depends on, so a journal of other settings, of another
engine or of another file does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from boomslang.cli.analysis.search_position import Evaluation
from boomslang.cli.analysis.segment import Evaluations
from boomslang.engine.system.journal import Journal

_HEADER: Final = {"boomslang": "journal of an analysis", "version": 1}
_Found = tuple[str, Evaluations]  # a key, and the result


class AnalysisJournal:
    """The results so far, by key; opened by `open_journal`."""

    def __init__(self, journal: Journal[_Found]) -> None:
        self._journal = journal
        self.results = dict(journal.entries)

    def add(self, key: str, found: Evaluations) -> None:
        """Add a result; it is on the disk when this returns. Raises FileError."""
        content = [evaluation.to_json() for evaluation in found]
        self._journal.add({"key": key, "positions": content}, (key, found))
        self.results[key] = found

    def remove(self) -> None:
        """Delete the file when it is closed, since the results have been written elsewhere."""
        self._journal.is_done = True


@contextmanager
def open_journal(path: Path) -> Iterator[AnalysisJournal]:
    """The journal at `path`, new or continued; raises OSError, and what `Journal.open` raises.

    A missing folder is created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    foreign = f"{path} exists and is not a journal of this command; choose another --out"
    journal = Journal(path, _HEADER, _read_found, lambda _: foreign, cut_damage=True)
    with journal.open():
        yield AnalysisJournal(journal)


def _read_found(entry: Any, number: int) -> _Found:
    found = tuple(map(Evaluation.from_json, entry["positions"]))
    if not found:
        raise ValueError("a result without a position")
    return str(entry["key"]), found
