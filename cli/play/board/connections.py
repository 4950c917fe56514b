"""Limits on the connections of the server, to protect its file descriptors from exhaustion."""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import Final

from aiohttp import web

# Some systems allow 256 open files per process, and the engines of all pages need their share.
MAX_UNAUTHENTICATED: Final = 64  # connections without the token so far
MAX_AUTHENTICATED: Final = 64  # connections with the token, without those of pages
AUTHENTICATION_TIMEOUT: Final = 10.0  # seconds until a connection must show the token


class Connections:
    """All connections, by kind. If there are too many of a kind, the longest idle one is cut.

    So the page always gets through: its request follows its connection immediately.
    """

    def __init__(self) -> None:
        self._unauthenticated: dict[web.RequestHandler, asyncio.TimerHandle] = {}
        self._authenticated: dict[
            web.RequestHandler, None
        ] = {}  # by the time of their last requests
        self._transports: dict[web.RequestHandler, asyncio.Transport] = {}

    def come(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Register a new connection, not yet authenticated."""
        self._transports[handler] = transport
        loop = asyncio.get_running_loop()
        self._unauthenticated[handler] = loop.call_later(AUTHENTICATION_TIMEOUT, self._cut, handler)
        if len(self._unauthenticated) > MAX_UNAUTHENTICATED:
            self._cut(next(iter(self._unauthenticated)))

    def know(self, handler: web.RequestHandler) -> None:
        """Mark a connection as authenticated by the token."""
        if handler not in self._transports:
            return  # already lost
        self._forget(handler)
        self._authenticated[handler] = None
        if len(self._authenticated) > MAX_AUTHENTICATED:
            self._cut(next(iter(self._authenticated)))

    def seat(self, handler: web.RequestHandler) -> None:
        """Mark a connection as the WebSocket of a page, which is not cut; pages are limited elsewhere."""
        self._forget(handler)

    def make_room(self) -> bool:
        """Cut the oldest connection; False if there is none that may be cut."""
        oldest = next(chain(self._unauthenticated, self._authenticated), None)
        if oldest is not None:
            self._cut(oldest)
        return oldest is not None

    def leave(self, handler: web.RequestHandler) -> None:
        """Forget a lost connection."""
        self._forget(handler)
        self._transports.pop(handler, None)

    def _forget(self, handler: web.RequestHandler) -> None:
        self._authenticated.pop(handler, None)
        if timer := self._unauthenticated.pop(handler, None):
            timer.cancel()

    def _cut(self, handler: web.RequestHandler) -> None:
        self._forget(handler)
        self._transports[handler].abort()
