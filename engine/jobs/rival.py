"""Other engines' processes: they end with ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

import chess.engine

from boomslang.engine.core.system.ending import at_end


class Rival(chess.engine.UciProtocol):
    """An engine that is started by `chess.engine.SimpleEngine.popen(Rival, ...)`.

    It would see the end of its input when this process ends, but nobody knows what it makes of that.
    """

    _forget: Callable[[], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Its process is there."""
        super().connection_made(transport)
        self._forget = at_end(cast("asyncio.SubprocessTransport", transport).kill)

    def connection_lost(self, exc: Exception | None) -> None:
        """Its process has ended."""
        self._forget()
        super().connection_lost(exc)
