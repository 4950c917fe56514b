from __future__ import annotations

import threading
from collections.abc import Iterable

import pytest

from uci import output, reader
from uci.output import Output

PATIENCE = 30.0


def read(*packets: bytes) -> list[tuple[bytes, bool]]:
    remaining = iter([*packets, b""])
    return list(reader.lines(lambda: next(remaining)))


@pytest.mark.parametrize(
    ("packets", "lines"),
    [
        ([b"uci\nisready\n"], [b"uci", b"isready"]),
        ([b"u", b"c", b"i\nis", b"ready\n"], [b"uci", b"isready"]),
        ([b"uci\r\n\r\n"], [b"uci\r", b"\r"]),
        ([b"quit"], [b"quit"]),
        (["a\u2028b\x1cc\x0b\x0cd\n".encode()], ["a\u2028b\x1cc\x0b\x0cd".encode()]),
        ([], []),
    ],
)
def test_lines_end_at_line_feeds_only(packets: Iterable[bytes], lines: list[bytes]) -> None:
    assert read(*packets) == [(line, True) for line in lines]


def test_long_lines_are_cut_and_told() -> None:
    longest = b"x" * reader.LONGEST_LINE
    assert read(longest + b"\nuci\n") == [(longest, True), (b"uci", True)]
    assert read(longest, b"yyy", longest, b"\nuci\n") == [(longest, False), (b"uci", True)]
    assert read(longest + b"y") == [(longest, False)]


def test_a_closed_input_is_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "STANDARD_INPUT", 1_000_000)
    assert reader.read_pipe() == b""


def test_lines_leave_whole_and_in_order() -> None:
    written: list[bytes] = []
    out = Output(written.append, lambda: None)
    out.line("one")
    out.say("two")
    out.line("žluť")
    assert out.drain(PATIENCE)
    assert written == [b"one\n", b"info string two\n", b"\\u017elu\\u0165\n"]


def test_nobody_waits_for_a_reader_that_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_LONGEST_BACKLOG", 3)
    written: list[bytes] = []
    gate = threading.Event()

    def write(data: bytes) -> None:
        assert gate.wait(PATIENCE)
        written.append(data)

    out = Output(write, lambda: None)
    for number in range(20):
        out.news(f"info depth {number}")
    out.line("bestmove e2e4")
    assert not out.drain(0.01)
    gate.set()
    assert out.drain(PATIENCE)
    assert len(written) < 10 and written[-1] == b"bestmove e2e4\n"


def test_a_broken_output_is_told() -> None:
    broken = threading.Event()

    def write(data: bytes) -> None:
        raise BrokenPipeError

    Output(write, broken.set).line("uciok")
    assert broken.wait(PATIENCE)


def test_all_is_written_even_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    written = bytearray()
    refusals = iter([True, False, False, True])

    def write(file: int, data: memoryview) -> int:
        if next(refusals, False):
            raise BlockingIOError
        written.extend(data[:3])
        return len(data[:3])

    monkeypatch.setattr("uci.output.os.write", write)
    output.write_to_pipe(b"bestmove e2e4\n")
    assert written == b"bestmove e2e4\n"
