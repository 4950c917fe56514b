"""XBoard itself, on a screen that nobody sees, plays whole games with the engine.

pytest -m slow tests/uci/cecp/test_xboard.py      needs Debian's xboard, polyglot, fairymax, xvfb and xauth
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from tests.support.places import ROOT
from tests.support.process import STARTUP

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
PROGRAMS = ("xboard", "xvfb-run", "xauth", "polyglot", "fairymax")
MISSING = [program for program in PROGRAMS if not shutil.which(program, path=PATH)]
MAX_GAME = 120.0  # seconds
# Fairy-Max sometimes ends at its first move, which is no game of ours.
OPPONENT_LOST = "Error writing to second chess program"
ATTEMPTS = 3

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

OPPONENT = "fairymax"
NATIVE = "{launcher}"
POLYGLOT = "polyglot -noini -ec {launcher} -ed {folder}"


def launch(path: Path, cache: Path | None = None) -> Path:
    """What a user's launcher does, written to a file; with another cache if there is one."""
    python, root = shlex.quote(sys.executable), shlex.quote(str(ROOT))
    variable = f"BOOMSLANG_CACHE_DIR={shlex.quote(str(cache))} " if cache else ""
    path.write_text(f'#!/bin/sh\ncd {root} && {variable}exec {python} -P -m cli "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """An engine whose kernels are ready."""
    path = launch(tmp_path / "boomslang")
    subprocess.run([path, "warmup"], check=True, capture_output=True, timeout=STARTUP)
    return path


def play(
    folder: Path, first: str, second: str, *options: str, attempts: int = ATTEMPTS
) -> tuple[chess.pgn.Game, str]:
    """One game of two engines; returns it with XBoard's debug log."""
    games, talk = folder / "games.pgn", folder / "talk.txt"
    command = [
        "xvfb-run", "-a", "xboard", "-settingsFile", str(folder / "settings"),
        "-saveSettingsOnExit", "false", "-popupMoveErrors", "false", "-popupExitMessage", "false",
        "-fcp", first, "-fd", str(folder), "-scp", second, "-sd", str(folder),
        "-tc", "0:05", "-inc", "0.1", "-mg", "1", "-sgf", str(games),
        "-debug", "-nameOfDebugFile", str(talk), *options,
    ]  # fmt: skip
    for _ in range(attempts):
        games.unlink(missing_ok=True)
        status = run(command)
        said = talk.read_text("utf-8", "replace")
        lost = OPPONENT_LOST in said or (status is None and waits_for_opponent(said, first))
        if not lost:
            break
    assert status == 0 or OPPONENT_LOST in said, f"status {status}: {said[-1000:]}"
    with games.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
        assert game and chess.pgn.read_game(file) is None
    return game, said


def run(command: list[str]) -> int | None:
    """The exit status; None if the game did not end in time, and nothing of it is left then."""
    quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    environment = os.environ | {"PATH": PATH}
    with subprocess.Popen(command, env=environment, start_new_session=True, **quiet) as process:
        try:
            return process.wait(MAX_GAME)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def waits_for_opponent(said: str, first: str) -> bool:
    """The last that XBoard has sent asks Fairy-Max for a move; it died then, and XBoard waits for it."""
    name = "first " if first == OPPONENT else "second"
    asked = re.findall(r">(first |second): (?:go|(?:usermove )?[a-h][1-8][a-h][1-8]\w?)\n", said)
    return bool(asked) and asked[-1] == name


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
    nothing_is_refused(talk, "second" if opponent_first else "first ")


def test_chess960_in_both_protocols(tmp_path: Path, launcher: Path) -> None:
    sides = [text.format(launcher=launcher, folder=tmp_path) for text in (NATIVE, POLYGLOT)]
    game, talk = play(tmp_path, *sides, "-variant", "fischerandom", "-defaultFrcPosition", "300")
    is_complete(game)
    assert game.board().chess960
    nothing_is_refused(talk, "first ")


def test_a_cold_game_of_ten_seconds(tmp_path: Path) -> None:
    """The engine must compile first, which takes longer than the game."""
    clock = ("-tc", "0:10", "-inc", "0", "-autoCallFlag", "true")
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        cold = launch(folder / "cold", cache=folder / "cache")
        game, talk = play(folder, str(cold), OPPONENT, *clock, attempts=1)
        if OPPONENT_LOST not in talk:
            break
    is_complete(game)  # so nobody has lost on time
    name = "first "
    nothing_is_refused(talk, name)
    depths = depths_of_moves(talk, name)
    assert len(depths) >= game.end().board().ply() // 2
    assert min(depths) >= 2


def test_a_second_for_each_move_is_kept(tmp_path: Path, launcher: Path) -> None:
    if os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
        pytest.skip("the machine is too busy: whoever waits a tenth of a second is forfeited")
    other = launch(tmp_path / "other")
    options = ("-st", "0:01", "-autoCallFlag", "true")
    game, talk = play(tmp_path, str(launcher), str(other), *options)
    is_complete(game)
    for name in ("first ", "second"):
        nothing_is_refused(talk, name)


def nothing_is_refused(talk: str, name: str) -> None:
    """XBoard takes every feature and option of this engine, and has no reason to complain."""
    assert not re.search(rf">{name}: *rejected", talk)
    assert not re.search(rf"<{name}: *(Error|Illegal|tellusererror|# error)", talk)
    assert len(re.findall(rf"<{name}: *# no endgame tables", talk)) <= 1
    assert f"<{name}: feature option" in talk


def depths_of_moves(talk: str, name: str) -> list[int]:
    """How deep this engine has looked before each of its moves, 0 for not at all."""
    depths, depth = [], 0
    for said in re.findall(rf"<{name}: (.*)", talk):
        if thinking := re.match(r"(\d+) -?\d+ \d+ \d+ ", said):
            depth = int(thinking[1])
        elif said.startswith("move "):
            depths.append(depth)
            depth = 0
    return depths
