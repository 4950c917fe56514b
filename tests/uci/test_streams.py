from __future__ import annotations

import os
import select
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from boomslang.uci import line_reader, output
from boomslang.uci.output import Output

TIMEOUT = 30.0


def read(*packets: bytes) -> list[tuple[bytes, bool]]:
    remaining = iter([*packets, b""])
    return list(line_reader.lines(lambda: next(remaining)))


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


def test_long_lines_are_truncated_and_reported() -> None:
    longest = b"x" * line_reader.MAX_LINE
    assert read(longest + b"\nuci\n") == [(longest, True), (b"uci", True)]
    assert read(longest, b"yyy", longest, b"\nuci\n") == [(longest, False), (b"uci", True)]
    assert read(longest + b"y") == [(longest, False)]


def test_a_closed_input_is_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "STANDARD_INPUT", 1_000_000)
    assert line_reader.read_pipe() == b""


def test_lines_leave_whole_and_in_order() -> None:
    written: list[bytes] = []
    out = Output(written.append, lambda: None)
    out.line("one")
    out.say("two")
    out.line("žluť")
    assert out.drain(TIMEOUT)
    assert written == [b"one\n", b"info string two\n", b"\\u017elu\\u0165\n"]


def test_a_slow_reader_does_not_delay_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_MAX_BACKLOG", 3)
    written: list[bytes] = []
    gate = threading.Event()

    def write(data: bytes) -> None:
        assert gate.wait(TIMEOUT)
        written.append(data)

    out = Output(write, lambda: None)
    for number in range(20):
        out.news(f"info depth {number}")
        out.flush()
    out.line("bestmove e2e4")
    assert not out.drain(0.01)
    gate.set()
    assert out.drain(TIMEOUT)
    assert len(written) < 10 and written[-1] == b"bestmove e2e4\n"


@pytest.mark.parametrize("room", [0, 100])
def test_a_broken_output_is_reported(room: int) -> None:
    broken = threading.Event()

    def write(data: bytes) -> None:
        raise BrokenPipeError

    Output(write, broken.set, lambda: room).line("uciok")
    assert broken.wait(TIMEOUT)


def test_news_wait_for_the_next_line() -> None:
    written: list[bytes] = []
    out = Output(written.append, lambda: None, lambda: 100)
    out.news("info depth 1")
    out.news("info depth 2")
    assert written == []
    out.flush()
    out.flush()
    assert written == [b"info depth 1\ninfo depth 2\n"]
    out.news("info depth 3")
    out.line("bestmove e2e4")
    assert written[1:] == [b"info depth 3\nbestmove e2e4\n"]
    out.news("info depth 4")
    assert out.drain(TIMEOUT) and written[2:] == [b"info depth 4\n"]


def test_what_a_pipe_has_room_for_is_written_at_once_and_in_order() -> None:
    writers: list[str] = []
    written: list[bytes] = []
    room = 20
    gate = threading.Event()

    def write(data: bytes) -> None:
        assert threading.current_thread() is threading.main_thread() or gate.wait(TIMEOUT)
        writers.append(threading.current_thread().name)
        written.append(data)

    out = Output(write, lambda: None, lambda: room)
    out.line("readyok")
    assert written == [b"readyok\n"]
    out.line("x" * 20)  # too long with its end
    out.line("bestmove e2e4")  # there is room, but it is not its turn
    assert written == [b"readyok\n"]
    gate.set()
    assert out.drain(TIMEOUT)
    assert written == [b"readyok\n", b"x" * 20 + b"\n", b"bestmove e2e4\n"]
    assert writers == [threading.main_thread().name, "output", "output"]


@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system tells nothing about its pipes")
def test_the_room_in_a_pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    theirs, ours = os.pipe()
    monkeypatch.setattr(output, "STANDARD_OUTPUT", ours)
    assert output.room_in_pipe() == select.PIPE_BUF
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(ours, b"x" * select.PIPE_BUF)
    assert output.room_in_pipe() == 0
    os.close(theirs)
    os.close(ours)
    assert output.room_in_pipe() == 0
    with (tmp_path / "file").open("wb") as file:
        monkeypatch.setattr(output, "STANDARD_OUTPUT", file.fileno())
        assert output.room_in_pipe() == 0


def test_all_is_written_even_in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    written = bytearray()
    refusals = iter([True, False, False, True])

    def write(file: int, data: memoryview) -> int:
        if next(refusals, False):
            raise BlockingIOError
        written.extend(data[:3])
        return len(data[:3])

    monkeypatch.setattr("boomslang.uci.output.os.write", write)
    output.write_to_pipe(b"bestmove e2e4\n")
    assert written == b"bestmove e2e4\n"
