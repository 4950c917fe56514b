"""Two ways to talk to the engine: in this process, which is fast, and through pipes, as a GUI does.

After every input the engine must settle: say that it is ready, within a time that only a hang needs.
"""

from __future__ import annotations

import queue
import re
import time
from contextlib import AbstractContextManager
from typing import Final, Protocol
from unittest import mock

from boomslang.engine import options
from boomslang.engine.driver.loading import KernelLoader
from boomslang.uci.cecp.loop import CecpLoop
from boomslang.uci.line_reader import MAX_LINE
from boomslang.uci.loop import UciLoop
from boomslang.uci.output import Output
from tests.support.process import UciProcess

HANG: Final = 30.0  # seconds
MEGABYTES: Final = 64  # the largest table while inputs are tried
_COMPILE_TIMEOUT: Final = 300.0  # seconds
_NODES_OF_A_KERNEL: Final = 500  # in the known search, more than plain Python ever counts


class FindingError(Exception):
    """The engine did what it never should."""


class Talk(Protocol):
    """Bytes to the engine, lines from it; `patience` is how many seconds one may take to come."""

    patience: float

    def send(self, data: bytes) -> None:
        """Whole lines, each with its line feed."""

    def until(self, pattern: str) -> list[str]:
        """The lines up to the first that matches; raises FindingError."""


class InProcess:
    """The protocol's loop in this process, with the kernels of this process."""

    def __init__(self, protocol: str) -> None:
        self.patience = HANG
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        output = Output(self._write, lambda: None)
        kernels = KernelLoader(lambda text: None)
        self.front: UciLoop | CecpLoop = (UciLoop if protocol == "uci" else CecpLoop)(
            output, kernels
        )
        kernels.wait()

    def send(self, data: bytes) -> None:
        for line in data.removesuffix(b"\n").split(b"\n"):
            self.front.execute(line[:MAX_LINE], len(line) <= MAX_LINE)

    def until(self, pattern: str) -> list[str]:
        seen: list[str] = []
        while not seen or not re.match(pattern, seen[-1]):
            try:
                seen.append(self._lines.get(timeout=self.patience))
            except queue.Empty:
                raise FindingError(f"no {pattern} after {seen[-3:]}") from None
        return seen

    def _write(self, data: bytes) -> None:
        for line in data.decode("ascii").removesuffix("\n").split("\n"):
            self._lines.put(line)


class ThroughPipes:
    """A process of its own."""

    def __init__(self, protocol: str) -> None:
        self.patience = HANG
        self.process = UciProcess(*([] if protocol == "uci" else ["xboard"]))

    def send(self, data: bytes) -> None:
        try:
            self.process.send_bytes(data)
        except BrokenPipeError:
            raise FindingError(self._end()) from None

    def until(self, pattern: str) -> list[str]:
        try:
            return self.process.until(pattern, self.patience)
        except AssertionError as problem:
            raise FindingError(f"{problem}; {self._end()}") from None

    def _end(self) -> str:
        status = self.process.process.poll()
        return "hangs" if status is None else f"exit {status}: {self.process.errors()[-300:]}"


class Conversation:
    """What the fuzzers and the soak test say in either protocol."""

    def __init__(self, talk: Talk, protocol: str) -> None:
        self.talk = talk
        self.is_uci = protocol == "uci"
        self.slowest = 0.0  # seconds to settle
        self._pings = 0

    def settle(self) -> list[str]:
        """End what is going on, and hear all that is still to be said; raises FindingError."""
        self._pings += 1
        begun = time.monotonic()
        if self.is_uci:
            # Inputs ask for `readyok` too, so the last of them needs a mark behind it.
            self.talk.send(b"stop\nisready\nsetoption name mark %d\n" % self._pings)
            lines = self.talk.until(f"info string error: unknown option 'mark {self._pings}'$")
            if "readyok" not in lines:
                raise FindingError(f"isready is not answered: {lines[-3:]}")
        else:
            # The full stop ends the mode for editing boards, and nobody shall be thinking.
            self.talk.send(b".\nforce\nexit\nping %d\n" % (self._pings + 10**12))
            lines = self.talk.until(f"pong {self._pings + 10**12}$")
        self.slowest = max(self.slowest, time.monotonic() - begun)
        for line in lines:
            if not line.isprintable() and not line.replace("\t", "").isprintable():
                raise FindingError(f"prints control characters: {line!r}")
            if re.search(r"internal error|search failed|the search answered|Traceback", line):
                raise FindingError(f"says: {line}")
        return lines

    def warm(self) -> None:
        """Wait for the kernels, so that nothing is answered by plain Python."""
        self.talk.patience = _COMPILE_TIMEOUT
        until = time.monotonic() + _COMPILE_TIMEOUT
        while time.monotonic() < until:
            self.settle()
            if self.is_uci:
                self.talk.send(b"position startpos\neval\n")
                is_warm = any(line.startswith("Final evaluation") for line in self.settle())
            else:
                is_warm = self.known_search() > _NODES_OF_A_KERNEL
            if is_warm:
                self.talk.patience = HANG
                return
        raise FindingError("the kernels do not come")

    def known_search(self) -> int:
        """Nodes of a fixed search, with every option as it was at the start; raises FindingError."""
        self.settle()
        talk = self.talk
        form = "setoption name {} value {}\n" if self.is_uci else "option {}={}\n"
        truth = ("false", "true") if self.is_uci else ("0", "1")
        values = [
            (option.name, truth[bool(option.default)] if option.kind == "check" else option.default)
            for option in options.OPTIONS
            if option.kind != "button"
        ]
        talk.send("".join(form.format(*value) for value in values).encode())
        if self.is_uci:
            talk.send(b"ucinewgame\nposition startpos moves e2e4 e7e5\n")
            self.settle()
            talk.send(b"go depth 5\n")
            lines = talk.until("bestmove ")
            found = [re.search(r" nodes (\d+) ", line) for line in lines]
        else:
            talk.send(
                b"easy\nmemory 16\ncores 1\nnew\nforce\nnps 0\nlevel 0 600 0\nsd 5\ntime 6000000\n"
            )
            talk.send(b"usermove e2e4\nusermove e7e5\npost\noption Resign=0\n")
            self.settle()
            talk.send(b"go\n")
            lines = talk.until("move ")
            found = [re.match(r"\d+ -?\d+ \d+ (\d+) \d+ .*\t", line) for line in lines]
        numbers = [int(match[1]) for match in found if match]
        if not numbers:
            raise FindingError(f"a known search tells nothing: {lines}")
        return numbers[-1]


def small_tables() -> AbstractContextManager[object]:
    """Nobody's memory is filled by a mutated number while the block runs."""
    return mock.patch("boomslang.engine.driver.searcher.largest_table", lambda: MEGABYTES)
