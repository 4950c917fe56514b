"""The error of networks on held-out positions: which positions, which error, and how sure."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boomslang.cli.lab.training import network_command as command
from boomslang.engine.learning.data.game_reader import VALIDATION_SHARE, GameReader, is_held_out
from boomslang.engine.learning.data.records import RECORD
from boomslang.engine.learning.training import position_error
from boomslang.engine.learning.training.position_error import (
    estimate,
    read_held_out,
    squared_errors,
)
from boomslang.engine.learning.training.quantisation_error import play_scores
from boomslang.eval.network import file
from boomslang.eval.network.shape import SCALE
from tests.support.networks import random_network
from tests.support.written_games import bytes_of, random_written, write_games

pytestmark = [pytest.mark.usefixtures("kernels"), pytest.mark.jit_only]

GAMES = 24


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "some.games"
    played = (random_written(seed, plies=40) for seed in range(GAMES))
    write_games(path, [bytes_of(number, game) for number, game in enumerate(played)])
    return path


@pytest.fixture
def positions(games: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(position_error, "VALIDATION_SHARE", 1.0)
    return read_held_out(games)


def records_of(games: list[int]) -> Any:
    records = np.zeros(len(games), RECORD)
    records["game"] = games
    return records


def test_all_positions_of_the_held_out_games(positions: Any, games: Path) -> None:
    everything = np.concatenate([part for _, part in GameReader([games]).in_order()])
    assert sorted(map(bytes, positions)) == sorted(map(bytes, everything))
    assert len(np.unique(everything["game"])) > 20


def test_only_the_held_out_games(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"has \d held-out games, and 20 are needed: .* 2,000"):
        read_held_out(games)
    monkeypatch.setattr(position_error, "_MIN_GAMES", 1)
    monkeypatch.setattr(position_error, "VALIDATION_SHARE", 0.5)
    kept = np.unique(read_held_out(games)["game"])
    seed = GameReader([games]).headers[0].get("seed", 0)
    chosen = np.flatnonzero(is_held_out(seed, np.arange(GAMES, dtype=np.uint64), 0.5))
    assert 0 < len(kept) < GAMES and set(kept) <= set(chosen) and VALIDATION_SHARE < 0.5


def test_the_error_of_scores(positions: Any) -> None:
    network = random_network(4)
    scores = play_scores(network, positions)
    records = positions.copy()
    records["score"] = np.where(records["side"] == 0, scores, -scores)
    assert not squared_errors(network, records).any()
    records["score"] = -records["score"]
    errors = squared_errors(network, records)
    for score, error in zip(scores.tolist(), errors, strict=True):
        part = 1.0 / (1.0 + math.exp(-max(-1500, min(1500, score)) / SCALE))
        assert error == pytest.approx((2.0 * part - 1.0) ** 2)


def test_an_interval_counts_games() -> None:
    games = [0, 1, 2, 3]
    values = np.array([0.1, 0.2, 0.4, 0.1])
    one = estimate(values, records_of(games))
    assert one.mean == pytest.approx(0.2)
    assert one.margin == pytest.approx(1.96 * values.std(ddof=1) / 2.0)
    doubled = records_of([*games, *games])
    twice = estimate(np.concatenate([values, values]), doubled)
    assert (twice.mean, twice.margin) == pytest.approx((one.mean, one.margin))
    assert estimate(values * 0.0, records_of(games)).margin == 0.0


def test_the_command_compares_two(
    games: Path, positions: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "one.net", tmp_path / "two.net"]
    errors = []
    for seed, path in enumerate(paths):
        file.write(path, random_network(seed), {})
        errors.append(squared_errors(file.read(path)[0], positions).mean())
    assert command.main([*map(str, paths), "--positions", str(games)]) == 0
    *_, one, two, difference = capsys.readouterr().out.splitlines()
    for error, line in zip(errors, (one, two), strict=True):
        assert float(line.split()[0]) == pytest.approx(error, abs=1e-6)
    assert "one.net" in one and "two.net" in two and "±" in one
    assert float(difference.split()[0]) == pytest.approx(errors[0] - errors[1], abs=1e-6)
    assert "difference" in difference

    assert command.main([str(paths[0]), str(paths[0]), "--positions", str(games)]) == 0
    assert "+0.000000 ± 0.000000" in capsys.readouterr().out.splitlines()[-1]
    assert command.main([str(paths[0]), "--positions", str(games)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("'one.net'")
    assert command.main([str(paths[0]), str(paths[1])]) == 2
    assert "--positions" in capsys.readouterr().err
