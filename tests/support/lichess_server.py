"""A mock of the external engine API, as lichess.org and its work server behave, and with their faults.

The rules are those of the published API and its server. A poll answers 204 after a while. Work is handed out
once. An answer must end with `bestmove`, else it gets 400. A cancelled request ends the upload early.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import ClientError, web

TOKEN = "lip_MockTokenOfATest0123456789"  # noqa: S105 - of no account
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_TIMEOUT = 60.0  # seconds


def work(**fields: Any) -> dict[str, Any]:
    """Work for the start position, with other fields where given; None leaves one out."""
    usual = {
        "sessionId": "one",
        "threads": 1,
        "hash": 16,
        "multiPv": 1,
        "variant": "chess",
        "initialFen": START,
        "moves": [],
    }
    if not fields.keys() & {"movetime", "depth", "nodes"}:
        usual["depth"] = 5
    return {name: value for name, value in (usual | fields).items() if value is not None}


@dataclass
class Asked:
    """One request for analysis. `poll` and `upload` name faults for the first time that each happens."""

    work: Any
    poll: str = ""
    upload: str = ""
    name: str = ""
    polls: int = 0
    uploads: int = 0
    lines: list[str] = field(default_factory=list)
    thinking: threading.Event = field(default_factory=threading.Event)  # a line has come
    over: threading.Event = field(default_factory=threading.Event)
    cancel: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def answered(self) -> bool:
        """True if the answer is complete."""
        return self.lines[-1:] != [] and self.lines[-1].startswith("bestmove ")


class MockLichess:
    """A context that serves both servers on one port of this computer, on a thread of its own."""

    def __init__(self, poll: float = 0.3, secret_in_errors: bool = True) -> None:
        """`poll`: seconds until a poll without work is answered."""
        self.engines: list[dict[str, Any]] = []
        self.secrets: list[str] = []  # of the registrations, in their order
        self.faults: dict[str, list[str]] = {}  # by endpoint: for its next requests
        self.seen: list[tuple[str, str, str | None]] = []  # method, path, authorisation
        self.asked: list[Asked] = []
        self.polled = threading.Event()
        self.moments: list[tuple[str, float]] = []  # endpoint and time of each request
        self.token = TOKEN
        self._poll = poll
        self._echo = secret_in_errors
        self._queue: asyncio.Queue[Asked] = asyncio.Queue()
        self._ongoing: dict[str, Asked] = {}
        self._number = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.address = ""

    def __enter__(self) -> Self:
        self._thread.start()
        self.call(self._start())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_TIMEOUT)
        self._loop.close()

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of a coroutine on the server's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_TIMEOUT)

    def ask(self, work: Any, poll: str = "", upload: str = "") -> Asked:
        """What the analysis board does: put work into the queue."""
        asked = Asked(work, poll, upload)
        self.asked.append(asked)
        self._loop.call_soon_threadsafe(self._queue.put_nowait, asked)
        return asked

    def cancel(self, asked: Asked) -> None:
        """The requester goes away."""
        self._loop.call_soon_threadsafe(asked.cancel.set)

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_get("/api/external-engine", self._guarded(self._list))
        app.router.add_post("/api/external-engine", self._guarded(self._create))
        app.router.add_put("/api/external-engine/{id}", self._guarded(self._update))
        app.router.add_post("/api/external-engine/work", self._acquire)
        app.router.add_post("/api/external-engine/work/{id}", self._submit)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        self._listening = socket.create_server(("127.0.0.1", 0))
        await web.SockSite(self._runner, self._listening).start()
        self.address = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _close(self) -> None:
        # Python 3.11 loses a connection that is accepted in the turn in which the server is closed.
        self._loop.remove_reader(self._listening)
        for _ in range(5):
            await asyncio.sleep(0)
        await self._runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _record(self, request: web.Request) -> None:
        self.seen.append((request.method, request.path, request.headers.get("Authorization")))
        self.moments.append((request.path, self._loop.time()))

    # The Lichess server

    def _guarded(
        self, handler: Callable[[web.Request], Coroutine[Any, Any, web.StreamResponse]]
    ) -> Callable[[web.Request], Coroutine[Any, Any, web.StreamResponse]]:
        async def guarded(request: web.Request) -> web.StreamResponse:
            self._record(request)
            given = request.headers.get("Authorization", "")
            if self.faults.get("registration"):
                return await self._fault(request, self.faults["registration"].pop(0))
            if given != f"Bearer {self.token}":
                said = f"No such token: {given}" if self._echo else "No such token"
                return web.json_response({"error": said}, status=401)
            return await handler(request)

        return guarded

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response(self.engines)

    async def _create(self, request: web.Request) -> web.Response:
        body = await request.json()
        engine = {"id": f"eei_{len(self.engines)}", "clientSecret": "ees_client", "userId": "user"}
        self.secrets.append(body.pop("providerSecret"))
        self.engines.append(engine | body)
        return web.json_response(self.engines[-1])

    async def _update(self, request: web.Request) -> web.Response:
        body = await request.json()
        for number, engine in enumerate(self.engines):
            if engine["id"] == request.match_info["id"]:
                self.secrets[number] = body.pop("providerSecret")
                engine.update(body)
                return web.json_response(engine)
        return web.json_response({"error": "Not found"}, status=404)

    async def _fault(self, request: web.Request, kind: str) -> web.StreamResponse:
        """A faulty answer to any request."""
        if kind.isdigit():
            said = f"no: {request.headers.get('Authorization')}" if self._echo else "no"
            return web.json_response({"error": said}, status=int(kind))
        if kind.startswith("429 "):
            return web.Response(status=429, headers={"Retry-After": kind.split()[1]})
        if kind == "redirect":
            return web.Response(status=307, headers={"Location": f"{self.address}/elsewhere"})
        if kind == "reset":
            assert request.transport
            request.transport.abort()
            return web.Response()
        if kind == "cut":
            response = web.StreamResponse(headers={"Content-Length": "1000"})
            await response.prepare(request)
            await response.write(b'{"id": "cut", "work": {')
            assert request.transport
            request.transport.abort()
            return response
        bodies = {
            "no json": "<html>\x1b[31mhello</html>",
            "array": "[1, 2]",
            "number": "7",
            "deep": "[" * 100_000,
            "no work": '{"id": "abc"}',
            "bad id": '{"id": "../../api/token", "work": {}}',
            "large": '"' + "x" * 2_000_000 + '"',
        }
        return web.Response(text=bodies[kind], content_type="application/json")

    # The work server

    async def _acquire(self, request: web.Request) -> web.StreamResponse:
        self._record(request)
        if self.faults.get("work"):
            return await self._fault(request, self.faults["work"].pop(0))
        body = await request.json()
        if body["providerSecret"] not in self.secrets:
            return web.Response(status=204)
        self.polled.set()
        try:
            async with asyncio.timeout(self._poll):
                asked = await self._queue.get()
        except TimeoutError:
            return web.Response(status=204)
        asked.polls += 1
        if asked.polls == 1 and asked.poll:
            if asked.poll == "slow":
                await asyncio.sleep(1.5)
            else:
                await self._queue.put(asked)  # it has not been handed out
                return await self._fault(request, asked.poll)
        self._number += 1
        asked.name = f"work{self._number}"
        self._ongoing[asked.name] = asked
        engine = self.engines[self.secrets.index(body["providerSecret"])]
        answer = {"id": asked.name, "work": asked.work, "engine": engine, "news": [{"x": 1}]}
        response = web.json_response(answer)
        response.force_close()
        return response

    async def _submit(self, request: web.Request) -> web.StreamResponse:
        self._record(request)
        asked = self._ongoing.get(request.match_info["id"])
        if asked is None:
            return web.Response(status=404, text="work not found or cancelled or expired")
        asked.uploads += 1
        if asked.uploads == 1 and (asked.upload.isdigit() or asked.upload.startswith("429 ")):
            return await self._fault(request, asked.upload)
        del self._ongoing[asked.name]
        try:
            return await self._read(request, asked)
        finally:
            asked.over.set()

    async def _read(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        """The lines of an upload, up to `bestmove`, or until nobody wants them."""
        gone = asyncio.create_task(asked.cancel.wait())
        try:
            while True:
                reading = asyncio.ensure_future(request.content.readline())
                await asyncio.wait({reading, gone}, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    reading.cancel()
                    if asked.upload == "cut":
                        assert request.transport
                        request.transport.abort()
                    return web.Response()
                try:
                    line = reading.result().decode().rstrip("\n")
                except (ConnectionError, ClientError):
                    return web.Response()  # the provider has gone
                if not line:
                    return web.Response(status=400, text="expected bestmove before end of stream")
                if "keepalive" not in line or json.loads(line) != {"keepalive": True}:
                    asked.lines.append(line)
                asked.thinking.set()
                if asked.upload == "slow":
                    await asyncio.sleep(0.2)
                if line.startswith("bestmove "):
                    return web.Response()
        finally:
            gone.cancel()
