"""The tables of all pages, so that a page finds its game again after a disconnection."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from boomslang.cli.play.board.web_game import WebGame

MAX_OPEN: Final = 8  # pages at the same time; each may have two engines
_MAX_KEPT: Final = 32  # games of closed pages


class TooManyPagesError(Exception):
    """The maximum number of pages is open."""


class GameStore:
    """The tables in use and those free; `new_table` makes one."""

    def __init__(self, new_table: Callable[[], WebGame]) -> None:
        self._new_table = new_table
        self._free: dict[str, WebGame] = {}  # by name, most recently left last
        self._taken: set[str] = set()

    @contextmanager
    def sit_down(self, name: str) -> Iterator[tuple[str, WebGame]]:
        """The table of that name if it is free, else a new one; with its name. Raises TooManyPagesError."""
        if len(self._taken) >= MAX_OPEN:
            raise TooManyPagesError
        table = self._free.pop(name, None)
        if table is None:
            name, table = secrets.token_urlsafe(12), self._new_table()
        table.go_on()
        self._taken.add(name)
        try:
            yield name, table
        finally:
            self._taken.discard(name)
            self._free[name] = table
            while len(self._free) > _MAX_KEPT:
                del self._free[next(iter(self._free))]
