"""What the loop of CECP puts into the queue of a session."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Command:
    """A line: its first word, the whole line, the other words, and its arrival (time.monotonic)."""

    word: str
    line: bytes
    words: list[str]
    whole: bool
    started: float

    @property
    def rest(self) -> str:
        """The raw rest after the first word."""
        return self.text.partition(self.word)[2].strip()

    @property
    def text(self) -> str:
        """The whole line."""
        return self.line.decode("utf-8", "replace").strip()


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """The input has ended; the session sets `done` when all pending answers are given.

    `at_once`: a search in progress is to end now.
    """

    at_once: bool
    done: threading.Event


Message: TypeAlias = Command | EndOfInput | Callable[[], None]
