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
from typing import Any, Final, Self
from urllib.parse import urlsplit

import aiohttp

from boomslang.cli.play.lichess.credentials import Secret, remove_secrets
from boomslang.cli.play.lichess.provider_settings import ProviderSettings
from boomslang.cli.play.lichess.work import WorkError, work_id
from boomslang.cli.play.lichess.work_engine import WorkAnalysis
from boomslang.core.system.identity import NAME, VERSION
from boomslang.core.system.sanitize import quote

_ENGINES: Final = "/api/external-engine"
_WORK: Final = "/api/external-engine/work"
_CONNECT_TIMEOUT: Final = 10.0  # seconds
_ANSWER_TIMEOUT: Final = 30.0  # seconds; the work server answers a poll after ten
_NO_CONTENT, _NOT_FOUND, _TOO_MANY = 204, 404, 429
_REFUSALS: Final = (401, 403)
_TEMPORARY: Final = (408, 425, _TOO_MANY)  # those of the 4xx that may pass
_PAUSE: Final = 60.0  # seconds that Lichess wants after a 429 without Retry-After
_MAX_PAUSE: Final = 3600.0

# Its errors arrive as exceptions.
logging.getLogger("aiohttp").setLevel(logging.CRITICAL)


class LichessFaultError(Exception):
    """A fault that may pass: network, server, a wrong answer. `wait`: seconds that the server asks for."""

    def __init__(self, message: str, wait: float = 0.0, *, final: bool = False) -> None:
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
        self._session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        # A kept connection may have been closed at the other end, which only the next upload would notice.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(force_close=True, limit=0),
            timeout=aiohttp.ClientTimeout(total=_ANSWER_TIMEOUT, sock_connect=_CONNECT_TIMEOUT),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": f"{NAME}/{VERSION}"},
        )
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._session.close()

    async def register(self) -> bool:
        """Register the engine, or update the registration of that name; True if it is new.

        Raises LichessFaultError or LichessRefusedError.
        """
        registration = {
            "name": self._settings.name,
            "maxThreads": self._settings.threads,
            "maxHash": self._settings.hash_mb,
            "variants": ["chess"],
            "providerSecret": self._provider.reveal(),
        }
        listed = await self._call("GET", _ENGINES)
        if not isinstance(listed, list):
            raise LichessFaultError(f"{_host(self._settings.server)}: sent no list of engines")
        for engine in listed:
            if isinstance(engine, dict) and engine.get("name") == self._settings.name:
                try:
                    path = f"{_ENGINES}/{work_id(engine)}"
                except WorkError:
                    continue
                await self._call("PUT", path, registration)
                return False
        await self._call("POST", _ENGINES, registration)
        return True

    async def next_work(self) -> tuple[str, Mapping[str, Any]] | None:
        """Wait for work and return it with its id; None if there is none yet.

        Raises LichessFaultError or LichessRefusedError.
        """
        data = await self._call("POST", _WORK, {"providerSecret": self._provider.reveal()})
        if data is None:
            return None
        try:
            return work_id(data), data
        except WorkError as problem:
            place = _host(self._settings.work_server)
            raise LichessFaultError(f"{place}: {problem}") from None

    async def answer(self, name: str, analysis: WorkAnalysis) -> bool:
        """Stream the lines of an analysis as the answer to the work of that id.

        False if nobody wants the answer any more. Raises LichessFaultError if the answer has not arrived, or
        LichessRefusedError.
        """
        server = self._settings.work_server
        try:
            async with self._session.post(
                f"{server}{_WORK}/{name}",
                data=analysis.lines(),
                headers={"Content-Type": "text/plain"},
                timeout=aiohttp.ClientTimeout(sock_connect=_CONNECT_TIMEOUT),
                allow_redirects=False,
            ) as response:
                try:
                    if response.status == _NOT_FOUND:
                        return False
                    async with asyncio.timeout(_CONNECT_TIMEOUT):
                        await self._check(response)
                    return analysis.sent
                finally:
                    response.close()  # or the unfinished request would be waited for
        except (aiohttp.ClientConnectorError, TimeoutError) as problem:
            raise LichessFaultError(f"{_host(server)}: {_reason(problem)}") from None
        except (aiohttp.ClientError, OSError):
            return False  # the server may close the connection at any time

    async def _call(self, method: str, path: str, body: object = None) -> Any:
        """JSON of an answer, None without. Raises LichessFaultError or LichessRefusedError."""
        server, headers = self._settings.work_server, {}
        if path != _WORK:  # nobody but Lichess itself gets the token
            server = self._settings.server
            headers = {"Authorization": f"Bearer {self._token.reveal()}"}
        try:
            async with self._session.request(
                method, f"{server}{path}", json=body, headers=headers, allow_redirects=False
            ) as response:
                await self._check(response)
                if response.status == _NO_CONTENT:
                    return None
                return json.loads(await response.read())
        except (aiohttp.ClientError, OSError, TimeoutError) as problem:
            raise LichessFaultError(f"{_host(server)}: {_reason(problem)}") from None
        except (ValueError, RecursionError):
            raise LichessFaultError(f"{_host(server)}: sent an answer that is not JSON") from None

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        """Raises LichessFaultError or LichessRefusedError unless the answer is a good one."""
        status, place = response.status, response.url.authority
        if 200 <= status < 300:
            return
        said = remove_secrets((await response.text()).strip(), (self._token, self._provider))
        said = f": {quote(said)}" if said else ""
        if status in _REFUSALS:
            raise LichessRefusedError(
                f"{place} refuses the token or the engine ({status}{said}); create another token "
                f"with the scopes engine:read and engine:write at {self._settings.token_page}"
            )
        seconds_text = response.headers.get("Retry-After", "")
        wait = _PAUSE if status == _TOO_MANY else 0.0
        if seconds_text.isascii() and seconds_text.isdigit():
            wait = min(float(seconds_text), _MAX_PAUSE)
        final = 400 <= status < 500 and status not in _TEMPORARY
        if final and not response.url.path.startswith(_WORK):
            raise LichessRefusedError(f"{place}: answered {status}{said}")
        raise LichessFaultError(f"{place}: answered {status}{said}", wait, final=final)


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
        reason = os.strerror(cause.errno) if cause.errno and cause.errno > 0 else cause.strerror
        return f"cannot connect: {(reason or 'no address answers').lower()}"
    return "the connection was lost"
