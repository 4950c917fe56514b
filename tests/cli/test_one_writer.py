"""Commands that write for long: two of them for one file at once, and a disk that is full."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from boomslang.cli.command_line import run
from boomslang.core.system.files import sole_writer
from boomslang.engine.learning.data import game_files
from boomslang.engine.learning.selfplay import datagen


@pytest.mark.parametrize(
    "command", ["train games.bin -o {}", "tune --state {}", "datagen --games 1 -o {}"]
)
def test_the_second_writer_is_refused(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(game_files, "check_games", lambda games: None)
    Path("games.bin").touch()
    out = Path("result.net")
    with sole_writer(out):
        assert run(command.format(out).split()) == 2
    assert "another command is writing 'result.net'" in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["games.bin"]


@pytest.mark.jit_only
def test_a_full_disk_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(datagen, "write_header", full)
    out = tmp_path / "games.bin"
    assert run(["datagen", "--games", "1", "--classical", "-o", str(out)]) == 2
    assert f"cannot write '{out}': no space left on device" in capsys.readouterr().err
