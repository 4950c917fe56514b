"""When something that was answered comes again."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

# Days until something wrong comes again, then after each right answer; a mistake is done after four.
INTERVALS: Final = (1, 3, 7, 21, 60, 180)
_DONE: Final = 4
_MAX_ANSWERS: Final = 1_000_000_000


@dataclass(slots=True, kw_only=True)
class Repetition:
    """What was answered, and when it comes again."""

    step: int | None = None  # index in INTERVALS; None: new, or finished
    due: datetime.date | None = None  # None: new, or finished
    right: int = 0  # answers
    wrong: int = 0

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is found by in its list."""

    @property
    @abstractmethod
    def section(self) -> str:
        """The list in which it is kept."""

    @property
    def is_kept_in_mind(self) -> bool:
        """True if it is never done: right answers only make the intervals longer."""
        return False

    @property
    def is_finished(self) -> bool:
        """True if it was answered and does not come again."""
        return self.due is None and self.right + self.wrong > 0 and not self.is_kept_in_mind

    def is_due(self, today: datetime.date) -> bool:
        """True if it is to be solved: a new one, or one whose day has come."""
        return not self.is_finished and (self.due is None or self.due <= today)

    def record_answer(self, is_right: bool, today: datetime.date) -> None:
        """Note an answer. A wrong one starts the intervals anew, a right one at once finishes a mistake."""
        self.right += is_right
        self.wrong += not is_right
        step = 0
        if is_right and self.is_kept_in_mind:
            step = min((self.step or 0) + 1, len(INTERVALS) - 1)
        elif is_right:
            step = _DONE if self.step is None else self.step + 1
            if step >= _DONE:
                self.step = self.due = None
                return
        self.step, self.due = step, today + datetime.timedelta(days=INTERVALS[step])

    def to_json(self) -> dict[str, Any]:
        """The form in which it is stored."""
        return {**asdict(self), "due": self.due.isoformat() if self.due else None}

    @classmethod
    @abstractmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """The reverse of `to_json`; raises KeyError, TypeError or ValueError for anything else."""

    @staticmethod
    def read_schedule(kept: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of this class from their stored form; raises as `from_json`."""
        due, step, right, wrong = (kept[name] for name in ("due", "step", "right", "wrong"))
        step, right, wrong = None if step is None else int(step), int(right), int(wrong)
        if step is not None and not 0 <= step < len(INTERVALS):
            raise ValueError(f"step {step}: not from 0 to {len(INTERVALS) - 1}")
        if (step is None) != (due is None):
            raise ValueError("step and due: one without the other")
        if not (0 <= right <= _MAX_ANSWERS and 0 <= wrong <= _MAX_ANSWERS):
            raise ValueError(f"right and wrong: not from 0 to {_MAX_ANSWERS}")
        day = None if due is None else datetime.date.fromisoformat(due)
        return {"step": step, "due": day, "right": right, "wrong": wrong}
