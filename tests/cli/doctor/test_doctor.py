"""`boomslang doctor`: what is fine, what is not, and what to do about it."""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import chess.polyglot
import numpy as np
import pytest

from boomslang.cli.doctor import doctor_command, file_checks, machine_checks
from boomslang.cli.doctor.machine_checks import BAD, NOTE, OK, Finding
from boomslang.core.jit import jit
from boomslang.core.jit.cache import KernelCache, prepare
from boomslang.core.system import launcher
from tests.support.places import SUITES
from tests.support.table_writer import QUEEN_SIZE, queen_distances, queen_results

START_KEY = chess.polyglot.zobrist_hash(chess.Board()).to_bytes(8, "big")


def verdicts(findings: Iterator[Finding]) -> list[str]:
    return [finding.verdict for finding in findings]


def make_launcher(path: Path, lines: str) -> Path:
    """A program that says these lines, each after what it is an answer to."""
    path.write_text(f"#!{sys.executable}\nimport time\n{lines}")
    path.chmod(0o755)
    return path


# The machine


@pytest.mark.parametrize(
    ("module", "name", "value"), [("sys", "version_info", (3, 10)), ("sys", "maxsize", 2**31 - 1)]
)
def test_unfit_python(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str, value: object
) -> None:
    monkeypatch.setattr(f"boomslang.cli.doctor.machine_checks.{module}.{name}", value)
    (finding,) = machine_checks.python()
    assert finding.verdict == BAD and "install" in finding.remedy


def test_a_network_that_is_damaged(broken_installation: Path) -> None:
    (finding,) = machine_checks.network()
    assert finding.verdict == BAD and f"'{broken_installation}' is damaged" in finding.text
    assert "reinstall" in finding.remedy


def test_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    (finding,) = machine_checks.packages()
    assert finding.verdict == OK and "numba" in finding.text
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert verdicts(machine_checks.packages()) == [OK, BAD]


def test_packages_that_are_missing_or_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    (tmp_path / "broken_package").mkdir()
    (tmp_path / "broken_package" / "__init__.py").write_text("raise OSError('no library\\nof C')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(machine_checks, "_PACKAGES", ("no-such-package", "broken_package"))
    monkeypatch.setattr(metadata, "version", _version)
    missing, broken, nothing = machine_checks.packages()
    assert (missing.text, broken.text) == (
        "no-such-package is missing",
        "broken_package does not load: no library",
    )
    assert nothing.verdict == BAD


def _version(name: str) -> str:
    if name == "no-such-package":
        raise metadata.PackageNotFoundError
    return "1.0"


def test_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(machine_checks.processor()) == [OK]
    monkeypatch.setattr(jit, "cpu_has_fast_pext", lambda: False)
    assert "magic" in next(machine_checks.processor()).text


@pytest.mark.jit_only
def test_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert verdicts(machine_checks.kernels()) == [OK]
    monkeypatch.setattr(jit, "kernel_cache", lambda: KernelCache(tmp_path))
    (finding,) = machine_checks.kernels()
    assert finding.verdict == NOTE and "kernels: 0 of " in finding.text
    monkeypatch.setattr(jit, "kernel_cache", lambda: KernelCache(None, "not writable"))
    (finding,) = machine_checks.kernels()
    assert finding.verdict == BAD and "BOOMSLANG_CACHE_DIR" in finding.remedy


# The launcher

PLAYS = 'print("uciok\\nreadyok\\nbestmove e2e4", flush=True)\ninput()'


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
@pytest.mark.parametrize(
    ("lines", "verdict", "text"),
    [
        (PLAYS, OK, "paste"),
        ('print("readyok")', BAD, "plays no move"),
        ("raise SystemExit(1)", BAD, ""),
    ],
)
def test_launcher(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: str, verdict: str, text: str
) -> None:
    path = make_launcher(tmp_path / "boomslang", lines)
    monkeypatch.setattr(launcher, "launcher", lambda: path)
    (finding,) = file_checks.launcher()
    assert finding.verdict == verdict and text in finding.text


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_launchers_that_are_slow_or_hang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = make_launcher(tmp_path / "boomslang", PLAYS)
    monkeypatch.setattr(launcher, "launcher", lambda: path)
    monkeypatch.setattr(file_checks, "_SLOW", 0.0)
    assert verdicts(file_checks.launcher()) == [NOTE]
    make_launcher(path, "time.sleep(100)")
    monkeypatch.setattr(file_checks, "_TIMEOUT", 0.1)
    assert verdicts(file_checks.launcher()) == [BAD]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are different there")
def test_launchers_that_cannot_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "boomslang"
    monkeypatch.setattr(launcher, "launcher", lambda: path)
    assert "does not exist" in next(file_checks.launcher()).text
    path.write_text("nonsense")
    assert "chmod" in next(file_checks.launcher()).remedy
    path.chmod(0o755)
    assert "does not start" in next(file_checks.launcher()).text
    monkeypatch.setattr(launcher, "launcher", lambda: None)
    (finding,) = file_checks.launcher()
    assert finding.verdict == NOTE and "__main__.py" in finding.text


# Books and tables


def entry(key: bytes, move: int = 0o1434) -> bytes:  # e2e4
    return key + move.to_bytes(2, "big") + bytes(6)


@pytest.mark.jit_only
def test_tables(tmp_path: Path) -> None:
    assert verdicts(file_checks.tables(tmp_path / "nowhere")) == [BAD]
    assert verdicts(file_checks.tables(tmp_path)) == [BAD]
    won, lost = np.full(QUEEN_SIZE, 4), np.full(QUEEN_SIZE, 0)
    (tmp_path / "KQvK.rtbw").write_bytes(queen_results(won, lost))
    (finding,) = file_checks.tables(tmp_path)
    assert finding.verdict == NOTE and "1 without DTZ files" in finding.text
    (tmp_path / "KQvK.rtbz").write_bytes(queen_distances(lost))
    (finding,) = file_checks.tables(tmp_path)
    assert finding.verdict == OK and "1 of 3 pieces" in finding.text
    (tmp_path / "KRvK.rtbw").write_bytes(b"damage")
    (tmp_path / "KRvK.rtbz").mkdir()
    (tmp_path / "README").write_text("not a table")
    assert verdicts(file_checks.tables(tmp_path)) == [BAD, BAD, OK]


@pytest.mark.skipif(
    not (SUITES / "syzygy").is_dir(), reason="no shared suites beside this checkout"
)
def test_real_tables() -> None:
    (finding,) = file_checks.tables(SUITES / "syzygy")
    assert finding.verdict == OK and "5 of 3 pieces, 30 of 4 pieces" in finding.text


# The command


def _only(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    for name in ("python", "packages", "processor", "network", "kernels"):
        monkeypatch.setattr(machine_checks, name, lambda: iter(()))
    monkeypatch.setattr(file_checks, "launcher", lambda: iter(findings))


def test_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _only(monkeypatch, Finding(OK, "a"), Finding(NOTE, "b", "do c"))
    assert doctor_command.main([]) == 0
    assert capsys.readouterr().out == "ok    a\nnote  b\n      -> do c\nNo problems found.\n"
    assert doctor_command.main(["--syzygy", str(tmp_path / "y")]) == 1
    assert capsys.readouterr().out.endswith("1 problem found.\n")


def test_a_check_that_breaks_down(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> Iterator[Finding]:
        raise ImportError("no numba\nat all")
        yield

    _only(monkeypatch)
    monkeypatch.setattr(machine_checks, "kernels", broken)
    assert doctor_command.main([]) == 1
    assert "BAD   broken: ImportError: no numba\n" in capsys.readouterr().out


# The folder of the kernels


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "free 50 MB on the disk of {}, or run: unset BOOMSLANG_CACHE_DIR"),
        (errno.EROFS, "run: unset BOOMSLANG_CACHE_DIR"),
        (errno.ENOENT, "run: unset BOOMSLANG_CACHE_DIR"),  # as in /proc
        (errno.EACCES, "run: unset BOOMSLANG_CACHE_DIR"),
    ],
)
def test_the_remedy_fits_the_reason(
    number: int, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, "no", None if number == errno.ENOSPC else str(tmp_path))

    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOOMSLANG_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("boomslang.core.jit.cache.own_folder", fail)
    kept = prepare()
    assert kept.folder is None and f"{tmp_path}: no" in kept.remark
    assert machine_checks.remedy_for_cache(kept.problem) == remedy.format(tmp_path)
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOOMSLANG_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("BOOMSLANG_CACHE_DIR")  # the remedy helps
    assert prepare().folder


def test_without_the_variable_it_is_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOOMSLANG_CACHE_DIR", raising=False)
    remedy = machine_checks.remedy_for_cache(PermissionError(errno.EPERM, "no", "/srv"))
    assert remedy.startswith("set BOOMSLANG_CACHE_DIR to a folder of your own")


def test_a_nearly_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    if (kept := jit.kernel_cache()).folder is None:
        pytest.skip("no kernels are kept here")
    monkeypatch.setattr(jit, "missing_kernels", lambda: ["one"])
    usage = shutil.disk_usage(kept.folder)._replace(free=3 << 20)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    finding = next(machine_checks.kernels())
    assert finding.verdict == BAD and "3 MB are left" in finding.text
    assert finding.remedy.startswith("free 50 MB, or ")
