"""`boomslang warmup` and `boomslang where`."""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from boomslang.cli.doctor import warmup_command, where_command
from boomslang.cli.doctor.warmup_command import import_all
from boomslang.core.jit import jit
from boomslang.core.system import launcher
from boomslang.core.system.installation import PACKAGES
from tests.support.places import ROOT
from tests.support.process import run_python


def test_warmup_says_where_the_kernels_are(
    kernels: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code = warmup_command.main([])
    out = capsys.readouterr().out
    assert "Kernels ready after" in out
    folder = jit.kernel_cache().folder
    if folder is not None:
        assert code == 0
        assert str(folder) in out
    else:
        assert jit.kernel_cache().remark in out


@pytest.mark.jit_only
def test_all_kernels_come_from_every_package(
    kernels: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded: list[set[str]] = []
    monkeypatch.setattr(
        warmup_command, "load_kernels", lambda _: loaded.append(set(jit.kernel_names()))
    )
    assert warmup_command.main(["--all"]) == 0 or jit.kernel_cache().folder is None
    rooms = {name.rpartition(".")[0] for name in loaded[0]}
    written = {
        f"boomslang/{path.relative_to(ROOT).with_suffix('').as_posix()}".replace("/", ".")
        for package in ("core", "engine", "eval", "perft")
        for path in (ROOT / package).rglob("*.py")
        if "\n@kernel(" in path.read_text()
    }
    assert written and written <= rooms


@pytest.mark.jit_only
def test_warmup_compiles_what_tablebases_need_and_nothing_of_the_trainer() -> None:
    code = (
        "import sys; from boomslang.cli.doctor.warmup_command import import_common; import_common();"
        "from boomslang.core.jit.jit import kernel_names; print(*kernel_names(), *sys.modules)"
    )
    found = run_python("-c", code)
    wanted = ("probe.probe_wdl", "probe.probe_dtz", "checksum.hash_long")
    assert {f"boomslang.engine.tablebases.{name}" for name in wanted} <= set(found.stdout.split())
    assert "boomslang.engine.learning.training" not in found.stdout


def test_all_kernels_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "boomslang.engine.jobs.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    import_all()
    assert "boomslang.engine.jobs.cluster" not in sys.modules
    assert "boomslang.engine.learning.training.gradient" in sys.modules


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("work", ["Compiling kernels (first start only)", "Loading kernels"])
def test_the_bar_is_on_a_terminal_only_and_not_for_a_moment(
    work: str, long: bool, watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(progress: Callable[[int, int], None]) -> None:
        progress(0, 30)
        time.sleep(0.02 if long else 0)
        progress(30, 30)

    def console(stderr: bool = False, **_: bool) -> Console:
        return screen if stderr else Console(file=io.StringIO(), force_terminal=True)

    screen = Console(file=io.StringIO(), force_terminal=watched, width=100)
    monkeypatch.setattr(warmup_command, "Console", console)
    monkeypatch.setattr("boomslang.cli.terminal.progress.Console", console)
    monkeypatch.setattr("boomslang.cli.terminal.progress._LOADING", 0.001 if long else 60.0)
    monkeypatch.setattr("boomslang.core.jit.jit.is_compiling", lambda: work.startswith("Compiling"))
    monkeypatch.setattr(warmup_command, "import_common", lambda: None)
    monkeypatch.setattr(warmup_command, "load_kernels", load)
    warmup_command.main([])
    shown = screen.file.getvalue()  # type: ignore[attr-defined]
    assert (f"{work}: 30 of 30" in shown) == (watched and long)
    assert (watched and long) or shown == ""


def test_where_prints_paths_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    assert where_command.main([]) == 0
    engine, kept = capsys.readouterr().out.splitlines()
    assert Path(engine.removeprefix("engine: ")).is_absolute()
    assert kept.startswith("kernels: ")


@pytest.mark.skipif(sys.platform == "win32", reason="links are not for everybody there")
def test_where_names_a_command_that_works_without_a_launcher(tmp_path: Path) -> None:
    """A clone where nobody has run `make`, and a Python that has only the libraries."""
    clone, elsewhere = tmp_path / "Bob's  clone", tmp_path / "elsewhere"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, clone / package)
    shutil.copy(ROOT / "boomslang.py", clone)
    elsewhere.mkdir()
    python = tmp_path / "python"
    python.symlink_to(Path(sys.executable).resolve())
    surroundings = {
        "PATH": "",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "BOOMSLANG_CACHE_DIR": str(tmp_path / "cache"),
    }

    def run(command: list[str], folder: Path, said: str = "") -> str:
        return subprocess.run(
            command, cwd=folder, env=surroundings, input=said, capture_output=True, text=True
        ).stdout

    told = run([str(python), "-m", "cli", "where"], clone).splitlines()[0]
    command = shlex.split(told.removeprefix("engine: "))
    assert command[0] == str(python)
    assert "uciok" in run(command, elsewhere, "uci\nquit\n")
    assert "Fen:" in run([*command, "d"], elsewhere)  # waits for the board, unlike `quit`
    assert run([*command, "where"], elsewhere).splitlines()[0] == told


def test_launcher_of_the_checkout_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "bin" / "boomslang"
    script.parent.mkdir()
    script.touch()
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(launcher, "_CHECKOUT", tmp_path)
    assert launcher.launcher() == script
    (tmp_path / "boomslang").touch()
    assert launcher.launcher() == tmp_path / "boomslang"
