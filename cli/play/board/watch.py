"""What a page wants to see of an analysis, and how the engine is set for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from boomslang.cli.play.board.page_messages import MAX_LINES, Message
from boomslang.core.system.threads import usable_processors
from boomslang.engine.limits import Limits

_MAX_HASH_MB: Final = 16_384
_MAX_THREADS: Final = usable_processors()
_MAX_DEPTH: Final = 120
_MAX_RATING: Final = 2600


@dataclass(frozen=True, slots=True)
class Watch:
    """What is None is left to the engine; without a depth it searches endlessly."""

    lines: int = 1
    classical: bool = False
    threads: int | None = None
    hash_mb: int | None = None
    depth: int | None = None
    people: int | None = None  # rating of those whose moves are shown

    @classmethod
    def read(cls, message: Message) -> Watch:
        """From a message of the page. Raises MessageError."""

        def whole(name: str, highest: int) -> int | None:
            value: int | None = message.optional(name, lambda name: message.whole(name, 1, highest))
            return value

        return cls(
            message.whole("lines", 1, MAX_LINES),
            message.flag("classical"),
            whole("threads", _MAX_THREADS),
            whole("hash", _MAX_HASH_MB),
            whole("depth", _MAX_DEPTH),
            whole("people", _MAX_RATING),
        )

    def options(self) -> dict[str, Any]:
        """The options of the engine."""
        chosen = {"Threads": self.threads, "Hash": self.hash_mb}
        evaluation = {"Evaluation": "classical" if self.classical else "network"}
        return evaluation | {name: value for name, value in chosen.items() if value}

    def limits(self) -> Limits:
        """The limits of the search."""
        return Limits(depth=self.depth, infinite=not self.depth, multipv=self.lines)
