"""The result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OK: Final = "ok"
NOTE: Final = "note"  # works, but could be better
BAD: Final = "BAD"  # does not work


@dataclass(frozen=True, slots=True)
class Finding:
    """A line for the user, and one with the remedy (empty if none is needed)."""

    verdict: str  # OK, NOTE or BAD
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict:5} {self.text}"
        return f"{line}\n      -> {self.remedy}" if self.remedy else line
