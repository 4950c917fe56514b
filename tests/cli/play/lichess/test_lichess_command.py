"""`boomslang lichess` as a user starts it, against a mock of both servers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.lichess_process import COMMAND, LichessProcess, environment
from tests.support.lichess_server import TOKEN, Asked, MockLichess, work
from tests.support.other_engine import other_engine

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc"),
]

TIMEOUT = 60.0  # seconds
ENDLESS = {"depth": None, "movetime": 86_400_000}
NEEDED = ("depth", "multipv", "score", "nodes", "time", "pv")  # by the API in each line


def finish(asked: Asked) -> list[str]:
    """The lines of the answer."""
    assert asked.over.wait(TIMEOUT), asked.work
    return asked.lines


def check_lines(lines: list[str]) -> None:
    for line in lines[:-1]:
        words = line.split()
        assert words[0] == "info" and all(name in words for name in NEEDED), line
    assert lines[-1].startswith("bestmove ")


def test_it_registers_works_and_ends(tmp_path: Path) -> None:
    with (
        MockLichess() as server,
        LichessProcess(server, tmp_path, "--name", "Mine", "--threads", "2") as process,
    ):
        process.until("registered 'Mine'; waiting for work")
        assert server.engines[0]["maxThreads"] == 2 and server.engines[0]["maxHash"] == 512
        lines = finish(server.ask(work(depth=6, multiPv=2, threads=64)))
        check_lines(lines)
        assert len(lines) >= 12
        chess960 = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w KQkq - 0 1"
        castling = work(variant="chess960", initialFen=chess960, moves=["g2g3", "g7g6"], nodes=500)
        check_lines(finish(server.ask(castling)))
        mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        assert finish(server.ask(work(initialFen=mate)))[-1] == "bestmove (none)"
        process.until("work 1: done: depth 6, ")
        running = server.ask(work(**ENDLESS))
        assert running.thinking.wait(TIMEOUT)
        engines = process.children()
        assert process.end(signal.SIGINT) == 0
        assert process.lines[-1].endswith(" ended")
        assert [each for each in engines if Path(f"/proc/{each}/cmdline").exists()] == []
        assert process.leaks(TOKEN, *server.secrets) == []
        others = {given for _, path, given in server.seen if "/work" in path}
        assert others == {None}  # the work server never gets the token
        again = LichessProcess(server, tmp_path, "--name", "Mine")
        with again:
            again.until("updated the registration of 'Mine'")
            assert len(server.engines) == 1 and len(set(server.secrets)) == 1


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_it_ends_while_it_waits(number: int, tmp_path: Path) -> None:
    with MockLichess(poll=30.0) as server, LichessProcess(server, tmp_path) as process:
        process.until("waiting for work")
        assert server.polled.wait(TIMEOUT)
        assert process.end(number) == 0


def test_another_engine_may_know_no_chess960_and_die(tmp_path: Path) -> None:
    engine = other_engine(tmp_path, "mortal")
    with MockLichess() as server, LichessProcess(server, tmp_path, "--engine", engine) as process:
        *_, line, best = finish(server.ask(work(depth=3, moves=["e2e4", "e7e5"])))
        assert re.sub(r" (seldepth|nps|hashfull|tbhits) 0", "", line) == (
            "info depth 4 multipv 1 score cp 2 nodes 7 time 0 pv a2a3"
        )
        assert best == "bestmove a2a3"
        process.until("work 1: done")
        assert finish(server.ask(work(depth=3, moves=["e2e4"])))[-1] == "bestmove (none)"
        process.until(r"work 2: not done: the engine has died \(its last remark: out of ideas\)")
        assert finish(server.ask(work(depth=3)))[-1] == "bestmove a2a3"


@pytest.mark.slow
def test_an_engine_that_dies_is_started_again(tmp_path: Path) -> None:
    with MockLichess() as server, LichessProcess(server, tmp_path) as process:
        asked = server.ask(work(depth=None, movetime=1500))
        assert asked.thinking.wait(TIMEOUT)
        for engine in process.children():
            os.kill(engine, signal.SIGKILL)
        check_lines(finish(asked))
        process.until("it is started again")
        process.until("work 1: done")


def test_a_wrong_token_is_not_repeated(tmp_path: Path) -> None:
    wrong = "lip_wrongButWellFormed01"
    with MockLichess() as server, LichessProcess(server, tmp_path, token=wrong) as process:
        assert process.process.wait(TIMEOUT) == 2
        assert "No such token: Bearer (secret)" in process.until("refuses the token")
        assert process.leaks(wrong) == []


def refused(folder: Path, *arguments: str, token: str | None = None) -> str:
    """The line that refuses a start."""
    ended = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(folder, token),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    return line


def test_what_is_refused_before_it_begins(tmp_path: Path) -> None:
    assert "there is no token; create one" in refused(tmp_path)
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    said = refused(tmp_path, "--token-file", "token")
    assert "other users can read 'token'" in said and "chmod 600" in said and TOKEN not in said
    said = refused(tmp_path, "--token", TOKEN)
    assert "does not belong on the command line" in said and TOKEN not in said
    said = refused(tmp_path, "--server", "http://example.org", token=TOKEN)
    assert "unencrypted; use https" in said


def test_a_private_file_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "settings" / "boomslang" / "lichess-token"
    file.parent.mkdir(parents=True)
    file.touch(0o600)
    file.write_text(TOKEN + "\n")
    with MockLichess() as server, LichessProcess(server, tmp_path, token="") as process:
        process.until("waiting for work")
        file.unlink()
        assert process.leaks(TOKEN, *server.secrets) == []
