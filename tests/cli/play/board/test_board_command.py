"""`boomslang board`: its arguments, address and end; the page is tested in `tests/cli/play/board`."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from boomslang.cli.play.board import command as board
from tests.support.places import ROOT

PGN = "1. e4 e5 2. Nf3 *\n"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--fen", "rubbish"], "bad FEN"),
        (["--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], "Black has no king"),
        (["missing.pgn"], "missing.pgn"),
        (["--port", "70000"], "70000"),
        (["a.pgn", "--fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1"], "exclude each other"),
    ],
)
def test_bad_arguments_are_refused(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert board.main(arguments) == 2
    said = capsys.readouterr().err
    assert word in said and said.count("\n") == 1


def test_a_port_in_use_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert board.main(["--no-open", "--port", f"{taken.getsockname()[1]}"]) == 2
    assert "cannot listen" in capsys.readouterr().err


def test_games_that_are_not_listed_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boomslang.cli.play.board.games_file.MAX_FILE", len(PGN) - 1)
    path = tmp_path / "game.pgn"
    path.write_text(PGN)
    assert board._list_games(path) is None
    said = capsys.readouterr().err
    assert "does not list the games" in said and "larger than" in said


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_it_serves_a_game_until_a_signal_ends_it(number: int, status: int, tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(PGN)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cli", "board", "--no-open", str(path)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    address = process.stdout.readline().split()[-1]
    with urllib.request.urlopen(address) as page:  # noqa: S310
        assert b"<title>Boomslang</title>" in page.read()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status and errors == ""
