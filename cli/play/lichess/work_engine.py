"""The engine of a provider: does one search after the other, and keeps its lines for the upload."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Final

from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.engine.limits import Info
from boomslang.engine.other_engines.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.other_engines.engine_lines import NO_EXACT_LINE
from boomslang.engine.other_engines.engine_process import EngineProcess
from boomslang.uci.formatting import info_line

_SPARE: Final = 60.0  # seconds beyond the time of a search after which the engine counts as dead
_ATTEMPTS: Final = 2  # at one search
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
        self.ended = False
        self.is_wanted = True
        self.best: Info | None = None  # the last line about the best move with an exact score
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

    def add(self, info: Info) -> None:
        """A line of thinking."""
        if info.multipv == 1 and not info.bound:
            self.best = info
        self._add(info_line(info))

    def end(self, line: str = NO_MOVE) -> None:
        """The `bestmove` line; nothing follows, and a second call does nothing."""
        if not self.ended:
            self.ended = True
            self._add(line)

    async def lines(self) -> AsyncIterator[bytes]:
        """Lines for the server as they come, up to `bestmove`; from the first at each call."""
        done = 0
        while not (self.ended and done == len(self._lines)):
            if done < len(self._lines):
                done += 1
                self.sent = self.ended and done == len(self._lines)
                yield f"{self._lines[done - 1]}\n".encode()
                continue
            self._news.clear()
            try:
                async with asyncio.timeout(KEEP_ALIVE_EVERY):
                    await self._news.wait()
            except TimeoutError:
                yield f"{KEEP_ALIVE}\n".encode()

    def summary(self) -> str:
        """What was found, for people; empty if there is nothing, or no move in the end."""
        if self.best is None or self._lines[-1] == NO_MOVE:
            return ""
        cp, mate = self.best.score.centipawns, self.best.score.mate
        score = f"score {(cp or 0) / 100:+.2f}" if mate is None else f"mate {mate}"
        result = f"depth {self.best.depth}, nodes {self.best.nodes}, {score}"
        return f"{result}, best move {self._lines[-1].split()[1]}"

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._news.set()


class WorkEngine:
    """Searches for the work; the process starts with the first search."""

    def __init__(self, command: EngineCommand, report: Callable[[str], None]) -> None:
        """`report` gets remarks for the user."""
        self._report = report
        usual = {"UCI_AnalyseMode": True}
        self._process = EngineProcess(command, usual, report=report, attempts=_ATTEMPTS)
        self._turn = asyncio.Lock()
        self._used = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last search; 0 during one, and without a process."""
        if self._process.pid is None or self._turn.locked():
            return 0.0
        return time.monotonic() - self._used

    async def search(self, request: WorkRequest, analysis: WorkAnalysis) -> None:
        """Search, and add the lines to the analysis up to `bestmove`, or until it is stopped.

        A search whose engine fails is done once more. Raises EngineProcessError.
        """
        async with self._turn:
            if not analysis.is_wanted:
                return
            try:
                move = await self._process.search(
                    request.board,
                    request.limits,
                    analysis.add,
                    options={"Threads": request.threads, "Hash": request.hash_mb},
                    game=request.session,
                    timeout=(request.limits.movetime or 0) / 1000 + _SPARE,
                    stop=analysis.stopping,
                    on_remark=lambda text: text and self._report(text),
                )
                analysis.end(f"bestmove {move.uci() if move else '(none)'}")
                if move and not (analysis.best or analysis.stopping.is_set()):
                    raise EngineProcessError(NO_EXACT_LINE)
            finally:
                self._used = time.monotonic()

    async def close(self) -> None:
        """End the process."""
        await self._process.kill()
