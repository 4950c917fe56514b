"""Whole commands end when they are asked to, or when nobody reads them any more, and leave no one behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boomslang.cli import __main__
from boomslang.core.system import shutdown
from tests.support.places import ROOT
from tests.support.process import BEFORE_OUR_CODE, COMMAND, end, run_python, session

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals"),
]

TERM, INT, HUP = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
TIMEOUT = 20.0  # seconds: a machine may be busy; `make signals` measures
# It hears neither SIGTERM nor the end of its input, and never answers.
DEAF = f"{sys.executable} -c 'import signal, time; signal.signal(15, print); time.sleep(600)'"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize(
    ("number", "moment", "cold"),
    [
        *((TERM, 0.05, False), (INT, 0.4, False), (HUP, 1.5, False)),
        pytest.param(INT, 3.0, True, marks=pytest.mark.slow),
    ],
)
def test_at_any_moment(number: int, moment: float, cold: bool, tmp_path: Path) -> None:
    cache = tmp_path / "cache" if cold else None
    ended = end(["perft", "9"], number, moment, folder=tmp_path, cache=cache)
    assert ended.faults == [] and ended.seconds < TIMEOUT
    assert BEFORE_OUR_CODE.sub("", ended.said) in ("", "boomslang perft: interrupted\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["label", "some.epd", "--nodes", "20", "--jobs", "2"],
        ["suite", "--depth", "1", "--jobs", "1"],
        ["help"],
    ],
    ids=" ".join,
)
def test_one_line_is_enough_for_head(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "some.epd").write_text(f"{START}\n" * 20_000)
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT) in (0, 141)


def test_the_engines_of_a_match_end_too(tmp_path: Path) -> None:
    def both_play(process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + TIMEOUT
        while not any(b"time.sleep(600)" in command(member) for member in session(process.pid)):
            assert time.monotonic() < until
            time.sleep(0.05)

    arguments = ["match", ".", DEAF, "--games", "4", "--nodes", "50", "--jobs", "2"]
    ended = end(arguments, TERM, both_play, folder=tmp_path)
    assert ended.faults == [] and ended.seconds < TIMEOUT


def command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


_MASKS = """
def blocked(item):
    return open("/proc/self/status").read().partition("SigBlk:")[2].split()[0]

def make():
    return blocked
"""
# Without the guard that multiprocessing asks of scripts.
_SCRIPT = """
import boomslang
import masks
from boomslang.engine.jobs.processes import run_in_processes

for turn in range(2):
    print(*(found for _, found in run_in_processes(masks.make, [1], 1)))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells it there")
def test_workers_hear_no_ctrl_c_from_their_first_moment_on(tmp_path: Path) -> None:
    (tmp_path / "masks.py").write_text(_MASKS)
    (tmp_path / "script.py").write_text(_SCRIPT)
    path = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    found = run_python(tmp_path / "script.py", variables=path)
    masks = [int(word, 16) for word in found.stdout.split()]
    assert [mask >> (signal.SIGINT - 1) & 1 for mask in masks] == [1, 1]


@pytest.mark.parametrize("entry", ["cli/__main__.py", "boomslang.py"])
def test_a_start_that_is_interrupted_ends_silently(entry: str) -> None:
    """The handler is the system's before anything is imported that takes time."""
    code = (
        "import sys, _signal, os\n"
        "class Finder:\n"
        "    def find_spec(self, *name):\n"
        "        _signal.raise_signal(_signal.SIGINT)\n"
        "for name in set(sys.modules) - set(sys.builtin_module_names) - {'os', 'sys'}:\n"
        "    if name in ('signal', 'errno', 'runpy', 'contextlib', 'typing', 'enum'):\n"
        "        del sys.modules[name]\n"
        "sys.meta_path.insert(2, Finder())\n"
        f"path = {str(ROOT / entry)!r}\n"
        "exec(compile(open(path).read(), path, 'exec'), {'__name__': '__main__', '__file__': path})"
    )
    done = run_python("-c", code)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.slow
def test_closed_streams_are_nobodys_file(tmp_path: Path) -> None:
    words = " ".join([*COMMAND, "gui", "lichess-bot", "--engine", sys.executable])
    script = f"{words} --write {tmp_path}/settings.json >&- 2>&- <&-"
    assert subprocess.run(["sh", "-c", script], cwd=ROOT, env=os.environ).returncode == 0
    assert "\nengine:" in (tmp_path / "settings.json").read_text()
    script = f"{' '.join(COMMAND)} label - <&-"  # an input that is closed has nothing in it
    done = subprocess.run(["sh", "-c", script], cwd=ROOT, env=os.environ, capture_output=True)
    assert (done.returncode, done.stderr) == (2, b"boomslang label: no position to label\n")
    script = f"{' '.join(COMMAND)} mcp <&-"  # the client has gone
    done = subprocess.run(["sh", "-c", script], cwd=ROOT, env=os.environ, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize(
    "arguments", [["help"], ["suite", "--depth", "1", "--jobs", "1"]], ids=" ".join
)
def test_a_full_disk_is_reported(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=60
        )
    reason = "cannot go on: cannot write the output: no space left on device"
    assert (done.returncode, done.stderr.decode()) == (1, f"boomslang {arguments[0]}: {reason}\n")


def test_output_that_fails_after_a_signal_does_not_hide_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that is closed sends one, and takes no output any more."""

    class Left(BaseException):
        """The process would have ended."""

    def leave(status: int) -> None:
        raise Left(status)

    def fail(arguments: list[str]) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(__main__, "leave", leave)
    monkeypatch.setattr(__main__, "main", fail)
    monkeypatch.setattr(shutdown, "watch", lambda: None)
    monkeypatch.setattr(shutdown, "_asked", int(signal.SIGTERM))
    monkeypatch.setattr(sys, "argv", ["boomslang", "play"])
    with pytest.raises(Left, match=str(128 + signal.SIGTERM)):
        __main__.process()
