"""The kernel cache under bad circumstances. Every process here must get the right answer.

The processes compile two tiny kernels of their own through the real `core.jit.jit`.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Self
from unittest.mock import Mock

import pytest

from boomslang.core.jit import cache
from boomslang.core.jit.cache import KernelCache
from tests.support.places import ROOT

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


pytestmark = pytest.mark.jit_only

KERNELS = '''
from boomslang.core.jit.jit import i64, kernel


@kernel(i64(i64))
def factorial(n):
    """n!"""
    return n * factorial(n - 1) if n > 1 else 1


@kernel(i64(i64))
def successor(n):
    """(n + 1)!"""
    return factorial(n + 1)
'''

MAIN = """
import sys
from boomslang.core.jit import jit
import tiny

jit.load_kernels()
hits = sum(sum(f.stats.cache_hits.values()) for f in (tiny.factorial, tiny.successor))
kept = jit.kernel_cache()
print(tiny.successor(4), hits, "kept" if kept.folder else "lost", kept.remark, sep="|")
"""


class Program(NamedTuple):
    """A folder with the two kernels and a main program, and a quick way to start that."""

    folder: Path
    forked: ForkedStarts | None


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    folder = tmp_path_factory.mktemp("a program")
    (folder / "tiny.py").write_text(KERNELS)
    (folder / "main.py").write_text(MAIN)
    jit, system = Path("core", "jit"), Path("core", "system")
    for package in (jit, system):
        (folder / package).mkdir(parents=True)
    # Editing the others is no news to these.
    shutil.copy(ROOT / "boomslang.py", folder)
    for package in (Path("core"), jit, system):
        shutil.copy(ROOT / package / "__init__.py", folder / package)
    for name in (
        *("jit/cache", "jit/code_files", "jit/compile_pool", "jit/instructions", "jit/jit"),
        *("jit/kernel_keys", "jit/linking", "jit/pipelines", "jit/shipped"),
        *("system/installation", "system/permissions", "system/shutdown"),
    ):
        shutil.copy(ROOT / "core" / f"{name}.py", folder / "core" / f"{name}.py")
    with ExitStack() as stack:
        forked = None
        if sys.platform == "linux":
            variables = environment_of(folder, "")
            forked = stack.enter_context(ForkedStarts(folder / "main.py", variables))
        yield Program(folder, forked)


def environment_of(folder: Path, store: Path | str) -> dict[str, str]:
    variables = {**os.environ, "BOOMSLANG_CACHE_DIR": str(store), "PYTHONPATH": str(folder)}
    variables.pop("COVERAGE_PROCESS_CONFIG", None)  # it would complain of a full disk itself
    return variables


def start(
    program: Program, store: Path | str, *before: str, **variables: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*before, sys.executable, str(program.folder / "main.py")],
        env=environment_of(program.folder, store) | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, bool, str]:
    """The result of a process."""
    out, err = process.communicate(timeout=100)
    return result(process.returncode, out, err)


def result(status: int, out: str, err: str) -> tuple[int, bool, str]:
    """Check the answer; return cache hits, whether the kernels are kept, and the remark."""
    assert (status, err) == (0, "")
    answer, hits, kept, remark = out.strip().split("|")
    assert answer == "120"
    return int(hits), kept == "kept", remark


def run(program: Program, store: Path | str, *before: str, **env: str) -> tuple[int, bool, str]:
    """The result of a start; of one that imports Numba itself where words or variables are given."""
    if program.forked and not before and not env:
        return result(*program.forked.run(environment_of(program.folder, store)))
    return finish(start(program, store, *before, **env))


def compiled_files(store: Path) -> list[Path]:
    return sorted((store / "kernels").glob("*.kernel"))


@pytest.fixture(scope="module")
def seed(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that holds both kernels, by two processes that begin with nothing."""
    store = tmp_path_factory.mktemp("seed")
    assert finish(start(program, store)) == (0, True, "")
    assert finish(start(program, store)) == (2, True, "")
    return store


@pytest.fixture
def filled(seed: Path, tmp_path: Path) -> Path:
    """A copy of that folder, to be ill-treated."""
    return Path(shutil.copytree(seed, tmp_path / "store"))


def unprivileged() -> list[str]:
    """Words before a command that take root's power to write anywhere."""
    if os.name == "nt":
        pytest.skip("folders are not made read-only this way on Windows")
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("runs as root, and setpriv is missing")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def test_folder_is_private(filled: Path) -> None:
    if os.name != "nt":
        assert (filled / "kernels").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_code_that_others_may_have_changed_is_compiled_anew(program: Program, filled: Path) -> None:
    compiled_files(filled)[0].chmod(0o666)
    assert run(program, filled) == (1, True, cache.DAMAGED)
    assert run(program, filled) == (2, True, "")
    assert not any(path.stat().st_mode & 0o022 for path in compiled_files(filled))


@pytest.mark.parametrize("damage", ["half", "one bit", "another's"])
def test_damage_is_noticed_and_repaired(program: Program, filled: Path, damage: str) -> None:
    one, other = compiled_files(filled)
    data = other.read_bytes()
    middle = len(data) // 2
    damaged = {
        "half": data[:middle],
        "one bit": data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :],
        "another's": one.read_bytes(),  # with a checksum that is right, for another name
    }
    other.write_bytes(damaged[damage])
    assert run(program, filled) == (1, True, cache.DAMAGED)
    assert run(program, filled) == (2, True, "")


def test_only_what_is_missing_is_compiled(program: Program, filled: Path) -> None:
    compiled_files(filled)[0].unlink()
    assert run(program, filled) == (1, True, "")
    assert run(program, filled) == (2, True, "")


def test_a_sound_file_that_is_no_machine_code(program: Program, filled: Path) -> None:
    file = compiled_files(filled)[0]
    KernelCache(file.parent).keep(file.stem, b"not a pickle")
    assert run(program, filled) == (1, True, cache.DAMAGED)
    assert run(program, filled) == (2, True, "")


def leave_marks(filled: Path, number: int) -> list[Path]:
    """Marks as starts leave them that crash while they load both kernels."""
    folder = filled / "kernels"
    with KernelCache(folder).mark_load([path.stem for path in compiled_files(filled)]):
        (mark,) = folder.glob("loading-*")
    marks = [mark.with_name(f"{mark.name}{n}") for n in range(number)]
    for path in marks:
        path.touch()
        os.utime(path, (1.0, 1.0))
    return marks


def test_loader_that_crashes_again_and_again(program: Program, filled: Path) -> None:
    marks = leave_marks(filled, cache.CRASHES)
    assert run(program, filled) == (0, True, cache.DAMAGED)
    assert not any(mark.exists() for mark in marks)
    assert run(program, filled) == (2, True, "")


def test_one_interrupted_load_costs_nothing(program: Program, filled: Path) -> None:
    (mark,) = leave_marks(filled, 1)
    assert run(program, filled) == (2, True, "")
    assert not mark.exists()


def test_read_only_folder(program: Program, tmp_path: Path) -> None:
    store = tmp_path / "read-only"
    store.mkdir(mode=0o555)
    hits, kept, remark = run(program, store, *unprivileged())
    assert (hits, kept) == (0, False)
    assert "ermission denied" in remark


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = cache.KernelCache(tmp_path)
    kept.keep("one", b"code")
    monkeypatch.setattr(Path, "write_bytes", Mock(side_effect=OSError(28, "No space left")))
    kept.keep("two", b"code")
    assert kept.folder is None and kept.remark.endswith("No space left")
    assert [path.stem for path in tmp_path.iterdir()] == ["one"]


def make_read_only(store: Path) -> None:
    for path in [store, *store.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def test_complete_folder_made_read_only(program: Program, filled: Path) -> None:
    make_read_only(filled)
    files = sorted(filled.rglob("*"))
    assert run(program, filled, *unprivileged()) == (2, True, "")
    assert sorted(filled.rglob("*")) == files


@pytest.mark.slow
def test_no_home(program: Program, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o555)
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home), "LOCALAPPDATA": str(home)}
    _, kept, remark = run(program, "", *unprivileged(), **environment)
    assert not kept
    assert "ermission denied" in remark


def test_folders_in_which_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    monkeypatch.setenv("BOOMSLANG_CACHE_DIR", str(store))
    store.touch()
    kept = cache.prepare()
    assert not kept.folder and str(store) in kept.remark
    if os.name == "nt":
        return
    store.unlink()
    folder = cache.prepare().folder
    assert folder
    folder.rename(elsewhere := tmp_path / "elsewhere")
    folder.symlink_to(elsewhere, target_is_directory=True)
    assert cache.prepare().folder == elsewhere
    elsewhere.chmod(0o777)
    kept = cache.prepare()
    assert not kept.folder and kept.remark.endswith(": others may write there")


def test_several_cold_starts_at_once(program: Program, tmp_path: Path) -> None:
    store = tmp_path / "store"
    results = [finish(process) for process in [start(program, store) for _ in range(3)]]
    assert all(kept and not remark for _, kept, remark in results)
    assert sorted(hits for hits, _, _ in results) == [0, 2, 2]  # one compiled, two waited


def test_killed_while_compiling(program: Program, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for delay in (0.5, 1.0):
        process = start(program, store)
        time.sleep(delay)
        process.kill()
        process.communicate()
    _, kept, remark = run(program, store)
    assert (kept, remark) == (True, "")
    assert run(program, store) == (2, True, "")


@pytest.mark.slow
def test_other_cpu_gets_its_own_files(program: Program, filled: Path) -> None:
    assert run(program, filled, NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")[0] == 0
    assert len(compiled_files(filled)) == 4
    assert run(program, filled) == (2, True, "")


def test_a_copy_elsewhere_needs_no_compiling(
    program: Program, filled: Path, tmp_path: Path
) -> None:
    copy = Program(Path(shutil.copytree(program.folder, tmp_path / "elsewhere")), None)
    assert run(copy, filled) == (2, True, "")


def test_the_cache_is_tidied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    month = 31 * 86_400
    ages = {"aged.kernel": month, "young.kernel": 60, "k.1.new": 90_000, "k.2.new": 60}
    ages |= {"loading-1": 90_000, "loading-2": 60, "big.kernel": 3600, "bigger.kernel": 7200}
    store = tmp_path / "kernels"
    store.mkdir()
    for name, age in ages.items():
        (store / name).write_bytes(b"0" * (300 if "big" in name else 1))
        os.utime(store / name, (time.time() - age,) * 2)
    monkeypatch.setattr(cache, "MAX_BYTES", 500)
    with KernelCache(store).lock(lambda: 1):
        pass
    left = {path.name for path in store.iterdir()}
    assert left == {"lock", "young.kernel", "k.2.new", "loading-2", "big.kernel"}


def test_a_kernel_in_use_is_not_old(tmp_path: Path) -> None:
    kept = KernelCache(tmp_path)
    kept.keep("one", b"code")
    os.utime(tmp_path / "one.kernel", (1.0, 1.0))
    assert KernelCache(tmp_path).load("one") == b"code"
    assert (tmp_path / "one.kernel").stat().st_mtime > time.time() - 3600
