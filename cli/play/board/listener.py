"""Accepts connections one by one, each counted before its request is read."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Awaitable, Callable
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


_QUEUE: Final = 1024  # backlog of the listening socket
_PAUSE: Final = 0.5  # seconds until the next attempt to accept
_NO_MORE_FILES: Final = (errno.EMFILE, errno.ENFILE)
_IDLE: Final = 15.0  # seconds between two requests of one connection
_MAX_HEADERS: Final = 64  # of 8 kB at most, so all unauthenticated connections take 32 MB

# aiohttp logs each invalid request, with untrusted content.
logging.getLogger("aiohttp").setLevel(logging.CRITICAL)


class Listener(web.Server):
    """aiohttp's connection server with listening sockets; reports to `connections`."""

    def __init__(
        self,
        answer: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        connections: Connections,
    ) -> None:
        super().__init__(
            answer,
            access_log=None,
            keepalive_timeout=_IDLE,
            lingering_time=0,  # data after a request is not read
            max_headers=_MAX_HEADERS,
        )
        self._clients = connections
        self._sockets: list[socket.socket] = []
        self._taking: list[asyncio.Task[None]] = []

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Listen on all addresses of a host name; returns the first, with its port. Raises OSError."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for family, address in dict.fromkeys((each[0], each[4]) for each in found):
            listening = socket.create_server(address, family=family, backlog=_QUEUE)
            self._sockets.append(listening)
            listening.setblocking(False)
        self._taking = [asyncio.create_task(self._take(each)) for each in self._sockets]
        name: tuple[str, int] = self._sockets[0].getsockname()[:2]
        return name

    async def close(self, patience: float) -> None:
        """Stop listening and close all connections; pending answers get `patience` seconds."""
        for task in self._taking:
            task.cancel()
        await asyncio.gather(*self._taking, return_exceptions=True)
        for listening in self._sockets:
            listening.close()
        self.pre_shutdown()
        await self.shutdown(patience)

    async def _take(self, listening: socket.socket) -> None:
        """Accept connections one by one: asyncio accepts many at once, which would displace each other."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listening)
            except OSError as problem:
                has_room = problem.errno in _NO_MORE_FILES and self._clients.make_room()
                await asyncio.sleep(0 if has_room else _PAUSE)
                continue
            try:
                await loop.connect_accepted_socket(self, connection)
            except OSError:  # gone already
                connection.close()

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Register the connection."""
        super().connection_made(handler, transport)
        self._clients.come(handler, transport)

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """Forget the connection."""
        super().connection_lost(handler, exc)
        self._clients.leave(handler)
