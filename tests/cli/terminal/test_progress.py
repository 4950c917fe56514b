"""The bars of the commands: for people who watch, and for nobody else."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from boomslang.cli.terminal.progress import progress, warn_of_network


def watched(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> io.StringIO:
    """What stands on standard error from now on."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=100)
    monkeypatch.setattr("boomslang.cli.terminal.progress.Console", lambda stderr: console)
    return screen


def test_a_bar_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch, terminal=True)
    with progress("games [/x].pgn", 8, done=2, counted=True) as advance:
        advance(1)
        advance(title="more")
        advance(done=7)
        advance(1)
    assert "more" in screen.getvalue() and "8/8" in screen.getvalue()


def test_a_title_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch, terminal=True)
    with progress("games [/x].pgn", None):
        pass
    assert "games [/x].pgn" in screen.getvalue() and "/?" not in screen.getvalue()


def test_pipes_and_files_get_none(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch, terminal=False)
    with progress("games", 3, counted=True) as advance:
        advance(3)
    assert screen.getvalue() == ""


def test_an_unusable_network_is_reported(
    broken_installation: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_of_network()
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert "cut.net' is damaged; using the classical evaluation instead" in told.err


def test_a_network_that_can_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_network()
    assert capsys.readouterr() == ("", "")
