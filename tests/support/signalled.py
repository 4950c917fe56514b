"""Commands that are asked to end at some moment, and what is left of them then."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.places import ROOT
from tests.support.uci_process import TIMEOUT

# What Python says of Ctrl-C before the first line of a program.
_BEFORE_OUR_CODE = re.compile(
    r"Traceback \(most recent call last\):\n  File \"[^\"]*\", line 0, in <module>\nKeyboardInterrupt\n"
)
COMMAND = [sys.executable, "-P", str(ROOT / "cli" / "__main__.py")]


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
        allowed = {128 + self.asked, -self.asked}  # the second before Python runs our code
        found = [] if self.status in allowed else [f"status {self.status}: {self.said[-500:]}"]
        said = _BEFORE_OUR_CODE.sub("", self.said)
        if "Traceback" in said or "Exception" in said:
            found.append(f"says {said[-2000:]}")
        return found


def session(leader: int) -> list[int]:
    """The living processes of a session; Linux only, elsewhere there seem to be none."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            words = (entry / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            if int(words[3]) == leader and words[0] not in "ZX":
                found.append(int(entry.name))
    return found


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
