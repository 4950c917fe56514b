"""`boomslang calibrate`, against an opponent that plays the first move it finds."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.arguments import BAD_USAGE
from cli.commands import calibrate as command
from engine.selfplay.calibration import Measured
from tests.support.places import ROOT
from tests.support.uci_process import PATIENCE

OPPONENT = """\
import sys
import chess
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("option name UCI_LimitStrength type check default false")
        print("option name UCI_Elo type spin default 1350 min 1350 max 2850")
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "startpos"]:
        board = chess.Board()
        for move in words[3:]:
            board.push_uci(move)
    elif words[:1] == ["go"]:
        print("info depth 1 score cp -1500")
        print("bestmove", next(iter(board.legal_moves)).uci())
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


def calibrate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", "calibrate", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=4 * PATIENCE,
    )


def test_the_difference_and_its_error() -> None:
    assert Measured(10, 20, 10).difference == pytest.approx(0)
    assert Measured(75, 0, 25).difference == pytest.approx(190.8, abs=0.1)
    assert Measured(0, 400, 0).error < 5
    assert Measured(4, 0, 0).error > 200
    assert Measured(200, 0, 200).error < Measured(50, 0, 50).error
    assert 60 < Measured(50, 0, 50).error < 80


@pytest.mark.jit_only
def test_a_level_beats_who_cannot_play(tmp_path: Path) -> None:
    script = tmp_path / "an opponent.py"
    script.write_text(OPPONENT, "ascii")
    opponent = shlex.join([sys.executable, str(script)])
    done = calibrate("--opponent", opponent, "--elo", "1600", "--games", "2")
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[-1]
    assert row.startswith("| UCI_Elo 1600 |") and "| 1600 | 2 | 0 | 0 |" in row


@pytest.mark.parametrize(
    "arguments",
    [
        ["--elo", "1400"],
        ["--opponent", "no-such-engine", "--elo", "1400"],
        ["--opponent", sys.executable, "--elo", "20"],
        ["--opponent", sys.executable, "--level-nodes", "100"],
        ["--opponent", "'", "--elo", "1400"],
        ["--opponent", sys.executable, "--elo", "1400", "1500", "1600", "--against", "1", "2"],
    ],
)
def test_bad_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == BAD_USAGE
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_opponent_that_does_not_play() -> None:
    done = calibrate("--opponent", "true", "--elo", "1400", "--games", "2")
    assert done.returncode == command.FAILED
    assert done.stderr.strip().splitlines()[-1].startswith("boomslang calibrate: ")
