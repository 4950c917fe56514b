"""Who is connected to the server, and how many may be: nobody can use up the files that it may open."""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import Final

from aiohttp import web

# A process may have 256 open files where a system is strict, and the engines of all pages need their share.
MOST_STRANGERS: Final = 64  # connections that have not shown the token
MOST_GUESTS: Final = 64  # those that have, beside the ones that sit at a table
INTRODUCED_WITHIN: Final = 10.0  # seconds from the connection until the token is shown


class Connections:
    """All connections, by kind. Where a kind has one too many, the one that has been quiet longest is cut.

    So the page always gets through: its request comes right behind its connection, before so many others.
    """

    def __init__(self) -> None:
        self._strangers: dict[web.RequestHandler, asyncio.TimerHandle] = {}
        self._guests: dict[web.RequestHandler, None] = {}  # in the order of their last requests
        self._transports: dict[web.RequestHandler, asyncio.Transport] = {}

    def come(self, who: web.RequestHandler, transport: asyncio.Transport) -> None:
        """A new connection, which has said nothing yet."""
        self._transports[who] = transport
        loop = asyncio.get_running_loop()
        self._strangers[who] = loop.call_later(INTRODUCED_WITHIN, self._cut, who)
        if len(self._strangers) > MOST_STRANGERS:
            self._cut(next(iter(self._strangers)))

    def know(self, who: web.RequestHandler) -> None:
        """It has shown the token, maybe again."""
        if who not in self._transports:
            return  # it is gone already
        self._forget(who)
        self._guests[who] = None
        if len(self._guests) > MOST_GUESTS:
            self._cut(next(iter(self._guests)))

    def seat(self, who: web.RequestHandler) -> None:
        """It sits at a table now and is not cut; the tables are counted elsewhere."""
        self._forget(who)

    def make_room(self) -> bool:
        """Cut one though they are not too many; False if there is none that may be cut."""
        oldest = next(chain(self._strangers, self._guests), None)
        if oldest is not None:
            self._cut(oldest)
        return oldest is not None

    def leave(self, who: web.RequestHandler) -> None:
        """The connection is lost."""
        self._forget(who)
        self._transports.pop(who, None)

    def _forget(self, who: web.RequestHandler) -> None:
        self._guests.pop(who, None)
        if patience := self._strangers.pop(who, None):
            patience.cancel()

    def _cut(self, who: web.RequestHandler) -> None:
        self._forget(who)
        self._transports[who].abort()
