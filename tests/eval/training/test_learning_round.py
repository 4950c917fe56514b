"""One small round of learning from own games, by the commands that a contributor types."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.jit_only]


def boomslang(*arguments: str) -> str:
    command = [sys.executable, "-m", "cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def test_games_make_weights_that_play(tmp_path: Path) -> None:
    games, tried = tmp_path / "games.bin", tmp_path / "tried.py"
    boomslang("datagen", "--positions", "20000", "--nodes", "500", "--out", str(games))
    boomslang("tune-eval", str(games), "--out", str(tried), "--epochs", "8")
    header = tried.read_text().split('"""')[1]
    losses = re.findall(r"(\d\.\d+) before, (\d\.\d+) after", header)
    assert len(losses) == 2  # of what is learnt, and of what is kept aside
    assert float(losses[0][1]) < float(losses[0][0])
    assert re.search(r"SHA-256 of the records\s+[0-9a-f]{64}", header)
    told = boomslang("trial", "--weights", str(tried), "--games", "20", "--nodes", "1000")
    assert re.search(r"\+\d+ =\d+ -\d+ .* Elo", told)
