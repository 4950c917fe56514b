"""`boomslang warmup` and `boomslang where`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import launcher
from cli.commands import warmup, where
from engine.system import jit


def test_warmup_says_where_the_kernels_are(
    kernels: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code = warmup.main([])
    out = capsys.readouterr().out
    assert "Kernels are ready after" in out
    folder = jit.kernel_cache().folder
    if folder is not None:
        assert code == 0
        assert str(folder.parent) in out
    else:
        assert jit.kernel_cache().remark in out


def test_progress_is_plain_lines_in_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(progress: warmup.ProgressCallback) -> None:
        for done in range(4):
            now[0] += 1.5
            progress(done, 3)

    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr(warmup, "_load", load)
    warmup.main([])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["compiling kernels: 1 of 3", "compiling kernels: 3 of 3"]
    assert lines[2] == "Kernels are ready after 6.0 s."


def test_where_prints_paths_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    assert where.main([]) == 0
    engine, kept = capsys.readouterr().out.splitlines()
    assert Path(engine.removeprefix("engine: ")).is_absolute()
    assert kept.startswith("kernels: ")


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
