"""The user's file of exercises and of what else is repeated like them.

It is read whole and replaced whole, so that a kill leaves the old or the new one. It has a list for each kind
of entry; a change of one list leaves the others as they are written, also those of a later version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from boomslang.core.system.files import (
    FileError,
    cannot,
    exists,
    quote_path,
    read_text,
    sole_writer,
    user_file,
    write_whole,
)
from boomslang.core.system.sanitize import quote
from boomslang.engine.analysis.exercises.exercise import EXERCISES, REPERTOIRE, Exercise
from boomslang.engine.analysis.exercises.repetition import Repetition

FORMAT: Final = 1  # counts up when the meaning of a name changes
_MAX_BYTES: Final = 1 << 28  # bytes
_WRITE_TIMEOUT: Final = 0.5  # seconds for another process to write
T = TypeVar("T", bound=Repetition)
R = TypeVar("R")


class RepetitionFile(Generic[T]):
    """Some lists of the file, by default of the user's own; a missing file or list is empty."""

    sections: tuple[str, ...]  # the names of the lists
    entry: type[T]

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_file("exercises.json")

    def read(self) -> list[T]:
        """All entries in the order in which they were added; raises FileError."""
        return self._entries(self._data())

    def change(self, change: Callable[[list[T]], R]) -> R:
        """Read, change in place and write the lists as one step among processes.

        Returns what `change` returns. Raises FileError, also if another process keeps writing.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise cannot("write", self.path, problem) from None
        with sole_writer(self.path, keep_lock=True, patience=_WRITE_TIMEOUT):
            data = self._data()
            entries = self._entries(data)
            result = change(entries)
            for section in self.sections:
                data[section] = [one.to_json() for one in entries if one.section == section]
            write_whole(self.path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        return result

    def update(self, name: str, change: Callable[[T], None]) -> None:
        """Change one entry, if it is still there. Raises FileError."""

        def all_of_them(entries: list[T]) -> None:
            for entry in entries:
                if entry.name == name:
                    change(entry)

        self.change(all_of_them)

    def _data(self) -> dict[str, Any]:
        """The whole file; raises FileError."""
        if not exists(self.path):
            return {"format": FORMAT, EXERCISES: []}
        text = read_text(self.path, _MAX_BYTES)
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise ValueError("another format")
            if not isinstance(data[EXERCISES], list):
                raise ValueError("no exercises")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._damage_error("") from None
        return dict(data)

    def _entries(self, data: Mapping[str, Any]) -> list[T]:
        entries = []
        for section in self.sections:
            kept_entries = data.get(section, [])
            if not isinstance(kept_entries, list):
                raise self._damage_error(f": {section}")
            entries += [
                self._entry(section, number, one)
                for number, one in enumerate(kept_entries, start=1)
            ]
        return entries

    def _entry(self, section: str, number: int, kept: Any) -> T:
        """An entry of a list; raises FileError with its number."""
        try:
            return self.entry.from_json(kept)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            what = f"{section.removesuffix('s')} {number}"
            raise self._damage_error(f": {what}, {quote(str(problem))}") from None

    def _damage_error(self, where: str) -> FileError:
        return FileError(
            f"{quote_path(self.path)} is not a file of exercises, or damaged{where}; rename it to begin anew"
        )


class ExerciseFile(RepetitionFile[Exercise]):
    """The exercises in a file, by default the user's own; a missing file has none."""

    sections = (EXERCISES, REPERTOIRE)
    entry = Exercise

    def add(self, new: Iterable[Exercise]) -> int:
        """Add exercises whose positions are not there yet; returns their number. Raises FileError.

        Of a position of the repertoire that is there the moves are exchanged, of others `found`.
        """

        def change(exercises: list[Exercise]) -> int:
            by_name = {exercise.name: exercise for exercise in exercises}
            before = len(exercises)
            for exercise in new:
                if exercise.name not in by_name:
                    by_name[exercise.name] = exercise
                    exercises.append(exercise)
                elif exercise.is_repertoire:
                    by_name[exercise.name].take_moves(exercise)
                elif exercise.found is not None:
                    by_name[exercise.name].found = exercise.found
            return len(exercises) - before

        return self.change(change)

    def remove(self, is_gone: Callable[[Exercise], bool]) -> None:
        """Remove exercises. Raises FileError."""

        def change(exercises: list[Exercise]) -> None:
            exercises[:] = [one for one in exercises if not is_gone(one)]

        self.change(change)
