"""`boomslang label` broken off from outside: the same command goes on, and the file is that of one go."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.places import ROOT
from tests.support.position_files import positions, spoilt_lines
from tests.support.process import TIMEOUT

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups"),
    pytest.mark.usefixtures("kernels"),
]

LABEL = [sys.executable, "-m", "cli", "label"]


def start(command: list[str]) -> subprocess.Popen[str]:
    """The command in a process group of its own, as a terminal would start it."""
    return subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def interrupted(command: list[str], part: Path, size: int) -> tuple[int, str]:
    """Press Ctrl-C when so many bytes are written; exit status, and what was said."""
    process = start(command)
    while process.poll() is None and not (part.exists() and part.stat().st_size >= size):
        time.sleep(0.002)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=5 * TIMEOUT)
    return process.returncode, said


@pytest.mark.parametrize(("count", "limit"), [(100_000, []), (3000, ["--nodes", "500"])])
def test_ctrl_c_twice(count: int, limit: list[str], tmp_path: Path) -> None:
    source, whole = positions(tmp_path / "many.fen", count, 20 / count), tmp_path / "whole.csv"
    bad = spoilt_lines(source)
    command = [*LABEL, str(source), *limit]
    done = subprocess.run([*command, "-o", str(whole)], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and bad
    assert told(source, done.stderr) == bad
    places = [row.split(",", 1)[0] for row in whole.read_text().splitlines()[1:]]
    assert places == sorted({str(n + 1) for n in range(count)}.difference(bad), key=int)

    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.csv"
        part, ours = Path(f"{out}.part"), [*command, "--jobs", jobs, "-o", str(out)]
        says: list[str] = []
        while len(says) < 2:
            before = part.stat().st_size if part.exists() else 0
            left = whole.stat().st_size - before
            status, said = interrupted(ours, part, before + left // 4)
            says.append(said)
            if status != 130:  # done before anybody could press a key
                assert status == 1
                out.unlink()
                says.clear()
        assert not out.exists() and "resuming after" in says[1]
        status, said = interrupted(ours, part, 1 << 40)
        assert status == 1 and "resuming after" in said
        assert out.read_bytes() == whole.read_bytes()
        assert sorted({*told(source, "".join([*says, said]))}, key=int) == bad
        assert said.splitlines()[-1] == f"left out: {len(bad)}" == done.stderr.splitlines()[-1]
        assert not list(tmp_path.glob("*.part*"))


def told(source: Path, said: str) -> list[str]:
    """The numbers of the lines that were said to be none."""
    return re.findall(rf"^{re.escape(str(source))}:(\d+): illegal position", said, re.M)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_kill(jobs: str, tmp_path: Path) -> None:
    source = positions(tmp_path / "many.fen", 8000)
    command = [*LABEL, str(source), "--nodes", "100", "--jobs", jobs]
    chance = random.Random(int(jobs))
    out, kills = tmp_path / "out.csv", 0
    while not out.exists():
        process = start([*command, "-o", str(out)])
        if kills < 4:
            time.sleep(chance.uniform(2.0, 5.0))
            kills += 1
            os.killpg(process.pid, signal.SIGKILL if kills % 2 else signal.SIGINT)
        process.communicate(timeout=5 * TIMEOUT)
    assert kills >= 2
    assert subprocess.run([*command, "-o", str(tmp_path / "whole.csv")], cwd=ROOT).returncode == 1
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()
