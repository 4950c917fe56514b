"""Messages to a page: only the newest of each kind, so that a slow page cannot pile them up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias

Message: TypeAlias = dict[str, Any]

_MAX_WORDS: Final = 20  # maximum number of unsent remarks; older ones are dropped


class Outbox:
    """Filled by a session, emptied by the connection of its page."""

    def __init__(self) -> None:
        self._newest: dict[str, Callable[[], Message]] = {}
        self._words: deque[Message] = deque(maxlen=_MAX_WORDS)
        self._filled = asyncio.Event()

    def put(self, kind: str, make: Callable[[], Message]) -> None:
        """Send the state of a kind; `make` is called when it is sent, unless a newer one replaces it."""
        self._newest.pop(kind, None)  # what comes last is sent last
        self._newest[kind] = make
        self._filled.set()

    def say(self, text: str, kind: str = "word") -> None:
        """Send a remark to the user; with the kind "error" for a refused request."""
        self._words.append({"is": kind, "text": text})
        self._filled.set()

    async def take(self) -> list[Message]:
        """Wait for messages, and return all of them."""
        await self._filled.wait()
        self._filled.clear()
        newest, self._newest = self._newest, {}
        words = list(self._words)
        self._words.clear()
        return [{"is": kind, **make()} for kind, make in newest.items()] + words


def as_sentence(text: str) -> str:
    """The text of a problem as a remark."""
    return f"{text[:1].upper()}{text[1:]}."
