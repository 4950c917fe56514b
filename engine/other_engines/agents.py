"""Agents: players that are no programs, but folders with a function in Python.

`agent_runner.py` makes one an engine that speaks UCI.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import chess
from chess.engine import AnalysisResult, Limit, PlayResult

from boomslang.core.system.files import FileError, is_file, is_folder, quote_path
from boomslang.engine.other_engines.engine_connection import EngineProcessError, UciConnection

AGENT_FILE: Final = "agent.py"
MAX_AGENT_MEMORY: Final = 2 << 30  # bytes
_RUNNER: Final = Path(__file__).with_name("agent_runner.py")
_MEMORY_INTERVAL: Final = 0.05  # seconds


class EngineMemoryError(EngineProcessError):
    """It has used more memory than it may."""


class AgentConnection(UciConnection):
    """Gives an agent positions without history, and watches its memory where there is /proc."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the process has started."""
        super().connection_made(transport)
        self._watch_memory()

    async def play(self, board: chess.Board, limit: Limit, **given: Any) -> PlayResult:
        """The move in a game."""
        return await super().play(board.copy(stack=False), limit, **given)

    async def analysis(
        self, board: chess.Board, limit: Limit | None = None, **given: Any
    ) -> AnalysisResult:
        """A search."""
        return await super().analysis(board.copy(stack=False), limit, **given)

    def _watch_memory(self) -> None:
        if self._is_gone or not self.transport:
            return
        if _resident_memory(self.transport.get_pid()) > MAX_AGENT_MEMORY:
            limit = f"{MAX_AGENT_MEMORY / 2**30:g} GB"
            self.give_up(EngineMemoryError(f"it has used more than {limit} of memory"))
        else:
            self.loop.call_later(_MEMORY_INTERVAL, self._watch_memory)


def agent_command(text: str, python: Sequence[str] = ()) -> tuple[str, ...]:
    """The command line by which the agent of a folder plays; empty if the text names no folder.

    `python` is the command of the interpreter; without one it is the present one. Raises ValueError for
    another folder.
    """
    folder = text.strip()
    with suppress(FileError):
        if folder and is_file(Path(folder) / AGENT_FILE):
            return (*(python or [sys.executable]), str(_RUNNER), os.path.abspath(folder))  # noqa: PTH100
        if folder and is_folder(folder) and not shutil.which(folder):
            raise ValueError(f"the folder {quote_path(folder)} has no {AGENT_FILE}")
    return ()


def _resident_memory(pid: int) -> int:
    """Bytes of a process that are in memory; 0 if it cannot be known."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError, AttributeError):
        return 0
