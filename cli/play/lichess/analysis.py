"""The lines of one search, between the engine that writes them and the upload that sends them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

NO_MOVE: Final = "bestmove (none)"
# The work server closes a connection that is silent for a minute, and passes this line on.
KEEP_ALIVE: Final = '{"keepalive":true}'
KEEP_ALIVE_EVERY: Final = 15.0  # seconds without a line
_MAX_KEPT: Final = 200  # lines; if the server reads more slowly, it misses older ones


class WorkAnalysis:
    """One search from work to answer. Made and used within a running event loop.

    `stop` asks for the end of the search; `end` adds the last line, `bestmove`.
    """

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        self.ended = asyncio.Event()
        self.is_wanted = True
        self.best = ""  # the last line about the best move
        self.move = ""  # the answer
        self.sent = False  # the last line is on its way
        self.on_end: Callable[[], None] = lambda: None
        self._kept: deque[str] = deque(maxlen=_MAX_KEPT)
        self._written = 0
        self._news = asyncio.Event()

    def stop(self) -> None:
        """Let the search end soon."""
        self.stopping.set()

    def abandon(self) -> None:
        """Nobody waits for the answer any more."""
        self.is_wanted = False
        self.stop()

    def add(self, line: str) -> None:
        """A line of thinking."""
        if " multipv 1 " in line or " multipv " not in line:
            self.best = line
        self._add(line)

    def end(self, line: str = NO_MOVE) -> None:
        """The `bestmove` line; nothing follows, and a second call does nothing."""
        if not self.ended.is_set():
            self.move = line.split()[1]
            self._add(line)
            self.ended.set()
            self.on_end()

    async def lines(self) -> AsyncIterator[bytes]:
        """Lines for the server as they come, from the oldest kept to `bestmove`; anew at each call."""
        self.sent = False
        done = self._written - len(self._kept)
        while True:
            while done < self._written:
                done = max(done, self._written - len(self._kept))
                line = self._kept[done - self._written]
                done += 1
                self.sent = self.ended.is_set() and done == self._written
                yield f"{line}\n".encode()
            if self.ended.is_set():
                return
            self._news.clear()
            try:
                async with asyncio.timeout(KEEP_ALIVE_EVERY):
                    await self._news.wait()
            except TimeoutError:
                yield f"{KEEP_ALIVE}\n".encode()

    def summary(self) -> str:
        """What was found, for people."""
        words = self.best.split()
        found = [f"{name} {_after(words, name)}" for name in ("depth", "nodes") if name in words]
        if "score" in words:
            kind, value = words[words.index("score") + 1 :][:2]
            found.append(f"mate {value}" if kind == "mate" else f"score {int(value) / 100:+.2f}")
        return ", ".join([*found, f"best move {self.move or '(none)'}"])

    def _add(self, line: str) -> None:
        self._kept.append(line)
        self._written += 1
        self._news.set()


def _after(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]
