"""The option `Debug Log File` and `--log`: both directions, with times, and never a reason to fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boomslang.engine.errors import CommandError
from boomslang.uci.debug_log import DebugLog
from tests.support.places import ROOT
from tests.support.uci_process import STARTUP, UciProcess

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (>>|<<|--) (.*)")


def logged(path: Path) -> list[tuple[str, str]]:
    """The directions and texts of a log, each line of which is whole."""
    text = path.read_text("utf-8", "surrogateescape")
    assert text.endswith("\n")
    found = [LINE.fullmatch(line) for line in text.split("\n")[:-1]]
    assert all(found), text
    return [(match[1], match[2]) for match in found if match]


def test_lines_of_both_directions(tmp_path: Path) -> None:
    log, path = DebugLog(), tmp_path / "engine.log"
    log.received(b"lost")  # no log yet
    log.open(str(path))
    log.received(b"go depth 1\r")
    log.sent(b"info depth 1\nbestmove e2e4\n")
    log.received("position \x1b[31m Ж".encode())
    log.close()
    log.received(b"lost")
    first, *rest = logged(path)
    assert first[0] == "--" and first[1].startswith("Boomslang ")
    assert rest == [
        (">>", "go depth 1?"),
        ("<<", "info depth 1"),
        ("<<", "bestmove e2e4"),
        (">>", "position ?[31m Ж"),
    ]
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600
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
        log.sent(b"nothing happens\n")


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_a_session_is_logged_from_the_first_word(protocol: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    arguments = ["xboard"] if protocol == "cecp" else []
    with UciProcess(*arguments, "--log", str(path)) as engine:
        if protocol == "uci":
            engine.send("uci", "isready", "go depth 1")
            engine.until("bestmove", STARTUP)
        else:
            engine.send("xboard", "protover 2", "new", "ping 1")
            engine.until("pong 1", STARTUP)
        engine.send("quit")
        assert engine.wait() == 0
    lines = logged(path)
    assert lines[0][0] == "--"
    if protocol == "uci":
        assert lines[1] == (">>", "uci")
        assert ("<<", "uciok") in lines and (">>", "go depth 1") in lines
        assert any(way == "<<" and text.startswith("bestmove ") for way, text in lines)
    else:
        assert lines[1] == (">>", "xboard")
        assert ("<<", "pong 1") in lines and ("<<", "feature done=1") in lines


def test_the_option_begins_changes_and_ends_it(tmp_path: Path) -> None:
    one, other = tmp_path / "one.log", tmp_path / "other.log"
    with UciProcess() as engine:
        engine.send(f"setoption name Debug Log File value {one}", "isready")
        engine.until("readyok", STARTUP)
        engine.send(f"setoption name Debug Log File value {other}", "isready")
        engine.until("readyok", STARTUP)
        engine.send("setoption name Debug Log File value /nowhere/x.log", "isready")
        assert engine.until("info string error: no debug log: ", STARTUP)
        engine.until("readyok", STARTUP)
        engine.send("setoption name Debug Log File value <empty>", "isready")
        engine.until("readyok", STARTUP)
        engine.send("quit")
        assert engine.wait() == 0
    assert ("<<", "readyok") in logged(one)
    answers = [text for way, text in logged(other) if way == "<<"]
    assert [text for text in answers if not text.startswith("info string error: ")] == [
        "readyok"
    ] * 2
    assert len(answers) == 3


def test_a_log_that_cannot_be_written_is_reported_and_the_engine_plays(tmp_path: Path) -> None:
    with UciProcess("--log", str(tmp_path)) as engine:
        engine.send("uci", "isready", "go depth 1")
        lines = engine.until("bestmove", STARTUP)
        assert sum(line.startswith("info string error: no debug log: ") for line in lines) == 1
        assert lines[0].startswith("id name ")
        engine.send("quit")
        assert engine.wait() == 0


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_full_disk_ends_the_log_and_not_the_game(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"

    def few_bytes() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    command = [sys.executable, "-P", "-m", "boomslang", "--log", str(path)]
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
    assert done.stdout.count(b"info string error: the debug log has ended: ") == 1
    assert path.stat().st_size <= 2000


def test_debug_on_reports_the_time(live: UciProcess) -> None:
    live.send("debug on", "go movetime 30")
    found = live.until("bestmove")[-2]
    assert re.fullmatch(r"info string time: \d+ ms, hard limit \d+ ms, lag .*", found)
    live.send("go depth 2")
    assert ", no limit of time, " in live.until("bestmove")[-2]
    live.send("debug off", "go depth 2")
    assert not any("time: " in line for line in live.until("bestmove"))
