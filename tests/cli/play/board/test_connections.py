"""Strangers on the port: what they send prints nothing."""

from __future__ import annotations

import random
import socket
import ssl
import struct
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from tests.support.board_server import BoardServer

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")

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
