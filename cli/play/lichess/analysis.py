"""The lines of one search, between the engine that writes them and the upload that sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Final

NO_MOVE: Final = "bestmove (none)"
# The work server closes a connection that is silent for a minute, and passes this line on.
KEEP_ALIVE: Final = '{"keepalive":true}'
KEEP_ALIVE_EVERY: Final = 15.0  # seconds without a line


class WorkAnalysis:
    """One search from work to answer. Made and used within a running event loop.

    `stop` asks for the end of the search; `end` adds the last line, `bestmove`.
    """

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        self.ended = asyncio.Event()
        self.is_wanted = True
        self.best = ""  # the last line about the best move
        self.sent = False  # the last line is on its way
        self._lines: list[str] = []
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
            self.ended.set()
            self._add(line)

    async def lines(self) -> AsyncIterator[bytes]:
        """Lines for the server as they come, up to `bestmove`; from the first at each call."""
        done = 0
        while not (self.ended.is_set() and done == len(self._lines)):
            if done < len(self._lines):
                done += 1
                self.sent = self.ended.is_set() and done == len(self._lines)
                yield f"{self._lines[done - 1]}\n".encode()
                continue
            self._news.clear()
            try:
                async with asyncio.timeout(KEEP_ALIVE_EVERY):
                    await self._news.wait()
            except TimeoutError:
                yield f"{KEEP_ALIVE}\n".encode()

    def summary(self) -> str:
        """What was found, for people."""
        words = self.best.split()
        value_of = dict(pairwise(words))
        found = [f"{name} {value_of[name]}" for name in ("depth", "nodes") if name in words]
        if "mate" in words:
            found.append(f"mate {value_of['mate']}")
        elif "cp" in words:
            found.append(f"score {int(value_of['cp']) / 100:+.2f}")
        return ", ".join([*found, f"best move {self._lines[-1].split()[1]}"])

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._news.set()
