"""The engines of many pages: three processes at most, and one for search trees, whatever the pages are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import chess

from boomslang.cli.play.board.helper import Helper
from boomslang.engine.limits import Limits
from boomslang.engine.other_engines.engine_connection import EngineCommand
from boomslang.engine.other_engines.engine_process import EngineProcess, own_engine

ATTEMPTS: Final = 3  # at one search, until the engine is given up
_HASH_MB: Final = 32
_MAX_QUICK_LEVEL: Final = 1600  # Elo; up to it an answer takes a fraction of a second
_MAX_ANALYSIS: Final = 5000  # milliseconds at one position, so that the others come to their turn


class EngineQueue(EngineProcess):
    """An engine that searches for one page after another, in the order in which they ask."""

    def __init__(
        self, command: EngineCommand, usual: Mapping[str, Any], report: Callable[[str], None]
    ) -> None:
        super().__init__(command, usual, report=report, attempts=ATTEMPTS)
        self._turn = asyncio.Lock()

    async def search(self, *arguments: Any, **named: Any) -> chess.Move | None:
        """As for one page; the waiting for its turn does not count as its time. Raises EngineProcessError."""
        async with self._turn:
            return await super().search(*arguments, **named)


class SharedEngines:
    """Quick levels have a process, so that no strong move and no analysis keeps them waiting."""

    def __init__(self, analyst: EngineCommand, tables: str, report: Callable[[str], None]) -> None:
        """`analyst` analyses, with these folders of tables; nothing starts before its first search.

        `report` gets remarks for all pages.
        """
        options = engine_options(tables)
        playing = {"UCI_AnalyseMode": False, **options}
        self._quick = EngineQueue(own_engine(), playing, report)
        self._strong = EngineQueue(own_engine(), playing, report)
        self.analyst = EngineQueue(analyst, {"UCI_AnalyseMode": True, **options}, report)
        self.drawing = Helper(ends_with_call=True)

    def opponent(self, level: int | None) -> EngineQueue:
        """The engine that plays at this level, an Elo; None is full strength."""
        return self._quick if level and level <= _MAX_QUICK_LEVEL else self._strong

    async def close(self) -> None:
        """End the processes."""
        engines = (self._quick, self._strong, self.analyst, self.drawing)
        await asyncio.gather(*(engine.close() for engine in engines))


def in_turn(limits: Limits) -> Limits:
    """The limits of an analysis that others wait for."""
    return replace(limits, infinite=False, movetime=_MAX_ANALYSIS)


def engine_options(tables: str) -> dict[str, Any]:
    """The options of each engine; `tables` are folders of tablebases."""
    return {"Hash": _HASH_MB, "UCI_ShowWDL": True} | ({"SyzygyPath": tables} if tables else {})
