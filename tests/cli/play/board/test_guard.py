"""Who is let in: only pages of the server itself, under its address."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
import pytest

from boomslang.cli.play.board.server import Server
from boomslang.cli.play.board.web_game import WebGame


def with_server(work: Callable[[Server, str, Any], Awaitable[Any]], host: str = "127.0.0.1") -> Any:
    """What `work` makes of a server, its address and a client."""

    async def run() -> Any:
        server = Server(host, WebGame)
        address = (await server.listen(0))[0]
        try:
            async with aiohttp.ClientSession() as client:
                return await work(server, address, client)
        finally:
            await server.close()

    return asyncio.run(run())


def status(
    path: str = "{token}/", headers: Mapping[str, str] | None = None, host: str = "127.0.0.1"
) -> int:
    async def ask(server: Server, address: str, client: Any) -> int:
        names = {"token": server.guard.token, "port": server.guard.port}
        filled = {name: value.format(**names) for name, value in (headers or {}).items()}
        root = f"http://127.0.0.1:{server.guard.port}/"
        async with client.get(root + path.format(**names), headers=filled) as answer:
            found: int = answer.status
            return found

    result: int = with_server(ask, host)
    return result


SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.parametrize("path", ["{token}/", "{token}/main.js", "{token}/chessground/LICENSE"])
def test_the_page_is_served(path: str) -> None:
    assert status(path) == (404 if path.endswith("LICENSE") else 200)
    assert status(path, {"Host": "localhost:{port}"}) in (200, 404)
    assert status(path, {"Origin": "http://127.0.0.1:{port}"}) in (200, 404)


@pytest.mark.parametrize(
    "path", ["", "x/", "talk", "main.js", "review", "{token}x/", "/{token}/", "%00/", "{token}%2f"]
)
def test_requests_without_the_token_are_refused(path: str) -> None:
    assert status(path) == 403
    assert status(path, SOCKET | {"Origin": "http://127.0.0.1:{port}"}) == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}",
        "192.168.1.5:{port}", "[::2]:{port}", "localhost:{port}@evil.example", "", "a b", "localhost:99999",
    ],
)  # fmt: skip
def test_a_foreign_host_is_refused(host: str) -> None:
    assert status("{token}/review?page=x", {"Host": host}) in (400, 403)
    assert status("{token}/talk", {**SOCKET, "Host": host, "Origin": f"http://{host}"}) in (
        400,
        403,
    )


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", ""])
def test_a_foreign_origin_is_refused(origin: str) -> None:
    assert status(headers={"Origin": origin}) == 403
    assert status("{token}/review?page=x", {"Origin": origin}) == 403
    assert status("{token}/talk", SOCKET | {"Origin": origin}) == 403


def test_a_conversation_names_its_origin() -> None:
    assert status("{token}/talk", SOCKET) == 403


def test_nothing_but_the_page_is_served() -> None:
    for path in (
        "../server.py",
        "..%2fserver.py",
        "page.py",
        "chessground/",
        "chessground/package.json",
    ):
        assert status("{token}/" + path) in (403, 404)


def test_other_computers_are_let_in_only_by_number_or_by_our_name() -> None:
    assert status(headers={"Host": "192.168.1.5:{port}"}, host="0.0.0.0") == 200  # noqa: S104
    assert status(headers={"Host": "evil.example:{port}"}, host="0.0.0.0") == 403  # noqa: S104


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])  # noqa: S104
def test_the_printed_address_can_be_opened(host: str) -> None:
    async def ask(server: Server, address: str, client: Any) -> int:
        assert "0.0.0.0" not in address  # noqa: S104
        async with client.get(address) as answer:
            found: int = answer.status
            return found

    assert with_server(ask, host) == 200


def test_no_answer_lets_a_page_ask_elsewhere() -> None:
    async def ask(server: Server, address: str, client: Any) -> list[Mapping[str, str]]:
        found = []
        for path in ("", "main.js", "nothing"):
            async with client.get(address + path) as answer:
                found.append(answer.headers)
        async with client.get(address.replace(server.guard.token, "x")) as answer:
            found.append(answer.headers)
        return found

    for headers in with_server(ask):
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none';") and "frame-ancestors 'none'" in policy
        sources = {word for part in policy.split(";") for word in part.split()[1:]}
        foreign = {
            word for word in sources if not word.startswith(("'", "data:", "ws://127.0.0.1:"))
        }
        assert foreign == set() and "'unsafe-inline'" not in sources
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
