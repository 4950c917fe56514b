"""The tuner: it sees what the evaluation sees, goes downhill, and writes what it found."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.cli.lab.training import tune_eval_command
from boomslang.core.board.constants import BLACK
from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.engine.learning.data.game_reader import read
from boomslang.engine.learning.data.records import unpack
from boomslang.engine.learning.selfplay.datagen import generate
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.training import texel
from boomslang.engine.learning.training.classical_features import Features, extract_features
from boomslang.engine.learning.training.train_settings import WeightTuning
from boomslang.engine.learning.training.weights_file import (
    as_docstring,
    literals,
    read_present_weights,
    rewrite,
)
from boomslang.eval.classical import weights
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.weights import PIECE_SQUARE

pytestmark = [pytest.mark.usefixtures("kernels"), pytest.mark.jit_only]

SCALE = 160.0


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tune") / "games.bin"
    generate(path, DatagenSettings(seed=9, nodes=100, engine="test"), games=21)
    return path


@pytest.fixture(scope="module")
def records(path: Path) -> npt.NDArray[np.void]:
    return read(path)[1]


@pytest.fixture(scope="module")
def features(records: npt.NDArray[np.void]) -> Features:
    features = extract_features(bridge.new_rules(None, PIECE_SQUARE), records)
    features.rows["label"] = texel.labels(records, SCALE, 0.5)
    return features


def model(features: Features, number: int) -> float:
    """The evaluation as the tuner computes it, White's view."""
    present = read_present_weights()
    row = features.rows[number]
    span = slice(int(row["start"]), int(row["start"] + row["count"]))
    early, late = features.counts[span].astype(float) @ present.linear[features.names[span]]
    white, black = np.maximum(features.dangers[number].astype(float) @ present.danger, 0.0)
    early += (black**2 - white**2) / texel.DANGER_SQUARE
    late += (black - white) / texel.DANGER_LINE
    return float(early * row["early"] + late * row["late"] + row["offset"])


def test_features_and_weights_give_the_evaluation(
    records: npt.NDArray[np.void], features: Features
) -> None:
    rules = bridge.new_rules(None, PIECE_SQUARE)
    position = new_record(POSITION)
    evaluator = new_evaluator()
    for number, record in enumerate(records.view(np.recarray)):
        unpack(rules, record, position)
        score = int(evaluate(rules, evaluator, position))
        white = -score if position.side == BLACK else score
        assert abs(model(features, number) - white) < 5  # whole numbers, rounded several times


def test_the_gradient_is_that_of_the_loss(features: Features) -> None:
    present = read_present_weights()
    source = np.random.default_rng(2)
    # Whole numbers may add up to a danger of 0, where the slope jumps and a difference is half of it.
    present.danger += source.uniform(0.1, 0.4, present.danger.size)
    rows = np.arange(0, len(features.rows), 3)
    _, gradient = texel.loss_and_gradient(features, rows, SCALE, present)
    used = np.flatnonzero(np.abs(gradient.linear[:, 0]) > 1e-7)
    small = 0.001
    for kind in ("linear", "danger"):
        flat = getattr(gradient, kind).ravel()
        places = source.choice(used * 2, 15) if kind == "linear" else np.arange(flat.size)
        for place in places:
            losses = []
            for step in (small, -small):
                moved = present.with_values(present.flat())
                getattr(moved, kind).ravel()[place] += step
                losses.append(texel.loss_and_gradient(features, rows, SCALE, moved)[0])
            assert (losses[0] - losses[1]) / (2 * small) == pytest.approx(
                flat[place], rel=1e-3, abs=1e-9
            )


def test_the_loss_goes_down(features: Features, records: npt.NDArray[np.void]) -> None:
    training, holdout = texel.split(records, 1)
    assert set(records["game"][training]).isdisjoint(records["game"][holdout])
    epochs: list[texel.Epoch] = []
    plan = WeightTuning(epochs=5)
    start = read_present_weights()
    before = start.flat()
    tuned = texel.tune(features, training, holdout, SCALE, start, plan, epochs.append)
    assert [epoch.number for epoch in epochs] == list(range(6))
    losses = [epoch.training_loss for epoch in epochs]
    assert losses[-1] < losses[1] < losses[0] + 1e-9
    assert (start.flat() == before).all()
    again = texel.tune(features, training, holdout, SCALE, start, plan)
    assert (again.flat() == tuned.flat()).all()


def test_the_scale_of_made_up_games_is_found() -> None:
    source = np.random.default_rng(3)
    scores = source.normal(0.0, 300.0, 50_000)
    won = source.random(50_000) < 1.0 / (1.0 + np.exp(-scores / 200.0))
    assert texel.fit_scale(scores, won.astype(float)) == pytest.approx(200.0, rel=0.05)


def test_the_weights_file_keeps_its_numbers() -> None:
    source = Path(weights.__file__).read_text("utf-8")
    written = rewrite(source, literals(read_present_weights()), "Something.\n")
    scope: dict[str, object] = {"__name__": "weights"}
    exec(compile(written, "weights.py", "exec"), scope)  # noqa: S102 - our own code
    assert scope["__doc__"] == "Something.\n"
    usable = np.ones((13, 64), dtype=bool)
    usable[[[0], [6]], [*range(8), *range(56, 64)]] = False  # pawns where no pawn can be
    assert (np.asarray(scope["PIECE_SQUARE"])[usable] == PIECE_SQUARE[usable]).all()
    assert scope["TERMS"] == weights.TERMS
    assert scope["DANGERS"] == weights.DANGERS
    assert rewrite(written, literals(read_present_weights()), "Something.\n") == written


@given(st.text(st.sampled_from("\\\"'NUx{a 1\n\r\0"), max_size=30))
def test_a_docstring_may_hold_anything(text: str) -> None:
    text = text.rstrip("\n")
    assert ast.literal_eval(as_docstring(text)) == f"{text}\n"


def test_a_file_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="TERMS"):
        rewrite('"""Numbers."""\n', {"TERMS": {}}, "Numbers.")


def test_the_command(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.py"
    arguments = [str(path), "--epochs", "2", "--positions", "500", "--out", str(out)]
    assert tune_eval_command.main(arguments) == 0
    docstring = ast.get_docstring(ast.parse(out.read_text("utf-8")))
    assert docstring is not None and "500 positions" in docstring and "--epochs 2" in docstring
    (tmp_path / "empty").write_bytes(b"")
    capsys.readouterr()
    assert tune_eval_command.main([str(tmp_path / "empty"), "--out", str(out)]) == 2
    assert "not a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--rate", "nan"], ["--rate", "-2"], ["--decay", "nan"], ["--decay", "-1"]],
    ids=str,
)
def test_what_would_ruin_the_weights_is_refused(
    arguments: list[str], path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "weights.py"
    assert tune_eval_command.main([str(path), "--out", str(out), *arguments]) == 2
    assert arguments[1] in capsys.readouterr().err and not out.exists()


def test_games_of_a_network_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "network.bin"
    generate(games, DatagenSettings(seed=9, nodes=20, engine="test", evaluation="0" * 64), games=1)
    assert tune_eval_command.main([str(games), "--out", str(tmp_path / "weights.py")]) == 2
    assert "--classical" in capsys.readouterr().err
