"""The engines of a page, or of many pages: those of many are as few, whatever the pages are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import chess

from boomslang.cli.play.board.helper import Helper
from boomslang.cli.play.board.outbox import as_sentence
from boomslang.cli.play.board.watch import Watch
from boomslang.engine.limits import Limits
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import EngineProcess, own_engine
from boomslang.engine.other_engines.engine_runner import KnownEngine

ATTEMPTS: Final = 3  # at one search, until the engine is given up
_HASH_MB: Final = 32
_MAX_QUICK_LEVEL: Final = 1600  # Elo; up to it an answer takes a fraction of a second
_MAX_ANALYSIS: Final = 5000  # milliseconds at one position, so that other pages come to their turn


class EngineQueue(EngineProcess):
    """An engine that searches for one page after another, in the order in which they ask."""

    def __init__(
        self, command: EngineCommand, tables: str, analyses: bool, report: Callable[[str], None]
    ) -> None:
        usual = {"Hash": _HASH_MB, "UCI_ShowWDL": True, "UCI_AnalyseMode": analyses}
        tables_option = {"SyzygyPath": tables} if tables else {}
        super().__init__(command, usual | tables_option, report=report, attempts=ATTEMPTS)
        self._turn = asyncio.Lock()

    async def search(self, *arguments: Any, **named: Any) -> chess.Move | None:
        """As for one page; the waiting for its turn does not count as its time. Raises EngineProcessError."""
        async with self._turn:
            return await super().search(*arguments, **named)


class BoardEngines:
    """Opponent, analyst and drawer of search trees; nothing starts before its first search.

    Where pages share them quick levels have a process, so that no strong move and no analysis keeps them
    waiting.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        tables: str = "",
        analyst: KnownEngine | None = None,
        is_shared: bool = False,
    ) -> None:
        """`say` gets remarks for the pages; `tables` are folders; `analyst` is another engine."""
        self.is_shared = is_shared
        self.name = analyst.name if analyst else ""  # of the analyst, if it is another engine

        def report(name: str, text: str) -> None:
            say(as_sentence(f"{name}: {text}" if name else text))

        play = partial(EngineQueue, own_engine(), tables, False, partial(report, ""))
        self.strong = play()
        self._quick = play() if is_shared else self.strong
        command = analyst.command if analyst else own_engine()
        self.analyst = EngineQueue(command, tables, True, partial(report, self.name))
        self.drawing = Helper(ends_with_call=True)

    def opponent(self, level: int | None) -> EngineQueue:
        """The engine that plays at this level, an Elo; None is full strength."""
        return self._quick if level and level <= _MAX_QUICK_LEVEL else self.strong

    def analysis(self, watch: Watch) -> tuple[Limits, dict[str, Any]]:
        """Limits and options. Shared engines are as large as they are, and each page has its turn."""
        limits = watch.limits()
        if self.is_shared:
            watch = replace(watch, threads=None, hash_mb=None)
            limits = replace(limits, infinite=False, movetime=_MAX_ANALYSIS)
        return limits, watch.options()

    async def leave(self) -> None:
        """A page does not need them any more; others may."""
        if not self.is_shared:
            await self.close()

    async def close(self) -> None:
        """End the processes."""
        engines = (self._quick, self.strong, self.analyst, self.drawing)
        await asyncio.gather(*(engine.close() for engine in engines))
