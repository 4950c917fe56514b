"""Compiling in several processes; most of them here only pretend to compile."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from boomslang.engine.core.system import compile_pool
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


@pytest.mark.jit_only
def test_the_real_one_compiles_and_ends_with_its_input(tmp_path: Path) -> None:
    program = ROOT / "engine" / "core" / "system" / "compile_process.py"
    with subprocess.Popen(
        [sys.executable, "-P", str(program), str(ROOT), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("boomslang.eval.data.shuffle.exchange\n")
        process.stdin.flush()
        assert process.stdout.readline() == "boomslang.eval.data.shuffle.exchange\n"
        assert len(list(tmp_path.rglob("shuffle.exchange-*.nb?"))) == 2
        process.stdin.write("boomslang.engine.search.negamax.negamax\n")
        process.stdin.flush()
        time.sleep(0.5)
        process.stdin.close()  # in the middle of its work
        assert process.wait(10) == 0
