"""A small round of learning from own games, by the commands that a contributor types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boomslang.eval.network import file
from tests.support.process import STARTUP, UciProcess, run_python

NO_QUEEN = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

pytestmark = [pytest.mark.slow, pytest.mark.jit_only]


def boomslang(*arguments: str) -> str:
    done = run_python("-m", "cli", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_games_make_a_network_that_plays(tmp_path: Path) -> None:
    """The four commands of docs/network.md, with next to no games."""
    games, taught, mine = tmp_path / "games.bin", tmp_path / "taught.net", tmp_path / "mine.net"
    boomslang(
        *(
            "datagen",
            "--positions",
            "60000",
            "--nodes",
            "200",
            "--classical",
            "--random-moves",
            "0.1",
        ),
        *("--jobs", "2", "--out", str(games)),
    )
    boomslang("train", str(games), "--pretrain", "--epochs", "20", "--out", str(taught))
    boomslang(  # slowly: so few games are soon learnt by heart
        *("train", str(games), "--from", str(taught), "--learning-rate", "1e-4", "--epochs", "4"),
        *("--batch-size", "4096", "--out", str(mine)),
    )
    losses = file.read(mine)[1]["losses"]
    assert len(losses) == 5  # the first is that of the network it began with
    assert losses[-1]["training"] < losses[1]["training"]
    assert losses[-1]["holdout"] < losses[0]["holdout"]
    told = boomslang("trial", "--network", str(mine), "--games", "20", "--nodes", "1000")
    assert re.search(r"\+\d+ =\d+ -\d+ .* Elo", told)
    # Half an hour of games less than the one that ships, but it knows what a queen is worth.
    with UciProcess() as engine:
        engine.ready(STARTUP)
        engine.send(f"setoption name EvalFile value {mine}", f"position fen {NO_QUEEN}", "eval")
        said = engine.until("Final evaluation")[-1]
    assert float(said.split()[2]) > 3.0
