"""XBoard itself, on a screen that nobody sees, plays whole games with the engine.

pytest -m slow tests/uci/cecp/test_xboard.py      needs Debian's xboard, polyglot, fairymax, xvfb and xauth
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest

from tests.support.places import ROOT
from tests.support.uci_process import STARTUP

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
PROGRAMS = ("xboard", "xvfb-run", "xauth", "polyglot", "fairymax")
MISSING = [program for program in PROGRAMS if not shutil.which(program, path=PATH)]
LONGEST_GAME = 240.0  # seconds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

OPPONENT = "fairymax"
NATIVE = "{launcher}"
POLYGLOT = "polyglot -noini -ec {launcher} -ed {folder}"


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """What a user's launcher does; its kernels are ready."""
    path = tmp_path / "boomslang"
    python = shlex.quote(sys.executable)
    path.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {python} -m cli "$@"\n')
    path.chmod(0o755)
    subprocess.run([path, "warmup"], check=True, capture_output=True, timeout=STARTUP)
    return path


def play(folder: Path, first: str, second: str, *options: str) -> tuple[chess.pgn.Game, str]:
    """One game of two engines; returns it with XBoard's record of what was said."""
    games, talk = folder / "games.pgn", folder / "talk.txt"
    command = [
        "xvfb-run", "-a", "xboard", "-settingsFile", str(folder / "settings"),
        "-saveSettingsOnExit", "false", "-popupMoveErrors", "false", "-popupExitMessage", "false",
        "-fcp", first, "-fd", str(folder), "-scp", second, "-sd", str(folder),
        "-tc", "0:05", "-inc", "0.1", "-mg", "1", "-sgf", str(games),
        "-debug", "-nameOfDebugFile", str(talk), *options,
    ]  # fmt: skip
    subprocess.run(
        command,
        env=os.environ | {"PATH": PATH},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONGEST_GAME,
        check=True,
    )
    with games.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
        assert game and chess.pgn.read_game(file) is None
    return game, talk.read_text("utf-8", "replace")


def is_complete(game: chess.pgn.Game) -> None:
    """Every move is legal, and the result is that of the last position."""
    assert game.errors == []
    board = game.end().board()
    assert board.ply() >= 10
    if board.is_checkmate():
        assert game.headers["Result"] == board.result()
    else:
        assert game.headers["Result"] == "1/2-1/2"
        assert board.is_game_over(claim_draw=True), game.end().comment


@pytest.mark.parametrize("first", [NATIVE, POLYGLOT], ids=["native", "polyglot"])
@pytest.mark.parametrize("opponent_first", [False, True], ids=["white", "black"])
def test_a_whole_game(tmp_path: Path, launcher: Path, first: str, opponent_first: bool) -> None:
    engine = first.format(launcher=launcher, folder=tmp_path)
    sides = (OPPONENT, engine) if opponent_first else (engine, OPPONENT)
    game, talk = play(tmp_path, *sides)
    is_complete(game)
    assert "Boomslang" in game.headers["Black" if opponent_first else "White"]
    name = "second" if opponent_first else "first "
    assert not re.search(rf"<{name}: *(Error|Illegal|tellusererror)", talk)


def test_chess960_in_both_protocols(tmp_path: Path, launcher: Path) -> None:
    sides = [text.format(launcher=launcher, folder=tmp_path) for text in (NATIVE, POLYGLOT)]
    game, talk = play(tmp_path, *sides, "-variant", "fischerandom", "-defaultFrcPosition", "300")
    is_complete(game)
    assert game.board().chess960
    assert not re.search(r"<(first |second): *(Error|Illegal|tellusererror)", talk)
