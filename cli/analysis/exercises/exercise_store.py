"""The user's file of exercises: read whole, replaced whole, so that a kill leaves the old or the new one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

from boomslang.cli.analysis.exercises.exercise import Exercise
from boomslang.engine.system.files import (
    FileError,
    cannot,
    exists,
    quote_path,
    read_text,
    sole_writer,
    user_file,
    write_whole,
)
from boomslang.engine.system.sanitize import quote

FORMAT: Final = 1  # counts up when the meaning of a name changes
_MAX_BYTES: Final = 1 << 28  # bytes
R = TypeVar("R")


class ExerciseFile:
    """The exercises in a file, by default the user's own; a missing file has none."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or user_file("exercises.json")

    def read(self) -> list[Exercise]:
        """All exercises in the order in which they were added; raises FileError."""
        if not exists(self.path):
            return []
        text = read_text(self.path, _MAX_BYTES)
        try:
            data = json.loads(text)
            if data["format"] != FORMAT:
                raise ValueError("another format")
            entries = list(data["exercises"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._damage_error("") from None
        return [self._exercise(number, kept) for number, kept in enumerate(entries, start=1)]

    def _exercise(self, number: int, kept: Any) -> Exercise:
        """The exercise of an entry; raises FileError with its number."""
        try:
            return Exercise.from_json(kept)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            raise self._damage_error(f": exercise {number}, {quote(str(problem))}") from None

    def _damage_error(self, where: str) -> FileError:
        return FileError(
            f"{quote_path(self.path)} is not a file of exercises, or damaged{where}; rename it to begin anew"
        )

    def change(self, change: Callable[[list[Exercise]], R]) -> R:
        """Read, change in place and write the exercises as one step among processes.

        Returns what `change` returns. Raises FileError, also if another process is writing.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise cannot("write", self.path, problem) from None
        with sole_writer(self.path, keep_lock=True):
            exercises = self.read()
            result = change(exercises)
            data = {"format": FORMAT, "exercises": [exercise.to_json() for exercise in exercises]}
            write_whole(self.path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        return result

    def add(self, new: Iterable[Exercise]) -> int:
        """Add exercises whose positions are not there yet; returns their number. Raises FileError."""

        def change(exercises: list[Exercise]) -> int:
            known = {exercise.name for exercise in exercises}
            before = len(exercises)
            for exercise in new:
                if exercise.name not in known:
                    known.add(exercise.name)
                    exercises.append(exercise)
            return len(exercises) - before

        return self.change(change)

    def update(self, name: str, change: Callable[[Exercise], None]) -> None:
        """Change one exercise, if it is still there. Raises FileError."""

        def all_of_them(exercises: list[Exercise]) -> None:
            for exercise in exercises:
                if exercise.name == name:
                    change(exercise)

        self.change(all_of_them)
