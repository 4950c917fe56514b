"""The option `Debug Log File` and `--log`: both directions, with times, and never a reason to fail."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from boomslang.engine.errors import CommandError
from boomslang.uci import debug_log
from boomslang.uci.debug_log import DebugLog
from tests.support.places import ROOT
from tests.support.process import STARTUP, TIMEOUT, UciProcess

LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) (\d+) (>>|<<|--) (.*)")


def logged(path: Path) -> list[tuple[str, str]]:
    """The directions and texts of a log, each line of which is whole."""
    text = path.read_text("utf-8", "surrogateescape")
    assert text.endswith("\n")
    found = [LINE.fullmatch(line) for line in text.split("\n")[:-1]]
    assert all(found), text
    return [(match[3], match[4]) for match in found if match]


def test_lines_of_both_directions(tmp_path: Path) -> None:
    log, path = DebugLog(), tmp_path / "engine.log"
    for number in range(100):
        log.record_received(b"before %d" % number)
    log.record_sent(b"readyok\n")  # no log yet
    log.open(str(path))
    log.record_received(b"go depth 1\r")
    log.record_sent(b"info depth 1\t\nbestmove e2e4\n")
    log.record_received("position \x1b[31m Ж".encode())
    log.drain(TIMEOUT)
    log.close()
    log.record_sent(b"lost\n")
    first, *rest = logged(path)
    assert first[0] == "--" and first[1].startswith("Boomslang ")
    assert rest[:99] == [(">>", f"before {number}") for number in range(1, 100)]
    assert rest[99] == ("<<", "readyok")
    assert rest[100:] == [
        (">>", "go depth 1?"),
        ("<<", "info depth 1\t"),
        ("<<", "bestmove e2e4"),
        (">>", "position ?[31m Ж"),
    ]
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600
    processes = [
        match[2] for match in map(LINE.fullmatch, path.read_text("utf-8").splitlines()) if match
    ]
    assert set(processes) == {str(os.getpid())}
    log.open(str(path))  # another game: at the end
    log.open("")
    assert [direction for direction, _ in logged(path)].count("--") == 2


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    places = [tmp_path, tmp_path / "missing" / "x.log", Path("a\0b")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        places += [tmp_path / "pipe", Path("/dev/full")]
    for place in places:
        log = DebugLog()
        with pytest.raises(CommandError, match="no debug log"):
            log.open(str(place))
        log.record_sent(b"nothing happens\n")


def test_no_caller_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, path, gate = DebugLog(), tmp_path / "engine.log", threading.Event()
    write = os.write

    def slow_write(file: int, data: bytes) -> int:
        if threading.current_thread().name == "debug log":
            assert gate.wait(TIMEOUT)
        return write(file, data)

    monkeypatch.setattr(debug_log, "_MAX_BACKLOG", 50)
    monkeypatch.setattr(os, "write", slow_write)
    log.open(str(path))
    for number in range(100):
        log.record_received(b"%d" % number)  # the test would never get past the first
    log.drain(0.01)
    gate.set()
    log.drain(TIMEOUT)
    log.record_received(b"quick again")
    log.close()
    (_, *lines), last = logged(path)[:-1], logged(path)[-1]
    noted = [number for number, (way, _) in enumerate(lines) if way == "--"]
    assert len(noted) == 1 and "lines are missing" in lines[noted[0]][1]
    assert [text for way, text in lines if way == ">>"] == [str(n) for n in range(noted[0])]
    assert noted[0] >= 49 and last == (">>", "quick again")


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_a_game_is_logged_from_the_first_word(protocol: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    arguments = ["xboard"] if protocol == "cecp" else []
    sent: list[str] = []

    def send(*lines: str) -> None:
        sent.extend(lines)
        engine.send(*lines)

    with UciProcess(*arguments, "--log", str(path)) as engine:
        moves: list[str] = []
        if protocol == "uci":
            send("uci", "isready")
            engine.until("readyok$", STARTUP)
        else:
            send("xboard", "protover 2", "new", "sd 1", "ping 1")
            engine.until("pong 1$", STARTUP)
        for _ in range(4):
            if protocol == "uci":
                send(f"position startpos moves {' '.join(moves)}".removesuffix(" moves "))
            send("go depth 1" if protocol == "uci" else "go")
            moves.append(engine.until("(best)?move ", STARTUP)[-1].split()[1])
        send("quit")
        assert engine.wait() == 0
        received = engine.lines + engine.rest()
    lines = logged(path)
    assert lines[0][0] == "--"
    assert [text for way, text in lines if way == ">>"] == sent
    assert [text for way, text in lines if way == "<<"] == received
    # Every move is after the `go` that asks for it, and before the next line of the GUI.
    course = [text.split()[0] for way, text in lines if way == ">>" or "move " in text[:9]]
    first, last = course.index("go"), len(course) - course[::-1].index("go")
    begins = ["go", "bestmove", "position"] if protocol == "uci" else ["go", "move"]
    assert course[first : last + 1] == (begins * 4)[: last + 1 - first]
    times = [line[:23] for line in path.read_text("utf-8").splitlines()]
    assert times == sorted(times)


def test_the_option_begins_changes_and_ends_it(live: UciProcess, tmp_path: Path) -> None:
    one, other = tmp_path / "one.log", tmp_path / "other.log"
    for path in (one, other):
        live.send(f"setoption name Debug Log File value {path}")
        live.ready()
    live.send("setoption name Debug Log File value /nowhere/x.log")
    live.until("info string error: no debug log: ")
    live.ready()
    live.send("setoption name Debug Log File value <empty>")
    live.ready()
    assert ("<<", "readyok") in logged(one)
    answers = [text for way, text in logged(other) if way == "<<"]
    assert [text for text in answers if not text.startswith("info string error: ")] == [
        "readyok"
    ] * 2
    assert len(answers) == 3


@pytest.mark.parametrize(("protocol", "place"), [("uci", 0), ("uci", 5), ("cecp", 2)])
def test_lines_sent_together_with_the_option_are_logged(
    protocol: str, place: int, tmp_path: Path
) -> None:
    path = tmp_path / "engine.log"
    if protocol == "uci":
        option, end = f"setoption name Debug Log File value {path}", "bestmove"
        sent = ["uci", "setoption name Hash value 2", "ucinewgame", "position startpos moves d2d4"]
        sent.append("go depth 1")
    else:
        option, end = f"option DebugLogFile={path}", "move"
        sent = ["xboard", "protover 2", "new", "sd 1", "usermove d2d4"]
    sent.insert(place, option)
    with UciProcess(*(["xboard"] if protocol == "cecp" else [])) as engine:
        engine.send_bytes("".join(f"{line}\n" for line in sent).encode())
        engine.until(f"{end} ", STARTUP)
        engine.send("quit")
        assert engine.wait() == 0
    assert [text for way, text in logged(path) if way == ">>"] == [*sent, "quit"]


def test_a_log_that_cannot_be_written_is_reported_and_the_engine_plays(tmp_path: Path) -> None:
    with UciProcess("--log", str(tmp_path)) as engine:
        engine.send("uci", "isready", "go depth 1")
        lines = engine.until("bestmove", STARTUP)
        assert sum(line.startswith("info string error: no debug log: ") for line in lines) == 1
        assert lines[0].startswith("id name ")
        engine.send("quit")
        assert engine.wait() == 0


def test_a_log_that_fails_does_not_end_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, first, second = DebugLog(), tmp_path / "first", tmp_path / "second"
    write, gate, is_failing = os.write, threading.Event(), threading.Event()

    def fail_late(file: int, data: bytes) -> int:
        if b"fails" not in data:
            return write(file, data)
        is_failing.set()
        assert gate.wait(TIMEOUT)
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(os, "write", fail_late)
    log.open(str(first))
    log.record_received(b"fails")
    assert is_failing.wait(TIMEOUT)
    log.open(str(second))
    threads = [thread for thread in threading.enumerate() if thread.name == "debug log"]
    gate.set()
    threads[0].join(TIMEOUT)
    assert not threads[0].is_alive() and not log.take_problem()
    log.record_received(b"isready")
    log.drain(TIMEOUT)
    log.close()
    assert logged(second)[-1] == (">>", "isready")
    log.open(str(first))
    log.record_received(b"fails")
    log.drain(TIMEOUT)
    log.record_received(b"after it")
    assert log.take_problem() == "error: the debug log is switched off: disk full"
    assert not log.take_problem() and "after it" not in first.read_text("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_full_disk_ends_the_log_and_not_the_game(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"

    def few_bytes() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    # Without -B, Python 3.11 would keep the first 2,000 bytes of its bytecode.
    command = [sys.executable, "-B", "-P", "-m", "boomslang", "--log", str(path)]
    words = b"uci\nisready\nposition startpos\ngo depth 3\n"
    done = subprocess.run(
        command,
        cwd=ROOT,
        input=words,
        capture_output=True,
        preexec_fn=few_bytes,
        timeout=STARTUP,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0
    assert b"\nbestmove " in done.stdout
    assert done.stdout.count(b"info string error: the debug log is switched off: ") == 1
    assert path.stat().st_size <= 2000


def test_debug_on_reports_the_time(live: UciProcess) -> None:
    live.send("debug on", "go movetime 30")
    found = live.until("bestmove")[-2]
    assert re.fullmatch(r"info string time: \d+ ms, hard limit \d+ ms, lag .*", found)
    live.send("go depth 2")
    assert ", no limit of time, " in live.until("bestmove")[-2]
    live.send("debug off", "go depth 2")
    assert not any("time: " in line for line in live.until("bestmove"))
