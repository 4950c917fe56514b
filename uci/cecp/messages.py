"""What the session receives: lines of the GUI, and answers of its own searches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from boomslang.engine.core.system.text import harmless


@dataclass(frozen=True, slots=True)
class Command:
    """A line: its first word, all of it, the other words, and when it came (time.monotonic)."""

    word: str
    line: bytes
    words: list[str]
    whole: bool
    started: float

    @property
    def rest(self) -> str:
        """All after the first word, as it came."""
        return self.text.partition(self.word)[2].strip()

    @property
    def text(self) -> str:
        """The whole line."""
        return self.line.decode("utf-8", "replace").strip()

    @property
    def shown(self) -> str:
        """The line, fit for being repeated in an answer."""
        return harmless(self.text)


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """No line of the GUI comes any more; `done` is to be set when the answers that are due are given.

    `at_once`: whatever we think about, the move is wanted now.
    """

    at_once: bool
    done: threading.Event


Message: TypeAlias = Command | EndOfInput | Callable[[], None]
