"""Strange modules, missing ones and too little memory: it plays, or says in one line why it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import boomslang
from boomslang.core.system.failures import in_words
from boomslang.core.system.installation import PACKAGES
from tests.support.places import ROOT
from tests.support.process import COMMAND

pytestmark = pytest.mark.jit_only

TIMEOUT = 60.0  # seconds; silence would last for ever
MODULES = {
    "raises": 'raise ImportError("not\\n\\nbestmove e2e4")\n',
    "empty": "",
    "no Python": "def def\n",
    "leaves": "raise SystemExit(3)\n",
}
UCI = b"uci\nisready\nposition startpos\ngo depth 2\n"
CECP = b"xboard\nprotover 2\nnew\nst 1\ngo\n"
SLOW_MODULE = pytest.param("module", marks=pytest.mark.slow)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder in PYTHONPATH whose modules are not what their names say."""
    (tmp_path / "strange").mkdir()
    return tmp_path / "strange"


def talk(said: bytes, path: Path, *words: str) -> tuple[int, list[str], str]:
    """Status, lines and errors of an engine that is told something, and left alone until it answers."""
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=path,
        env=os.environ | {"PYTHONPATH": str(path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(said)
        process.stdin.flush()
        lines = []
        for line in process.stdout:
            lines.append(line.decode().rstrip())
            if line.startswith((b"bestmove", b"move ")):
                process.stdin.write(b"quit\n")
                process.stdin.close()
                break
        status = process.wait(TIMEOUT)
        return status, lines, process.stderr.read().decode()


def run(path: Path, *words: str) -> tuple[int, str]:
    """Status and errors of a command."""
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=path,
        env=os.environ | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("module", "kind"),
    [("chess", "raises"), ("chess", "no Python"), ("chess", "leaves"), ("numpy", "raises")],
)
def test_without_python_chess_it_says_so_and_ends(strange: Path, module: str, kind: str) -> None:
    (strange / f"{module}.py").write_text(MODULES[kind])
    status, lines, _ = talk(UCI, strange)
    errors = [line for line in lines if line.startswith("info string error: ")]
    assert (status, len(errors)) == (1, 1) and lines[-1] == errors[0]
    assert f"{module}.py" in errors[0] and "PYTHONPATH" in errors[0]


def test_so_it_does_in_cecp_and_for_commands(strange: Path) -> None:
    (strange / "chess.py").write_text(MODULES["raises"])
    status, lines, _ = talk(CECP, strange)
    assert status == 1 and lines[-1].startswith("tellusererror ImportError 'not'")
    status, said = run(strange, "perft", "2")
    assert status == 1 and said.startswith("boomslang perft: cannot go on: ImportError 'not'")
    assert said.count("\n") == 1


@pytest.mark.parametrize("kind", ["leaves", "empty"])
def test_without_kernels_it_plays_on(strange: Path, kind: str) -> None:
    (strange / "numba.py").write_text(MODULES[kind])
    status, lines, said = talk(UCI, strange)
    assert (status, said) == (0, "") and lines[-1].startswith("bestmove ")
    (error,) = [line for line in lines if line.startswith("info string error: ")]
    assert "no kernels, plain Python plays on" in error and "numba.py" in error
    assert "readyok" in lines


@pytest.mark.parametrize("code", ["0", "'broken'"])
def test_a_module_that_exits_is_reported(strange: Path, code: str) -> None:
    (strange / "chess.py").write_text(f"raise SystemExit({code})\n")
    status, said = run(strange, "where")
    assert status == 1 and said.startswith("boomslang where: cannot go on: SystemExit")
    assert said.count("\n") == 1 and "chess.py" in said


@pytest.mark.parametrize(
    ("damaged", "word"),
    [
        ("uci/commands.py", []),
        ("core/system/threads.py", []),
        ("uci/formatting.py", ["d"]),
        ("boomslang.py", []),
    ],
)
def test_a_damaged_source_is_reported(tmp_path: Path, damaged: str, word: list[str]) -> None:
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "boomslang.py", tmp_path)
    (tmp_path / damaged).write_text("def def\n")
    done = subprocess.run(
        [sys.executable, "-P", "cli/__main__.py", *word],
        cwd=tmp_path,
        input=UCI,
        capture_output=True,
        timeout=TIMEOUT,
    )
    said = done.stderr if word else done.stdout
    (line,) = [line for line in said.splitlines() if b"error: " in line or b"cannot go on" in line]
    assert done.returncode == 1 and b"SyntaxError" in line and line == said.splitlines()[-1]
    assert word or line.startswith(b"info string error: ")


@pytest.mark.skipif(sys.platform != "linux", reason="a bound that Linux has")
@pytest.mark.parametrize("kilobytes", [150_000, 400_000])
def test_too_little_memory_is_reported(kilobytes: int, tmp_path: Path) -> None:
    bounded = ["sh", "-c", f'ulimit -v {kilobytes}; exec "$@"', "sh", *COMMAND]
    with subprocess.Popen(
        bounded, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(UCI)
        process.stdin.flush()
        lines = []
        for line in process.stdout:
            lines.append(line.decode())
            if line.startswith(b"bestmove"):
                process.stdin.close()
                break
        status = process.wait(TIMEOUT)
        told = process.stderr.read()  # OpenBLAS ends the process by itself, and says so there
    if lines and lines[-1].startswith("bestmove"):
        assert status == 0
    else:
        assert status != 0 and (told or "error" in lines[-1])


def test_the_reason_is_taken_from_a_long_explanation() -> None:
    text = "\n\nIMPORTANT: PLEASE READ THIS\n\nOriginal error was: libx.so: {}\n"
    assert "'libx.so: no such file'" in in_words(ImportError(text.format("no such file")))
    said = in_words(ImportError(text.format("failed to map segment from shared object")))
    assert said.startswith("there is not enough memory: ") and "anew" not in said


@pytest.mark.parametrize(
    "way", [pytest.param("launcher", marks=pytest.mark.slow), SLOW_MODULE, "folder"]
)
def test_our_own_packages_come_first(strange: Path, way: str) -> None:
    for name in PACKAGES:
        (strange / name).mkdir()
        (strange / name / "__init__.py").write_text(f"raise SystemExit('a strange {name}')\n")
    (strange / "some.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n" * 3)
    command, path = {
        "launcher": (COMMAND, str(strange)),
        "module": ([sys.executable, str(ROOT / "boomslang.py")], str(strange)),
        "folder": (boomslang.command(), "."),
    }[way]
    jobs = ["--jobs", "2"] if way in ("launcher", "module") else []
    done = subprocess.run(
        [*command, "label", "some.epd", "--nodes", "9", "--format", "jsonl", *jobs],
        cwd=strange,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.count("\n") == 3


@pytest.mark.parametrize(("module", "kind"), [("rich", "empty"), ("llvmlite", "raises")])
def test_invalid_libraries_are_reported_in_one_line(strange: Path, module: str, kind: str) -> None:
    (strange / f"{module}.py").write_text(MODULES[kind])
    status, said = run(strange, "suite", "--depth", "1")
    assert status == 1 and said.startswith("boomslang suite: cannot go on: ")
    assert said.count("\n") == 1 and f"{module}.py" in said and "PYTHONPATH" in said
