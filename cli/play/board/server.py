"""The server of the board: static files, and a WebSocket for each page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import mimetypes
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from typing import Final

from aiohttp import WSMsgType, web

from boomslang.cli.play.board.board_engines import BoardEngines
from boomslang.cli.play.board.games_file import GamesFile
from boomslang.cli.play.board.guard import Guard
from boomslang.cli.play.board.helper import Helper
from boomslang.cli.play.board.open_browser import from_elsewhere, openable
from boomslang.cli.play.board.outbox import Message, Outbox
from boomslang.cli.play.board.page_messages import MAX_MESSAGE
from boomslang.cli.play.board.page_session import BoardSession
from boomslang.cli.play.board.web_game import WebGame
from boomslang.engine.other_engines.engine_runner import KnownEngine

MAX_UNSHARED: Final = 8  # pages at the same time that may have two engines each
_MAX_KEPT: Final = 32  # games of closed pages
_MAX_FILES: Final = 2  # of those; a file may take 100 MB


class TooManyPagesError(Exception):
    """The maximum number of pages is open."""


class GameStore:
    """The games of open pages and of closed ones; `new_game` makes one, with the file `games`."""

    def __init__(
        self,
        new_game: Callable[[], WebGame],
        games: GamesFile | None = None,
        most: int = MAX_UNSHARED,
    ) -> None:
        self._new_game = new_game
        self._games = games
        self._most = most  # pages open at the same time
        self._kept: dict[str, WebGame] = {}  # by name, most recently left last
        self._open: dict[str, WebGame] = {}

    @contextmanager
    def lease(self, name: str) -> Iterator[tuple[str, WebGame]]:
        """A closed page's game by its name, else a new one; with its name. Raises TooManyPagesError."""
        if len(self._open) >= self._most:
            raise TooManyPagesError
        game = self._kept.pop(name, None)
        if game is None:
            name, game = secrets.token_urlsafe(12), self._new_game()
            game.file = self._games
        game.go_on()
        self._open[name] = game
        try:
            yield name, game
        finally:
            del self._open[name]
            self._kept[name] = game
            while len(self._kept) > max(_MAX_KEPT, self._most):
                del self._kept[next(iter(self._kept))]
            with_file = [left for left in self._kept.values() if left.file is not self._games]
            for left in with_file[:-_MAX_FILES]:
                left.file = self._games


_IDLE: Final = 15.0  # seconds between two requests of one connection
_MAX_HEADERS: Final = 64
_HEARTBEAT: Final = 20.0  # seconds between pings of a page
_BREATH: Final = 0.04  # seconds between two batches of messages
_LEAVE_TIMEOUT: Final = 15.0  # seconds for the engines of a disconnected page to end
_CLOSE_TIMEOUT: Final = 3.0  # seconds for pages to close when the server ends
_FULL: Final = "So many boards are open already. Close one, and load this page again."

# aiohttp logs each invalid request, with untrusted content.
logging.getLogger("aiohttp").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class _Caller:
    """The sender of a request for a game: the game's name, and the id of the loaded page."""

    name: str
    load: str
    request: web.BaseRequest

    def is_same_page(self, other: _Caller) -> bool:
        """True if the other request came from the same loaded page."""
        return bool(self.load) and (self.name, self.load) == (other.name, other.load)


class Server:
    """Listens at an address until `close`. Created and used within a running event loop."""

    def __init__(
        self,
        host: str,
        new_game: Callable[[], WebGame],
        tables: str = "",
        analyst: KnownEngine | None = None,
        games: GamesFile | None = None,
        pages: int = MAX_UNSHARED,
    ) -> None:
        """`tables` are the folders of tablebases for all engines, as in SyzygyPath.

        `analyst` is another engine for the analysis; `games` is a file to choose from. More `pages` than 8 at
        the same time share their engines.
        """
        self.guard = Guard(host)
        self._host = host
        self._pages = GameStore(new_game, games, pages)
        self._shared: BoardEngines | None = None
        if pages > MAX_UNSHARED:
            self._shared = BoardEngines(self._tell_all, tables, analyst, is_shared=True)
        self._judging = Helper(ends_with_call=False)
        self._tables = tables
        self._analyst = analyst
        self._reviewing = asyncio.Semaphore(1)
        self._files = dict(_read_files())
        self._sockets: dict[web.WebSocketResponse, _Caller] = {}
        self.visited: Callable[[], None] = lambda: None  # called when a page has connected
        self.sessions: set[BoardSession] = set()
        self._outboxes: set[Outbox] = set()
        self._compiling: Message | None = None  # how far that is
        reception = web.Server(
            self._answer,
            access_log=None,
            keepalive_timeout=_IDLE,
            lingering_time=0,  # data after a request is not read
            max_headers=_MAX_HEADERS,
        )
        self._runner = web.ServerRunner(reception, shutdown_timeout=_CLOSE_TIMEOUT)

    async def listen(self, port: int) -> list[str]:
        """Start listening; port 0 is any free one. Raises OSError.

        Returns the address of the page for this computer, and a different one for other computers, if any.
        """
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, port).start()
        bound, self.guard.port = self._runner.addresses[0][:2]
        hosts = openable(self._host, bound), from_elsewhere(bound)
        return [f"http://{host}:{self.guard.port}/{self.guard.token}/" for host in hosts if host]

    async def close(self) -> None:
        """Close all pages and end their engines."""
        await asyncio.gather(*(socket.close() for socket in self._sockets), return_exceptions=True)
        await self._runner.cleanup()
        await self._judging.close()
        if self._shared:
            await self._shared.close()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            path = self.guard.check(request)
            response = await (
                self._serve_page(request) if path == "talk" else self._file(request, path)
            )
        except web.HTTPException as refusal:
            response = web.Response(status=refusal.status, text=refusal.text)
            response.force_close()
        except ConnectionError:
            raise  # the client has disconnected
        except Exception as problem:
            what = {"message": "the board: a request has failed", "exception": problem}
            asyncio.get_running_loop().call_exception_handler(what)
            raise
        if not response.prepared:
            self.guard.seal(request, response)
        return response

    async def _file(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        if request.method not in ("GET", "HEAD"):
            raise web.HTTPMethodNotAllowed(request.method, ("GET", "HEAD"))
        file = self._files.get(path or "index.html")
        if file is None:
            raise web.HTTPNotFound
        body, kind = file
        return web.Response(body=body, content_type=kind, charset="utf-8")

    async def _serve_page(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve one page, from its first message until it is closed or disconnected."""
        socket = web.WebSocketResponse(
            timeout=_CLOSE_TIMEOUT, heartbeat=_HEARTBEAT, max_msg_size=MAX_MESSAGE, compress=False
        )
        try:
            await socket.prepare(request)
        except ValueError as problem:  # an invalid handshake
            raise web.HTTPBadRequest from problem
        self.visited()
        caller = _Caller(request.query.get("page", ""), request.query.get("load", ""), request)
        try:
            await self._make_room(caller)
            with self._pages.lease(caller.name) as (name, game):
                self._sockets[socket] = replace(caller, name=name)
                await socket.send_str(
                    json.dumps({"is": "hello", "page": name, "shared": bool(self._shared)})
                )
                await self._converse(socket, game)
        except TooManyPagesError:
            await socket.send_str(json.dumps({"is": "full", "text": _FULL}))
            await socket.close()
        except ConnectionError:
            pass  # the page has disconnected
        finally:
            self._sockets.pop(socket, None)
        return socket

    def tell_compiling(self, done: int, total: int) -> None:
        """Tell all pages how many kernels are compiled, and later ones if some are missing."""
        state: Message = {"done": done, "total": total}
        self._compiling = state if done < total else None
        for outbox in self._outboxes:
            outbox.put("compiling", partial(dict, state))

    def _tell_all(self, remark: str) -> None:
        for outbox in self._outboxes:
            outbox.say(remark)

    async def _make_room(self, caller: _Caller) -> None:
        """Wait for the game of a page that was disconnected or reloaded: its engines may still be ending.

        If a page calls again while its first connection seems open, that connection was lost. If a copied tab
        asks for a game, the original tab keeps it.
        """
        until = asyncio.get_running_loop().time() + _LEAVE_TIMEOUT
        while asyncio.get_running_loop().time() < until:
            if caller.request.transport is None:
                raise ConnectionResetError
            leaving = False
            for socket, other in self._sockets.items():
                if caller.is_same_page(other) and other.request.transport:
                    other.request.transport.abort()
                leaving |= other.name == caller.name and (
                    socket.closed or caller.is_same_page(other)
                )
            if not leaving:
                return
            await asyncio.sleep(_BREATH)

    async def _converse(self, socket: web.WebSocketResponse, game: WebGame) -> None:
        outbox = Outbox()
        self._outboxes.add(outbox)
        if self._compiling:
            outbox.put("compiling", partial(dict, self._compiling))
        session = BoardSession(
            game,
            outbox,
            self._shared or BoardEngines(outbox.say, self._tables, self._analyst),
            self._judging,
            self._reviewing,
            self._tables,
        )
        self.sessions.add(session)
        sending = asyncio.create_task(_send_messages(socket, outbox))
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    session.execute(message.data)
                elif message.type is WSMsgType.BINARY:
                    session.receive(message.data)
        finally:
            self._outboxes.discard(outbox)
            sending.cancel()
            # Even if the server itself is being ended: no engine process may be left.
            await asyncio.shield(self._leave(session, sending))

    async def _leave(self, session: BoardSession, sending: asyncio.Task[None]) -> None:
        await asyncio.gather(sending, return_exceptions=True)
        await session.close()
        self.sessions.discard(session)


async def _send_messages(socket: web.WebSocketResponse, outbox: Outbox) -> None:
    """Send the messages at once, at a limited rate."""
    with contextlib.suppress(ConnectionError):
        while True:
            for message in await outbox.take():
                await socket.send_str(json.dumps(message, allow_nan=False))
            await asyncio.sleep(_BREATH)


def _read_files() -> list[tuple[str, tuple[bytes, str]]]:
    """All files of the page by their paths: content and type."""
    folder = resources.files("boomslang.cli.play.board") / "page"
    files = []
    for path in ("", "chessground"):
        for file in (folder / path if path else folder).iterdir():
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            if file.is_file() and file.name.endswith((".html", ".css", ".js")):
                name = f"{path}/{file.name}" if path else file.name
                kind = "text/javascript" if file.name.endswith(".js") else kind
                files.append((name, (file.read_bytes(), kind)))
    return files
