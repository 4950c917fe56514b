"""Client of the external engine API: registration at Lichess, work from the work server, answers to it.

https://lichess.org/api#tag/External-engine. The token goes to the Lichess server only; the work server gets
the provider secret. No redirect is followed, so neither goes anywhere else.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

import aiohttp

from boomslang.cli.play.lichess.analysis import WorkAnalysis
from boomslang.cli.play.lichess.backoff import retry_after
from boomslang.cli.play.lichess.credentials import Secret, remove_secrets
from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkError, work_id
from boomslang.engine.system.identity import NAME, VERSION
from boomslang.engine.system.sanitize import quote

DONE: Final = "done"
CANCELLED: Final = "cancelled"

_ENGINES: Final = "/api/external-engine"
_WORK: Final = "/api/external-engine/work"
_CONNECT_TIMEOUT: Final = 10.0  # seconds
_ANSWER_TIMEOUT: Final = 30.0  # seconds; the work server answers a poll after ten
_LAST_TIMEOUT: Final = 10.0  # seconds from the last line to the server's answer
_MAX_BYTES: Final = 1 << 20  # bytes of an answer
_NO_CONTENT, _OK, _UNAUTHORISED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 204, 200, 401, 403, 404, 429
_TEMPORARY: Final = frozenset({408, 425})  # of the 4xx
_PAUSE: Final = 60.0  # seconds that Lichess wants after a 429 without Retry-After

# Its errors arrive as exceptions.
logging.getLogger("aiohttp").setLevel(logging.CRITICAL)


class LichessFaultError(Exception):
    """A fault that may pass: network, server, a wrong answer. `wait`: seconds that the server asks for."""

    def __init__(self, message: str, wait: float | None = None, *, final: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.final = final  # the same request would fail again


class LichessRefusedError(Exception):
    """A refusal that no further attempt will change; the message says what to do."""


class LichessApi:
    """The connections of one provider; an asynchronous context."""

    def __init__(self, settings: ProviderSettings, token: Secret, provider: Secret) -> None:
        self._settings = settings
        self._token = token
        self._provider = provider
        self._polls: aiohttp.ClientSession
        self._uploads: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        """Open the sessions."""
        limits = aiohttp.ClientTimeout(total=_ANSWER_TIMEOUT, sock_connect=_CONNECT_TIMEOUT)
        endless = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_TIMEOUT)
        self._polls = _session(aiohttp.TCPConnector(), limits)
        # A kept connection may have been closed at the other end, which only the next upload would notice.
        self._uploads = _session(aiohttp.TCPConnector(force_close=True, limit=0), endless)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        await asyncio.gather(self._polls.close(), self._uploads.close())

    async def register(self) -> bool:
        """Register the engine, or update the registration of that name; True if it is new.

        Raises LichessFaultError or LichessRefusedError.
        """
        listed = await self._registration("GET", _ENGINES)
        if not isinstance(listed, list):
            raise self._fault(self._settings.server, "sent no list of engines")
        for engine in listed:
            if isinstance(engine, dict) and engine.get("name") == self._settings.name:
                try:
                    path = f"{_ENGINES}/{work_id(engine)}"
                except WorkError:
                    continue
                await self._registration("PUT", path, self._describe())
                return False
        await self._registration("POST", _ENGINES, self._describe())
        return True

    async def next_work(self) -> tuple[str, Mapping[str, Any]] | None:
        """Wait for work and return it with its id; None if there is none yet.

        Raises LichessFaultError or LichessRefusedError.
        """
        server = self._settings.work_server
        body = {"providerSecret": self._provider.reveal()}
        status, data = await self._call("POST", server, _WORK, body, {})
        if status == _NO_CONTENT:
            return None
        if not isinstance(data, dict):
            raise self._fault(server, "sent work that is not a JSON object")
        try:
            return work_id(data), data
        except WorkError as problem:
            raise self._fault(server, str(problem)) from None

    async def answer(self, name: str, analysis: WorkAnalysis) -> str:
        """Stream the lines of an analysis as the answer to the work of that id: DONE or CANCELLED.

        Cancelled means that nobody wants the answer any more. Raises LichessFaultError if the answer has not
        arrived, or LichessRefusedError.
        """
        server = self._settings.work_server
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as limit:

                def stop_waiting() -> None:
                    limit.reschedule(loop.time() + _LAST_TIMEOUT)

                analysis.on_end = stop_waiting
                if analysis.ended.is_set():
                    stop_waiting()
                async with self._uploads.post(
                    f"{server}{_WORK}/{name}",
                    data=analysis.lines(),
                    headers={"Content-Type": "text/plain"},
                    allow_redirects=False,
                ) as response:
                    try:
                        if response.status == _NOT_FOUND:
                            return CANCELLED
                        async with asyncio.timeout(_LAST_TIMEOUT):
                            await self._check(server, response)
                        return DONE if analysis.sent else CANCELLED
                    finally:
                        response.close()  # or the unfinished request would be waited for
        except (aiohttp.ClientConnectorError, TimeoutError) as problem:
            raise self._fault(server, _reason(problem)) from None
        except (aiohttp.ClientError, OSError):
            return CANCELLED  # the server may close the connection at any time
        finally:
            analysis.on_end = lambda: None

    async def _registration(self, method: str, path: str, body: object = None) -> Any:
        """The answer of the Lichess server to a request with the token."""
        headers = {"Authorization": f"Bearer {self._token.reveal()}"}
        try:
            return (await self._call(method, self._settings.server, path, body, headers))[1]
        except LichessFaultError as fault:
            if fault.final:
                raise LichessRefusedError(str(fault)) from None
            raise

    async def _call(
        self, method: str, server: str, path: str, body: object, headers: Mapping[str, str]
    ) -> tuple[int, Any]:
        """Status and JSON of an answer. Raises LichessFaultError or LichessRefusedError."""
        try:
            async with self._polls.request(
                method, f"{server}{path}", json=body, headers=headers, allow_redirects=False
            ) as response:
                await self._check(server, response)
                if response.status == _NO_CONTENT:
                    return _NO_CONTENT, None
                text = await self._text(server, response)
        except (aiohttp.ClientError, OSError, TimeoutError) as problem:
            raise self._fault(server, _reason(problem)) from None
        try:
            return response.status, json.loads(text)
        except (ValueError, RecursionError):
            raise self._fault(server, "sent an answer that is not JSON") from None

    async def _check(self, server: str, response: aiohttp.ClientResponse) -> None:
        """Raises LichessFaultError or LichessRefusedError unless the answer is a good one."""
        status = response.status
        if status in (_OK, _NO_CONTENT, 201):
            return
        said = self._read_message(await self._text(server, response))
        where = _host(server)
        if status in (_UNAUTHORISED, _FORBIDDEN):
            raise LichessRefusedError(
                f"{where} refuses the token or the engine ({status}{said}); create another token with the "
                f"scopes engine:read and engine:write at {self._settings.token_page}"
            )
        wait = retry_after(response.headers.get("Retry-After"))
        if status == _TOO_MANY and wait is None:
            wait = _PAUSE
        final = 400 <= status < 500 and status not in (_TOO_MANY, *_TEMPORARY)
        raise self._fault(server, f"answered {status}{said}", wait, final=final)

    async def _text(self, server: str, response: aiohttp.ClientResponse) -> str:
        """The body of an answer, if it is not too long."""
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > _MAX_BYTES:
                raise self._fault(server, "sent an answer of more than a megabyte")
        return body.decode("utf-8", "replace")

    def _read_message(self, text: str) -> str:
        """The error message of a server, if there is one, without secrets."""
        try:
            data = json.loads(text)
            text = data["error"] if isinstance(data["error"], str) else json.dumps(data["error"])
        except (ValueError, KeyError, TypeError, RecursionError):
            text = text.partition("\n")[0]
        text = remove_secrets(text, (self._token, self._provider))
        return f": {quote(text)}" if text.strip() else ""

    def _describe(self) -> dict[str, object]:
        """The registration."""
        return {
            "name": self._settings.name,
            "maxThreads": self._settings.threads,
            "maxHash": self._settings.hash_mb,
            "variants": ["chess"],
            "providerSecret": self._provider.reveal(),
        }

    def _fault(
        self, server: str, what: str, wait: float | None = None, *, final: bool = False
    ) -> LichessFaultError:
        return LichessFaultError(f"{_host(server)}: {what}", wait, final=final)


def _session(
    connector: aiohttp.TCPConnector, timeout: aiohttp.ClientTimeout
) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector,
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"User-Agent": f"{NAME}/{VERSION}", "Accept-Encoding": "identity"},
    )


def _host(server: str) -> str:
    return urlsplit(server).netloc


def _reason(problem: BaseException) -> str:
    """What went wrong with a connection, in a few words of our own or of the system."""
    if isinstance(problem, TimeoutError):
        return "no answer in time"
    if isinstance(problem, aiohttp.ClientSSLError):
        return "no trustworthy encrypted connection; check clock and certificates of this computer"
    if isinstance(problem, aiohttp.ClientConnectorError):
        cause = problem.os_error
        # Errors of name resolution have negative numbers.
        known = os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror
        return f"cannot connect: {(known or 'no address answers').lower()}"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror.lower()
    if isinstance(problem, aiohttp.ServerDisconnectedError):
        return "the connection was closed without an answer"
    return "the answer was cut off or is not HTTP"
