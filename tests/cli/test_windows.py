"""What Windows does differently, as far as it can be imitated elsewhere."""

from __future__ import annotations

import errno
import importlib
import sys

import pytest

from boomslang.cli.terminal.arguments import shell_quote


def test_commands_are_quoted_for_its_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [r"C:\Program Files\python.exe", "-m", "pip"]
    monkeypatch.setattr(sys, "platform", "win32")
    assert shell_quote(words) == r'"C:\Program Files\python.exe" -m pip'
    monkeypatch.setattr(sys, "platform", "linux")
    assert shell_quote(words) == r"'C:\Program Files\python.exe' -m pip"


@pytest.mark.parametrize(
    ("platform", "problem", "status"),
    [
        ("win32", OSError(errno.EINVAL, "Invalid argument"), 141),
        ("win32", OSError(errno.EINVAL, "Invalid argument", "a file"), 1),
        ("win32", OSError(errno.ENOSPC, "No space left on device"), 1),
        ("linux", OSError(errno.EINVAL, "Invalid argument"), 1),
        ("linux", BrokenPipeError(errno.EPIPE, "Broken pipe"), 141),
    ],
)
def test_a_closed_pipe_is_an_invalid_argument(
    platform: str, problem: OSError, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = importlib.import_module("boomslang.cli.__main__")

    def fail(arguments: object) -> int:
        raise problem

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr("boomslang.cli.command_line.run", fail)
    monkeypatch.setattr(entry, "leave", leave)
    monkeypatch.setattr(entry.shutdown, "watch", lambda: None)
    monkeypatch.setattr(sys, "argv", ["boomslang", "doctor"])
    with pytest.raises(SystemExit) as ended:
        entry.process()
    assert ended.value.code == status


def test_no_more_processes_than_it_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from boomslang.engine.jobs import processes

    monkeypatch.setattr(sys, "platform", "win32")
    try:
        assert importlib.reload(processes)._MAX_PROCESSES < 63
    finally:
        monkeypatch.undo()
        importlib.reload(processes)
    assert processes._MAX_PROCESSES == (60 if sys.platform == "win32" else 1024)
