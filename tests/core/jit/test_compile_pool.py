"""Compiling in several processes; most of them here only pretend to compile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from boomslang.core.jit import compile_pool
from tests.support.places import ROOT

# Answers as compile_process.py does; ends at a name that says so.
PRETENDER = """
import sys
print("ready", flush=True)
for line in sys.stdin:
    if "dies" in line:
        sys.exit(1)
    print(line, end="", flush=True)
"""


@pytest.fixture(autouse=True)
def pretender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two other processes pretend to compile; the program that they run."""
    program = tmp_path / "pretender.py"
    program.write_text(PRETENDER)
    monkeypatch.setattr(compile_pool, "_PROGRAM", program)
    monkeypatch.setattr(compile_pool, "_processes", lambda: 3)
    return program


def compile_all(
    names: list[str], seconds: float = 0.05, *, alone: bool = False
) -> tuple[list[str], Counter[str]]:
    """What was compiled in this process, and what was finished how often."""
    here: list[str] = []
    finished: Counter[str] = Counter()

    def compile_here(name: str) -> None:
        time.sleep(seconds)
        here.append(name)

    compile_pool.compile_all(names, compile_here, lambda name: finished.update([name]), alone=alone)
    return here, finished


def test_each_kernel_is_compiled_once_by_any_free_process() -> None:
    names = [f"kernel{number}" for number in range(60)]
    here, finished = compile_all(names)
    assert finished == Counter(names)
    assert here[0] == names[0], "in their order"
    assert 0 < len(here) < 60


@pytest.mark.parametrize(("number", "alone"), [(2, False), (20, True)])
def test_few_are_compiled_here(number: int, alone: bool) -> None:
    names = [f"kernel{number}" for number in range(number)]
    assert compile_all(names, 0.01, alone=alone) == (names, Counter(names))


def test_a_process_that_dies_leaves_out_its_kernel() -> None:
    names = [*(f"kernel{number}" for number in range(40)), "dies1", "dies2", "last"]
    here, finished = compile_all(names, 0.1)
    assert finished == Counter(names) - Counter({"dies1", "dies2"} - set(here))


@pytest.mark.parametrize("text", ["raise SystemExit", "print('ready'); print('nonsense')"])
def test_processes_of_no_use_are_done_without(pretender: Path, text: str) -> None:
    pretender.write_text(text)
    names = [f"kernel{number}" for number in range(10)]
    here, finished = compile_all(names)
    assert len(here) >= 8
    assert set(finished) == set(here)


def test_a_failure_here_ends_the_others(pretender: Path) -> None:
    ends = pretender.with_name("ends")
    pretender.write_text(
        f"import pathlib, sys; print('ready', flush=True); sys.stdin.read();"
        f" pathlib.Path({str(ends)!r}).touch()"
    )

    def fail(name: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compile_pool.compile_all(list("abcdefgh"), fail, lambda name: None)
    assert not [thread for thread in threading.enumerate() if "feed" in thread.name]


@pytest.mark.jit_only
def test_the_compiling_process_fills_the_cache_and_ends_with_its_input(tmp_path: Path) -> None:
    program = ROOT / "core" / "jit" / "compile_process.py"
    with subprocess.Popen(
        [sys.executable, "-P", str(program), str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BOOMSLANG_CACHE_DIR": str(tmp_path)},
    ) as process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("boomslang.engine.learning.data.shuffle.exchange\n")
        process.stdin.flush()
        assert process.stdout.readline() == "boomslang.engine.learning.data.shuffle.exchange\n"
        files = [path.name for path in (tmp_path / "kernels").iterdir()]
        assert [name.partition("-")[0] for name in files] == [
            "engine.learning.data.shuffle.exchange"
        ]
        process.stdin.write("boomslang.engine.search.negamax.negamax\n")
        process.stdin.flush()
        time.sleep(0.5)
        if os.name != "nt":  # as to all processes of a terminal or a service
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                process.send_signal(number)
        process.stdin.close()  # in the middle of its work
        assert process.wait(10) == 0
