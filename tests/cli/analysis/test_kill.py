"""kill -9 at random moments of an analysis: nothing is lost, and nobody can tell afterwards."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest

from boomslang.engine.analysis.plan import MAX_POSITIONS
from tests.support.places import ROOT
from tests.support.process import STARTUP, TIMEOUT

KILLS, GAMES, PLIES = 20, 20, 16

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups"),
    pytest.mark.timeout(900),
]


def write_games(path: Path, source: random.Random) -> None:
    games = []
    for _ in range(GAMES):
        board = chess.Board()
        for _ in range(PLIES):
            board.push(source.choice(list(board.legal_moves)))
        games.append(str(chess.pgn.Game.from_board(board)))
    path.write_text("\n\n".join(games), encoding="utf-8")


def started(folder: Path, stem: str, jobs: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cli", "analyse", "games.pgn", "--out", stem]
    return subprocess.Popen(
        [*command, "--nodes", "6000", "--hash", "1", "--jobs", str(jobs)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def entries(path: Path) -> list[bytes]:
    """The whole lines of a journal without its header."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True)[1:] if line[-1:] == b"\n"]


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", [1, 2])
def test_kill(jobs: int, tmp_path: Path) -> None:
    source = random.Random(jobs)
    write_games(tmp_path / "games.pgn", source)
    undisturbed = started(tmp_path, "whole", 1)
    assert undisturbed.wait(STARTUP) == 0

    path = tmp_path / "killed.journal"
    known: list[bytes] = []
    segments = GAMES * -(-(PLIES + 1) // MAX_POSITIONS)
    for kill in range(KILLS):
        process = started(tmp_path, "killed", jobs)
        # A share of what is left, so that the last one comes before the end; none for the first.
        enough = len(known) + source.randrange(max((segments - len(known)) // (KILLS - kill), 1))
        give_up = time.monotonic() + STARTUP
        while len(entries(path)) < enough and time.monotonic() < give_up:
            time.sleep(0.002)
        time.sleep(source.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait(TIMEOUT) == -signal.SIGKILL
        now = entries(path)
        assert now[: len(known)] == known  # nothing that was found is lost or found again
        known = now
        give_up = time.monotonic() + TIMEOUT
        while is_alive(process.pid) and time.monotonic() < give_up:
            time.sleep(0.01)
        assert not is_alive(process.pid)  # no worker outlives who gave it work
    assert 0 < len(known) < segments
    assert len({line.split(b",")[0] for line in known}) == len(known)

    last = started(tmp_path, "killed", jobs)
    assert last.wait(STARTUP) == 0
    for ending in ("pgn", "json", "html"):
        assert (tmp_path / f"killed.{ending}").read_bytes() == (
            tmp_path / f"whole.{ending}"
        ).read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {
        "games.pgn",
        *(f"{stem}.{ending}" for stem in ("whole", "killed") for ending in ("pgn", "json", "html")),
    }
