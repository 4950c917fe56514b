"""Processes of the engine and its commands, driven through pipes as a GUI or a shell does."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.support.places import ROOT

COMMAND = [sys.executable, "-P", str(ROOT / "cli" / "__main__.py")]
TIMEOUT = 60.0  # seconds; only a hang takes so long
STARTUP = 240.0  # seconds, for kernels that are not yet in the cache
# What Python says of Ctrl-C before the first line of a program: no frame is one of ours.
BEFORE_OUR_CODE = re.compile(
    r"(?:Fatal Python error: .*\n|Python runtime state: .*\n|Could not import runpy module\n)*"
    r"(?:Traceback \(most recent call last\):\n"
    r"(?:  File \"(?:<frozen [^\"]+>|(?![^\"]*(?:site-packages|multiprocessing))[^\"]*/lib/python3[^\"]*)\""
    r", .*\n(?:    .*\n)*"
    r"|  File \"[^\"]*\", line 0, in <module>\n)*"
    r"(?:KeyboardInterrupt\n|.*\n\nDuring handling of the above exception, another .*\n\n))+"
)
THINKING = re.compile(r"(\d+) (-?\d+) (\d+) (\d+) (\d+) (\d+) (\d+)\t(.*)")


def run_python(
    *words: str | Path,
    folder: Path = ROOT,
    given: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """How Python ends with these words and this input; it finds the package from any folder."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(variables or {}),
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=STARTUP,
    )


def living() -> dict[int, tuple[int, int]]:
    """Parent and session of every living process; empty where there is no /proc."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just left
            words = status.read_text("ascii", "replace").rpartition(")")[2].split()
            if words[0] not in "ZX":
                found[int(status.parent.name)] = int(words[1]), int(words[3])
    return found


class OwnedProcess:
    """A process that ends with the block; its pipes are closed then."""

    process: subprocess.Popen[Any]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.kill()
        self.process.wait()
        self.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    def close(self) -> None:
        """What else has to end when the process has ended."""

    def children(self) -> list[int]:
        """The living processes below this one (Linux)."""
        parents = {child: parent for child, (parent, _) in living().items()}
        found, fresh = set[int](), {self.process.pid}
        while fresh:
            fresh = {child for child, parent in parents.items() if parent in fresh} - found
            found |= fresh
        return sorted(found)


class UciProcess(OwnedProcess):
    """`python -m cli`, or any other command, with its output read line by line."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
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

    def close(self) -> None:
        self._reader.join(TIMEOUT)


class CecpProcess(UciProcess):
    """A `boomslang` that was asked for `xboard`; `features` are its words for what it can do."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        super().__init__(*arguments, **environment)
        self._pings = 0
        self.send("xboard", "protover 2")
        lines = self.until("feature done=1$")
        self.features = [line.removeprefix("feature ") for line in lines if line.strip()]

    def warm(self) -> None:
        """Wait for the kernels, which may take longer than any command does."""
        self.send("sd 30", "st 100", "post", "analyze")
        self.until("([89]|1[0-9]) ", STARTUP)  # plain Python does not get so deep
        self.send("exit", "nopost", "new")
        self.settled()

    def ask(self, *lines: str) -> list[str]:
        """All that is answered to these lines, remarks left out."""
        self._pings += 1
        self.send(*lines, f"ping {self._pings}")
        return [line for line in self.settled_by(self._pings) if not line.startswith("#")]

    def settled(self) -> None:
        """Wait until everything is done."""
        self.ask()

    def settled_by(self, number: int) -> list[str]:
        """The lines before that pong."""
        return self.until(f"pong {number}$")[:-1]

    def move(self, *lines: str) -> str:
        """The move that is answered to these lines."""
        self.send(*lines)
        return self.until("move ")[-1].split()[1]


@dataclass
class Ended:
    """How a process ended."""

    seconds: float  # from the signal until it and all that it had started were gone
    status: int
    said: str  # on standard error
    asked: int

    @property
    def faults(self) -> list[str]:
        """What is wrong with it; that it took too long is for whoever knows how busy the machine is."""
        said = BEFORE_OUR_CODE.sub("", self.said)
        allowed = {128 + self.asked, -self.asked}  # the second before Python runs our code
        if self.said and not said:
            allowed.add(1)  # so does Python when it is interrupted at its own start
        found = [] if self.status in allowed else [f"status {self.status}: {self.said[-500:]}"]
        if "Traceback" in said or "Exception" in said:
            found.append(f"says {said[-2000:]}")
        return found


def session(leader: int) -> list[int]:
    """The living processes of a session; Linux only, elsewhere there seem to be none."""
    return [process for process, (_, its) in living().items() if its == leader]


def end(
    arguments: Sequence[str],
    number: int,
    moment: float | Callable[[subprocess.Popen[bytes]], object],
    *,
    folder: Path,
    times: int = 1,
    group: bool = False,
    output: int = subprocess.DEVNULL,
    cache: Path | None = None,
) -> Ended:
    """Start a command in `folder`, and send it a signal after so many seconds, or when `moment` returns.

    `times` of them in a row; to all of its processes if `group`, as a terminal does it. Its kernels are
    kept in `cache`, if that is given.
    """
    if signal.getsignal(number) is signal.SIG_IGN:  # as in the background of a shell
        signal.signal(number, signal.SIG_DFL)
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=os.environ | ({"BOOMSLANG_CACHE_DIR": str(cache)} if cache else {}),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        if callable(moment):
            moment(process)
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(moment)
        begun = time.monotonic()
        for _ in range(times):
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if group else os.kill)(process.pid, number)
        status = process.wait(TIMEOUT)
        while session(process.pid) and time.monotonic() < begun + TIMEOUT:
            time.sleep(0.005)
        seconds = time.monotonic() - begun
        assert process.stderr
        return Ended(seconds, status, process.stderr.read().decode("utf-8", "replace"), number)
    finally:
        for left in session(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()


def strays(folder: Path) -> list[str]:
    """Files of the engine's own that nobody has asked for."""
    hidden = [path.name for path in folder.glob(".*.part")]
    return [*hidden, *(path.name for path in folder.glob("*.lock"))]
