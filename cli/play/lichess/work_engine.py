"""The engine of a provider: does one search after the other, and writes its lines as UCI does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import chess
from chess.engine import InfoDict

from boomslang.cli.play.lichess.analysis import WorkAnalysis
from boomslang.cli.play.lichess.work import WorkRequest
from boomslang.engine.jobs.engine_connection import EngineCommand, EngineProcessError
from boomslang.engine.jobs.engine_process import EngineProcess

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

        def record(info: InfoDict) -> None:
            if remark := info.get("string"):
                self._report(remark)
            elif line := uci_line(info):
                analysis.add(line)

        async with self._turn:
            if not analysis.is_wanted:
                return
            try:
                move = await self._process.search(
                    request.board(),
                    request.limit,
                    record,
                    lines=request.lines,
                    options={"Threads": request.threads, "Hash": request.hash_mb},
                    game=request.session,
                    timeout=request.movetime / 1000 + _SPARE,
                    stop=analysis.stopping,
                )
                analysis.end(f"bestmove {move.uci() if move else '(none)'}")
                if move and not (analysis.best or analysis.stopping.is_set()):
                    raise EngineProcessError("the engine has given no line with a score")
            finally:
                self._used = time.monotonic()

    async def close(self) -> None:
        """End the process."""
        await self._process.kill()


def uci_line(info: InfoDict) -> str:
    """The line of UCI with a score and a variation; empty if the engine has said something else."""
    score, moves = info.get("score"), info.get("pv")
    if score is None or not moves:
        return ""
    mate = score.relative.mate()
    words = ["info"]
    for name, value in (
        ("depth", info.get("depth", 0)),
        ("seldepth", info.get("seldepth")),
        ("multipv", info.get("multipv", 1)),
        ("score", f"cp {score.relative.score()}" if mate is None else f"mate {mate}"),
        ("lowerbound", "" if info.get("lowerbound") else None),
        ("upperbound", "" if info.get("upperbound") else None),
        ("nodes", info.get("nodes", 0)),
        ("nps", info.get("nps")),
        ("hashfull", info.get("hashfull")),
        ("tbhits", info.get("tbhits")),
        ("time", round(1000 * info.get("time", 0))),
        ("pv", " ".join(map(chess.Move.uci, moves))),
    ):
        words += [] if value is None else [name, str(value)]
    return " ".join(word for word in words if word)
