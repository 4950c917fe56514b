"""Exercises asked one after the other, for any face: the terminal, or the board in a browser."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from boomslang.engine.analysis.exercises.exercise import Exercise
from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile


class ExerciseSession:
    """Which exercise is asked. Its first answer counts, and is on the disk when `record` returns."""

    def __init__(
        self, file: ExerciseFile, today: Callable[[], datetime.date] = datetime.date.today
    ) -> None:
        self._file = file
        self._today = today
        self._skipped: set[str] = set()
        self.exercise: Exercise | None = None  # that which is asked
        self.is_answered = False
        self.all: Sequence[Exercise] = ()  # of the file, as it was read last
        self.left = 0  # how many of them are due
        self.right = 0  # answers
        self.wrong = 0

    def due(self) -> list[Exercise]:
        """The exercises that are to be solved now, the trivial and hopeless last. Raises FileError."""
        self.all, today = self._file.read(), self._today()
        due = sorted((one for one in self.all if one.is_due(today)), key=lambda one: one.oddness)
        self.left = len(due)
        return due

    def next(self) -> Exercise | None:
        """The exercise to ask, one that was skipped only after the others; None if nothing is due.

        Raises FileError.
        """
        due = self.due()
        if self.exercise and not self.is_answered:
            self._skipped.add(self.exercise.name)
        fresh = [exercise for exercise in due if exercise.name not in self._skipped]
        if not fresh:
            self._skipped.clear()
        self.leave()
        self.exercise = next(iter(fresh or due), None)
        return self.exercise

    def record(self, is_right: bool) -> None:
        """Keep an answer, if it is the first. Raises FileError."""
        exercise, today = self.exercise, self._today()
        if not exercise or self.is_answered:
            return
        self._file.update(exercise.name, lambda kept: kept.record_answer(is_right, today))
        exercise.record_answer(is_right, today)
        self.is_answered = True
        self.right += is_right
        self.wrong += not is_right

    def leave(self) -> None:
        """Ask nothing; an exercise without an answer will be asked again."""
        self.exercise, self.is_answered = None, False
