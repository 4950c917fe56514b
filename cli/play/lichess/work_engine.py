"""The engine of a provider: does one search after the other, and writes its lines as UCI does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import chess

from boomslang.cli.play.lichess.analysis import WorkAnalysis
from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.engine.limits import Info
from boomslang.engine.other_engines.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.other_engines.engine_process import EngineProcess

_SPARE: Final = 60.0  # seconds beyond the time of a search after which the engine counts as dead
_ATTEMPTS: Final = 2  # at one search


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

        def remark(text: str) -> None:
            if text:
                self._report(text)

        async with self._turn:
            if not analysis.is_wanted:
                return
            try:
                move = await self._process.search(
                    request.board(),
                    request.limits,
                    lambda info: analysis.add(uci_line(info)),
                    options={"Threads": request.threads, "Hash": request.hash_mb},
                    game=request.session,
                    timeout=request.movetime / 1000 + _SPARE,
                    stop=analysis.stopping,
                    on_remark=remark,
                )
                analysis.end(f"bestmove {move.uci() if move else '(none)'}")
                if move and not (analysis.best or analysis.stopping.is_set()):
                    raise EngineProcessError("the engine has given no line with a score")
            finally:
                self._used = time.monotonic()

    async def close(self) -> None:
        """End the process."""
        await self._process.kill()


def uci_line(info: Info) -> str:
    """The line of UCI, without what the engine has not said."""
    mate = info.score.mate
    score = f"cp {info.score.centipawns}" if mate is None else f"mate {mate}"
    words = [f"info depth {info.depth}"]
    if info.seldepth:
        words.append(f"seldepth {info.seldepth}")
    words += [f"multipv {info.multipv} score {score}", *([info.bound] if info.bound else [])]
    words.append(f"nodes {info.nodes}")
    said = {"nps": info.nps, "hashfull": info.hashfull, "tbhits": info.tbhits}
    words += [f"{name} {value}" for name, value in said.items() if value]
    return " ".join([*words, f"time {info.time} pv", *map(chess.Move.uci, info.pv)])
