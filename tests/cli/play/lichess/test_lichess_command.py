"""`boomslang lichess` as a user starts it, against a mock of both servers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.support.lichess_server import TOKEN, Asked, MockLichess, work
from tests.support.other_engine import other_engine
from tests.support.process import COMMAND as PROGRAM
from tests.support.process import OwnedProcess

_TIMEOUT = 120.0  # seconds
COMMAND = [*PROGRAM, "lichess"]


def environment(folder: Path, token: str | None) -> dict[str, str]:
    """That of the process; its settings are in `folder`."""
    kept = {name: value for name, value in os.environ.items() if name != "LICHESS_API_TOKEN"}
    kept["XDG_CONFIG_HOME"] = str(folder / "settings")
    return kept | ({"LICHESS_API_TOKEN": token} if token else {})


class LichessProcess(OwnedProcess):
    """A context; `lines` are those of both outputs so far."""

    def __init__(
        self, server: MockLichess, folder: Path, *arguments: str, token: str | None = None
    ) -> None:
        given = server.token if token is None else token
        addresses = ["--server", server.address, "--work-server", server.address]
        self.process = subprocess.Popen(
            [*COMMAND, *addresses, *arguments],
            cwd=folder,
            env=environment(folder, given),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.folder = folder
        self.lines: list[str] = []
        self.commands: set[bytes] = set()  # of all processes that were started
        self.environments: set[bytes] = set()  # of the children
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._read)]
        if Path("/proc").is_dir():
            self._threads.append(threading.Thread(target=self._watch))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(10)

    def until(self, pattern: str, patience: float = _TIMEOUT) -> str:
        """Wait for a line; returns it."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            for line in self.lines:
                if re.search(pattern, line):
                    return line
            time.sleep(0.02)
        raise AssertionError(f"no line {pattern!r} in {self.lines}")

    def count(self, pattern: str) -> int:
        """How many lines there are with that."""
        return sum(bool(re.search(pattern, line)) for line in self.lines)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; returns the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(_TIMEOUT)
        self.close()
        return status

    def leaks(self, *secrets: str) -> list[str]:
        """Where one of the secrets can be read: outputs, command lines, environments, files."""
        found = []
        for secret in secrets:
            code = secret.encode()
            found += [f"output: {line}" for line in self.lines if secret in line]
            found += [f"command: {text!r}" for text in self.commands if code in text]
            found += [f"environment: {secret}" for text in self.environments if code in text]
            for path in self.folder.rglob("*"):
                if path.is_file() and not path.name.startswith("lichess-provider-"):
                    found += [f"file: {path}"] if code in path.read_bytes() else []
        return found

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            for process in (self.process.pid, *self.children()):
                try:
                    place = Path(f"/proc/{process}")
                    self.commands.add(place.joinpath("cmdline").read_bytes())
                    if process != self.process.pid:
                        self.environments.add(place.joinpath("environ").read_bytes())
                except OSError:
                    continue


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
