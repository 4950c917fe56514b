"""`boomslang lichess` as a process, as a user starts it, with everything kept that could show a secret."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from tests.support.lichess_server import MockLichess
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
