"""The bars of the commands: for people who watch, and for nobody else."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from cli.progress import progress


def watched(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> io.StringIO:
    """What stands on standard error from now on."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=100)
    monkeypatch.setattr("cli.progress.Console", lambda stderr: console)
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
