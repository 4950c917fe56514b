"""A Python program that is started many times, without importing Numba each time."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

# A copy of this process runs the program, in its own environment and with its own output. What all
# starts have in common is done before: Numba is imported. The memory of that is left alone at the end,
# where looking for garbage would copy it.
STARTER = """
import gc, json, os, runpy, sys, traceback
import numba
gc.freeze()
while line := sys.stdin.readline():
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    status = 1
    try:
        variables, *streams = json.loads(line)
        os.environ.clear()
        os.environ.update(variables)
        for number, path in enumerate(streams, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), number)
        runpy.run_path(sys.argv[1], run_name="__main__")
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
"""


_TIMEOUT = 100  # seconds, for a start


class ForkedStarts:
    """A process in which Numba is ready, and that runs `main` in copies of itself; only on Linux."""

    def __init__(self, main: Path, variables: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", STARTER, str(main)],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, variables: dict[str, str]) -> tuple[int, str, str]:
        """Exit status, output and errors of the program in this environment."""
        assert self._process.stdin and self._process.stdout
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("out", "err")]
            json.dump([variables, *map(str, streams)], self._process.stdin)
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            ready, _, _ = select.select([self._process.stdout], [], [], _TIMEOUT)
            assert ready, f"a start took more than {_TIMEOUT} s"
            answer = self._process.stdout.readline()
            assert answer, f"the starter has ended with status {self._process.wait()}"
            status = int(answer)
            out, err = (path.read_text("utf-8") for path in streams)
        return status, out, err

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)  # a child that hangs, too
            self._process.communicate()
