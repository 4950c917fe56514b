"""Strangers on the port: what they send prints nothing, and however many they are the page gets through."""

from __future__ import annotations

import asyncio
import random
import socket
import ssl
import struct
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

import pytest

from boomslang.cli.play.board import listener as connections
from boomslang.cli.play.board.server import MAX_OPEN, Server
from boomslang.cli.play.board.web_game import WebGame
from tests.support.board_server import BoardServer

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")

OWN_FILES = (
    32  # that the server may have open for itself, with the helper and connections that are ending
)
MAX_FILES = connections.MAX_UNAUTHENTICATED + connections.MAX_AUTHENTICATED + MAX_OPEN + OWN_FILES

SWITCH = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module")
def errors() -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        yield file


@pytest.fixture(scope="module")
def server(errors: IO[bytes]) -> Iterator[BoardServer]:
    with BoardServer(errors=errors) as started:
        yield started


@pytest.fixture(autouse=True)
def _nothing_is_printed(server: BoardServer, errors: IO[bytes]) -> Iterator[None]:
    yield
    load_page(server)  # the server lives, and has done what came before
    errors.seek(0)
    assert errors.read() == b""


def load_page(server: BoardServer) -> None:
    with urllib.request.urlopen(server.address, timeout=30) as page:  # noqa: S310
        assert b"<title>Boomslang</title>" in page.read()


def connect(server: BoardServer) -> socket.socket:
    host, port = server.host.split(":")
    return socket.create_connection((host, int(port)), timeout=30)


def answer(server: BoardServer, data: bytes) -> bytes:
    """The first line that comes back; empty if the connection is cut."""
    with connect(server) as talk, suppress(ConnectionError):
        talk.sendall(data)
        return talk.recv(4096).partition(b"\r\n")[0]
    return b""


def request(server: BoardServer, path: str, more: str = "") -> bytes:
    """What a page of ours asks, with more headers."""
    path = path.format(token=server.token)
    head = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
    return f"{head}{more}\r\n".encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("path", ["/", "/{token}/", "/{token}/talk"])
@pytest.mark.parametrize(
    "more",
    [
        "No colon\r\n", ": no name\r\n", "A\0: b\r\n", "A: \x1b[2J\r\n", " folded: x\r\n", "Host: twice\r\n",
        "Content-Length: -1\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n", "Transfer-Encoding: x\r\n",
        f"A: {'x' * 100_000}\r\n", "A: b\r\n" * 5000, "Expect: miracles\r\n", "Connection: \udcff\r\n",
        "Content-Encoding: br\r\nContent-Length: 9\r\n\r\nno brotli",
        "Upgrade: h2c\r\nConnection: Upgrade\r\n", "Transfer-Encoding: chunked\r\n\r\nno size\r\n",
        SWITCH.replace("13", "99"), SWITCH.replace("dGhl", "é"),
        SWITCH.replace("dGhl", ""), f"{SWITCH}Sec-WebSocket-Protocol: forged\r\n",
    ],
)  # fmt: skip
def test_bad_headers_print_nothing(server: BoardServer, path: str, more: str) -> None:
    line = answer(server, request(server, path, more))
    assert line[9:10] in (b"", b"4") if path == "/" else line[9:10] != b"5"


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n", b"hello\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
        b"G\0T / HTTP/1.1\r\n\r\n", b"GET /\x1b[2J HTTP/1.1\r\n\r\n",
        b"GET /%ff%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"SSH-2.0-x\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n", b"\xff" * 1000,
    ],
)  # fmt: skip
def test_what_is_no_request_prints_nothing(server: BoardServer, data: bytes) -> None:
    with connect(server) as talk, suppress(ConnectionError):
        talk.sendall(data)
        talk.shutdown(socket.SHUT_WR)
        assert talk.recv(4096)[9:10] in (b"", b"4")


def test_a_browser_that_expects_encryption_prints_nothing(server: BoardServer) -> None:
    context = ssl.create_default_context()
    with pytest.raises((ssl.SSLError, ConnectionError)), connect(server) as talk:
        context.wrap_socket(talk, server_hostname="localhost")


def test_mutated_requests_print_nothing(server: BoardServer) -> None:
    chance = random.Random(20)
    seeds = [
        request(server, "/{token}/"),
        request(server, "/{token}/talk", SWITCH) + struct.pack(">BB4xH", 0x88, 0x82, 1000),
        request(server, "/x/", SWITCH) + b"more",
        request(server, "/{token}/", "Transfer-Encoding: chunked\r\n") + b"2\r\nab\r\n0\r\n\r\n",
        request(server, "/{token}/", "Content-Encoding: gzip\r\nContent-Length: 4\r\n") + b"abcd",
    ]
    for number in range(400):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data))
            if chance.random() < 0.5:
                data[place] = chance.randrange(256)
            else:
                data[place : place + chance.randint(0, 6)] = chance.choice(
                    [b"", b"\r\n", b"\0", b":", b" ", b"/", b"%", b"\x1b[2J", b"9" * 30]
                )
        with connect(server) as talk, suppress(OSError):
            talk.sendall(data)
            talk.settimeout(0.01)
            talk.recv(100)


@pytest.mark.parametrize(
    "frames",
    [
        b"\xff" * 40, b"\x81\x05hello", b"\xc1\x80\0\0\0\0", b"\x81\xff\x7f" + b"\xff" * 30,
        b"\x83\x80\0\0\0\0",
        b"\x81\x82\0\0\0\0\xff\xfe", b"\x80\x80\0\0\0\0", b"\x89\xfe\x01\0\0\0\0\0" + b"x" * 256,
        b"\x88\x81\0\0\0\0x", b"\x88\x82\0\0\0\0\0\x01",
        b"\x01\xff\0\0\0\0\0\x03\xff\xff\0\0\0\0" + b"x" * 500_000,
    ],
)  # fmt: skip
def test_bad_frames_print_nothing_and_end_the_conversation(
    server: BoardServer, frames: bytes
) -> None:
    with connect(server) as talk, suppress(ConnectionError):
        talk.sendall(request(server, "/{token}/talk", SWITCH))
        assert talk.recv(4096).startswith(b"HTTP/1.1 101")
        talk.sendall(frames)
        talk.shutdown(socket.SHUT_WR)
        while talk.recv(1 << 16):
            pass


def flood(server: BoardServer, crowd: ExitStack, data: bytes, number: int) -> None:
    """So many connections that are left as they are."""
    for _ in range(number):
        talk = crowd.enter_context(connect(server))
        with suppress(ConnectionError):
            talk.sendall(data)


@pytest.mark.parametrize("number", [200, pytest.param(1500, marks=pytest.mark.slow)])
def test_however_many_come_the_page_gets_through(server: BoardServer, number: int) -> None:
    long = b"".join(b"A%d: %s\r\n" % (each, b"x" * 8000) for each in range(8))
    before = server.memory()
    with ExitStack() as crowd:
        page = crowd.enter_context(connect(server))
        page.sendall(request(server, "/{token}/talk", SWITCH))
        assert page.recv(4096).startswith(b"HTTP/1.1 101")
        for data in (
            b"",
            b"GET / HTTP/1.1\r\nHost: x",
            b"GET / HTTP/1.1\r\n" + long,
            request(server, "/{token}/"),
            request(server, "/{token}/talk", SWITCH),
        ):
            flood(server, crowd, data, number)
            load_page(server)
            assert server.files() < MAX_FILES
        assert server.memory() - before < 64 << 20
        page.sendall(b"\x81\x80\0\0\0\0")  # an empty message, which is refused
        heard = b""
        while b"no JSON" not in heard:
            heard += (more := page.recv(1 << 16))
            assert more, "the page was cut off"
    end = time.monotonic() + 30
    while server.files() > OWN_FILES:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_page_gets_through_where_hardly_a_file_may_be_opened(server: BoardServer) -> None:
    resource = pytest.importorskip("resource", reason="processes have no limits")
    pid, kind = server.process.pid, resource.RLIMIT_NOFILE
    before = resource.prlimit(pid, kind)
    resource.prlimit(pid, kind, (server.files() + 20, before[1]))
    try:
        with ExitStack() as crowd:
            flood(server, crowd, b"GET / HTTP/1.1\r\n", 100)
            load_page(server)
    finally:
        resource.prlimit(pid, kind, before)


def test_a_connection_without_the_token_is_closed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "AUTHENTICATION_TIMEOUT", 0.2)

    async def run() -> None:
        server = Server("127.0.0.1", WebGame)
        await server.listen(0)
        try:
            for data in (
                b"",
                b"GET / HTTP/1.1\r\n",
                b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
            ):
                answers, requests = await asyncio.open_connection("127.0.0.1", server.guard.port)
                requests.write(data)
                async with asyncio.timeout(30):
                    with suppress(ConnectionError):
                        await answers.read()  # until the connection ends
                requests.close()
        finally:
            await server.close()

    asyncio.run(run())


def test_the_oldest_connection_of_its_kind_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_UNAUTHENTICATED", 2)
    monkeypatch.setattr(connections, "MAX_AUTHENTICATED", 2)

    async def run() -> None:
        cut: list[int] = []
        crowd = connections.Connections()
        names: list[Any] = list(range(8))
        for name in names:
            crowd.come(name, cast("Any", SimpleNamespace(abort=partial(cut.append, name))))
            if name < 4:
                crowd.know(name)
                if name < 2:
                    crowd.seat(name)
        assert cut == [4, 5]
        crowd.know(names[2])  # has asked again, so it is the newest
        crowd.know(names[6])
        assert cut == [4, 5, 3]
        crowd.leave(names[6])
        crowd.know(names[6])
        crowd.know(names[7])
        assert cut == [4, 5, 3]

    asyncio.run(run())
