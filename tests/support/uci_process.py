"""Drives an engine process through pipes, as a GUI does."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
from types import TracebackType
from typing import Self

from tests.support.places import ROOT

TIMEOUT = 60.0  # seconds; only a hang takes so long
STARTUP = 240.0  # seconds, for kernels that are not yet in the cache


class UciProcess:
    """`python -m cli`, or any other command, with its output read line by line."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=ROOT,
            env=os.environ | environment,
        )
        self.lines: list[str] = []  # all so far
        self._arriving: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._arriving.put(line.decode("ascii").rstrip("\r\n"))
        self._arriving.put(None)

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        """One packet, as a fast GUI would write it."""
        assert self.process.stdin
        self.process.stdin.write(data)

    def until(self, pattern: str, timeout: float = TIMEOUT) -> list[str]:
        """The lines up to the first that matches; AssertionError if it does not come."""
        seen: list[str] = []
        while True:
            try:
                line = self._arriving.get(timeout=timeout)
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} after {seen[-10:]}") from None
            assert line is not None, f"the engine left before {pattern!r}: {seen[-10:]}"
            self.lines.append(line)
            seen.append(line)
            if re.match(pattern, line):
                return seen

    def ready(self, timeout: float = TIMEOUT) -> list[str]:
        self.send("isready")
        return self.until("readyok$", timeout)

    def best(self, *lines: str) -> str:
        """The move that the engine answers to these lines."""
        self.send(*lines)
        return self.until("bestmove ")[-1].split()[1]

    def close_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def wait(self, timeout: float = TIMEOUT) -> int:
        """The exit status."""
        return self.process.wait(timeout)

    def rest(self) -> list[str]:
        """What was printed before the end, up to the end."""
        self._reader.join(TIMEOUT)
        lines: list[str] = []
        while (line := self._arriving.get()) is not None:
            lines.append(line)
        return lines

    def errors(self) -> str:
        assert self.process.stderr
        return self.process.stderr.read().decode()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join(TIMEOUT)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
