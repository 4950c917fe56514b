"""Compiling in several processes; most of them here only pretend to compile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from boomslang.engine.jit import compile_pool
from tests.support.places import ROOT

# Answers as compile_process.py does, and leaves a file for each name; ends at a name that says so.
PRETENDER = """
import pathlib, sys
print("ready", flush=True)
for line in sys.stdin:
    name = line.strip()
    if "dies" in name:
        sys.exit(1)
    folder = pathlib.Path(sys.argv[2], "package")
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.nbi").write_text("there")
    (folder / f"{name}.tmp.1").write_text("half")
    print(name, flush=True)
"""

# Leaves as a signal does when the main thread is in the compiler; prints how many work folders there were.
EXIT_WHILE_COMPILING = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from boomslang.engine.jit import compile_pool; from boomslang.engine.system import shutdown

place = Path({place!r})
compile_pool._PROGRAM = place / "fails.py"
compile_pool._processes = lambda: 3

def leave(name):
    print(len(list((place / "home").glob("compiling-*"))), flush=True)
    shutdown.leave(0)

compile_pool.compile_all(list("abcdefgh"), place / "home" / "code", leave, print)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder; two other processes pretend."""
    program = tmp_path / "pretender.py"
    program.write_text(PRETENDER)
    monkeypatch.setattr(compile_pool, "_PROGRAM", program)
    monkeypatch.setattr(compile_pool, "_processes", lambda: 3)
    place = tmp_path / "home" / "code"
    place.mkdir(parents=True)
    return place


def compile_all(
    names: list[str], folder: Path, seconds: float = 0.05
) -> tuple[list[str], Counter[str]]:
    """What was compiled in this process, and what was finished how often."""
    here: list[str] = []
    finished: Counter[str] = Counter()

    def compile_here(name: str) -> None:
        time.sleep(seconds)
        here.append(name)

    def finish(name: str) -> None:
        assert name in here or (folder / "package" / f"{name}.nbi").read_text() == "there"
        finished[name] += 1

    compile_pool.compile_all(names, folder, compile_here, finish)
    assert [path.name for path in folder.parent.iterdir()] == ["code"], "a work folder was left"
    assert not list(folder.rglob("*.tmp.*")), "half a file came into the cache"
    return here, finished


def test_each_kernel_is_compiled_once_by_any_free_process(folder: Path) -> None:
    names = [f"kernel{number}" for number in range(60)]
    here, finished = compile_all(names, folder)
    assert finished == Counter(names)
    assert here[0] == names[0], "in their order"
    assert 0 < len(here) < 60


def test_few_are_compiled_here(folder: Path) -> None:
    names = ["first", "second"]
    assert compile_all(names, folder) == (names, Counter(names))


def test_a_process_that_dies_leaves_out_its_kernel(folder: Path) -> None:
    names = [*(f"kernel{number}" for number in range(40)), "dies1", "dies2", "last"]
    here, finished = compile_all(names, folder, 0.1)
    assert finished == Counter(names) - Counter({"dies1", "dies2"} - set(here))


@pytest.mark.parametrize("text", ["raise SystemExit", "print('ready'); print('nonsense')"])
def test_processes_of_no_use_are_done_without(folder: Path, text: str) -> None:
    (folder.parents[1] / "pretender.py").write_text(text)
    names = [f"kernel{number}" for number in range(10)]
    here, finished = compile_all(names, folder)
    assert len(here) >= 8
    assert set(finished) == set(here)


def test_a_failure_here_ends_the_others(folder: Path) -> None:
    def fail(name: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compile_pool.compile_all(list("abcdefgh"), folder, fail, lambda name: None)
    assert [path.name for path in folder.parent.iterdir()] == ["code"]


def test_the_end_of_the_process_removes_the_work_folders(tmp_path: Path) -> None:
    (tmp_path / "home" / "code").mkdir(parents=True)
    (tmp_path / "fails.py").write_text("raise SystemExit")  # removes nothing itself
    code = EXIT_WHILE_COMPILING.format(root=str(ROOT), place=str(tmp_path))
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout == "2\n" and not printed.stderr
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["code"]


@pytest.mark.jit_only
def test_the_compiling_process_ends_with_its_input_and_removes_its_folder(tmp_path: Path) -> None:
    program = ROOT / "engine" / "jit" / "compile_process.py"
    work = tmp_path / "work"
    work.mkdir()
    with subprocess.Popen(
        [sys.executable, "-P", str(program), str(ROOT), str(work)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("boomslang.eval.data.shuffle.exchange\n")
        process.stdin.flush()
        assert process.stdout.readline() == "boomslang.eval.data.shuffle.exchange\n"
        assert len(list(work.rglob("shuffle.exchange-*.nb?"))) == 2
        process.stdin.write("boomslang.engine.search.negamax.negamax\n")
        process.stdin.flush()
        time.sleep(0.5)
        if os.name != "nt":  # as to all processes of a terminal or a service
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                process.send_signal(number)
        process.stdin.close()  # in the middle of its work
        assert process.wait(10) == 0
    assert not work.exists()
