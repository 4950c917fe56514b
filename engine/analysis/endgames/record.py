"""The user's results by kind of ending, beside the exercises in their file, and the next kind to practise."""

from __future__ import annotations

import datetime
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from boomslang.engine.analysis.endgames.kinds import BY_NAME, EndingKind
from boomslang.engine.analysis.exercises.exercise_store import RepetitionFile
from boomslang.engine.analysis.exercises.repetition import Repetition
from boomslang.engine.notation.positions import board_of

_ENDINGS: Final = "endings"


@dataclass(slots=True)
class EndingRecord(Repetition):
    """The results with one kind; a kind that was failed comes again, first with the same position."""

    kind: str
    fen: str = ""  # the position that was failed last; empty: a new one comes

    @property
    def name(self) -> str:
        """The name of the kind."""
        return self.kind

    @property
    def section(self) -> str:
        """The list in which it is kept."""
        return _ENDINGS

    def when(self, today: datetime.date) -> str:
        """When the kind comes again: new, now, a date, or done."""
        if not self.right + self.wrong:
            return "new"
        return "now" if self.is_due(today) else str(self.due or "done")

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> EndingRecord:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""
        record = cls(kind=str(kept["kind"]), fen=str(kept["fen"]), **cls.read_schedule(kept))
        if record.fen:
            board_of(record.fen)
        return record


class EndingFile(RepetitionFile[EndingRecord]):
    """The records in a file, by default that of the user's exercises."""

    sections = (_ENDINGS,)
    entry = EndingRecord

    def results(self, kinds: Iterable[EndingKind]) -> list[tuple[EndingKind, EndingRecord]]:
        """These kinds with the user's results, also those that are new. Raises FileError."""
        records = {record.kind: record for record in self.read()}
        return [(kind, records.get(kind.name) or EndingRecord(kind.name)) for kind in kinds]

    def record(self, kind: EndingKind, fen: str, is_right: bool, today: datetime.date) -> None:
        """Keep the result of an ending that began with this position; raises FileError."""

        def change(records: list[EndingRecord]) -> None:
            entry = next((one for one in records if one.kind == kind.name), None)
            if entry is None:
                entry = EndingRecord(kind.name)
                records.append(entry)
            entry.record_answer(is_right, today)
            entry.fen = "" if is_right else fen

        self.change(change)


def next_ending(
    records: Sequence[EndingRecord],
    kinds: Sequence[EndingKind],
    skipped: Collection[str],
    today: datetime.date,
) -> tuple[EndingKind, str]:
    """The kind to practise, and the FEN to begin with or an empty one.

    That which has been due longest, else the first that was never practised, else one by chance. What was
    `skipped` comes last.
    """
    kinds = [kind for kind in kinds if kind.name not in skipped] or kinds
    names = {kind.name for kind in kinds}
    practised = {record.kind for record in records}
    due = [one for one in records if one.kind in names and one.due and one.due <= today]
    if due:
        oldest = min(due, key=lambda record: record.due or today)
        return BY_NAME[oldest.kind], oldest.fen
    new = (kind for kind in kinds if kind.name not in practised)
    return next(new, None) or random.choice(kinds), ""  # noqa: S311 - the kind
