"""A training learns, is the same each time, and comes to the same end when it is broken off."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from boomslang.engine.learning.data import dataset
from boomslang.engine.learning.data.dataset import Dataset, read_data
from boomslang.engine.learning.selfplay.datagen import generate
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings
from boomslang.engine.learning.training.parameters import from_network, initial, parts_of
from boomslang.engine.learning.training.quantisation_error import compare
from boomslang.engine.learning.training.quantise import quantise
from boomslang.engine.learning.training.trainer import Trainer, TrainingSettings
from boomslang.engine.learning.training.training_run import (
    FILE,
    TrainingRun,
    follow,
    publish,
    resume,
    save,
)
from boomslang.eval.network import file as network_file
from tests.support.training import data_of, predict, random_boards, records_of, vector_of_chance

pytestmark = pytest.mark.jit_only

ORIGIN = {"data": ["some"], "start": None}


@pytest.fixture(scope="module")
def data() -> Dataset:
    return data_of(records_of(random_boards(700)), aside=150)


@pytest.fixture(scope="module")
def plan() -> TrainingSettings:
    return TrainingSettings(steps=4 * 5, batch_size=100, learning_rate=3e-3, jobs=2, wdl=0.2)


def learn(data: Dataset, plan: TrainingSettings) -> tuple[TrainingRun, npt.NDArray[np.float32]]:
    course = TrainingRun()
    with Trainer(initial(1, 400.0), plan) as learner:
        assert list(follow(course, learner, data)).count(True) == 4
    return course, learner.parameters


def test_it_learns_and_is_the_same_each_time(data: Dataset, plan: TrainingSettings) -> None:
    # A higher rate of the many weights of threatened pieces would overfit these few positions.
    plan = dataclasses.replace(plan, learning_rate=1e-3, wdl=0.0)
    course, vector = learn(data, plan)
    losses = course.losses
    assert len(losses) == 5 and "training" not in losses[0]
    assert losses[-1]["holdout"] < losses[0]["holdout"]
    assert losses[-1]["training"] < losses[1]["training"]
    assert (learn(data, plan)[1] == vector).all()
    assert (learn(data, dataclasses.replace(plan, seed=2))[1] != vector).any()


def test_going_on_comes_to_the_same_end(
    data: Dataset, plan: TrainingSettings, tmp_path: Path
) -> None:
    whole, expected = learn(data, plan)
    path = tmp_path / "state"
    for broken_off in (1, 5, 13, 20):
        course = TrainingRun()
        with Trainer(initial(1, 400.0), plan) as learner:
            for _ in islice(follow(course, learner, data), broken_off):
                pass
            save(path, course, learner, ORIGIN)
        with Trainer(initial(9, 400.0), plan) as learner:
            course = resume(path, learner, ORIGIN)
            assert learner.number == broken_off
            for _ in follow(course, learner, data):
                pass
        assert (learner.parameters == expected).all() and course == whole, broken_off


def test_another_training_does_not_go_on(
    data: Dataset, plan: TrainingSettings, tmp_path: Path
) -> None:
    path = tmp_path / "state"
    with Trainer(initial(1, 400.0), plan) as learner:
        save(path, TrainingRun(), learner, ORIGIN)
        with pytest.raises(ValueError, match="another value of data"):
            resume(path, learner, {"data": ["another"], "start": None})
    with (
        Trainer(initial(1, 400.0), dataclasses.replace(plan, learning_rate=0.1)) as other,
        pytest.raises(ValueError, match="another value of learning-rate"),
    ):
        resume(path, other, ORIGIN)
    whole = path.read_bytes()
    for damaged in (
        b"",
        whole[:-1],
        whole[:50],
        whole.replace(b"course", b"coarse", 1),
        b"x" * 999,
    ):
        path.write_bytes(damaged)
        with Trainer(initial(1, 400.0), plan) as learner, pytest.raises(ValueError):
            resume(path, learner, ORIGIN)


def test_a_state_of_another_shape_is_refused(plan: TrainingSettings, tmp_path: Path) -> None:
    path = tmp_path / "state"
    with Trainer(initial(1, 400.0), plan) as trainer:
        save(path, TrainingRun(), trainer, ORIGIN)
        header, payload = FILE.read(path)
        FILE.write(path, header | {"size": header["size"] - 1}, payload[:-12])
        with pytest.raises(ValueError, match="another shape; delete the file"):
            resume(path, trainer, ORIGIN)


def test_a_loss_that_is_no_number_ends_it(data: Dataset, plan: TrainingSettings) -> None:
    with Trainer(initial(1, 400.0), plan) as learner:
        parts_of(learner.parameters).output_bias[:] = np.nan
        with pytest.raises(ValueError, match="smaller --learning-rate"):
            learner.learn(data.holdout)


def test_results_come_in_the_last_half(data: Dataset, plan: TrainingSettings) -> None:
    def after(steps: int, results: float, ramp: bool) -> npt.NDArray[np.float32]:
        changed = dataclasses.replace(plan, wdl=results, wdl_ramp=ramp)
        with Trainer(initial(1, 400.0), changed) as learner:
            for _ in islice(follow(TrainingRun(), learner, data), steps):
                pass
        return learner.parameters

    assert (after(10, 0.5, True) == after(10, 0.0, True)).all()
    assert (after(11, 0.5, True) != after(11, 0.0, True)).any()
    assert (after(1, 0.5, False) != after(1, 0.0, False)).any()


def test_what_is_published(data: Dataset, plan: TrainingSettings, tmp_path: Path) -> None:
    path = tmp_path / "net"
    with Trainer(initial(1, 400.0), plan) as learner:
        course = TrainingRun()
        for _ in follow(course, learner, data):
            pass
        exactness = publish(path, course, learner, data, {"seed": 1})
    network, header = network_file.read(path)
    assert header["seed"] == 1 and header["losses"] == course.losses
    assert header["exactness"] == dataclasses.asdict(exactness)
    assert 0.0 < exactness.mean < exactness.largest < exactness.spread
    # What is read is what was learnt, but for the rounding, and goes on from there.
    again = compare(from_network(network, 400.0), network, data.holdout)
    assert again.largest < 3.01  # all three parts are rounded down to whole centipawns
    learnt, kept = parts_of(learner.parameters), parts_of(from_network(network, 400.0))
    assert np.abs(learnt.input - kept.input).max() <= 0.5 / 255 + 1e-6
    assert np.abs(learnt.threatened - kept.threatened).max() <= 0.5 / 255 + 1e-6
    assert learnt.threat.any() and learnt.threatened.any()
    assert np.abs(learnt.threat - kept.threat).max() <= 0.5 / 12800 + 1e-6


def test_another_scale_gives_the_same_centipawns(data: Dataset) -> None:
    network = quantise(vector_of_chance(5), 400)
    outputs = [
        predict(from_network(network, scale), data.holdout) * scale for scale in (400.0, 250.0)
    ]
    assert np.allclose(outputs[0], outputs[1], atol=0.05)


def test_files_that_become_shorter_are_noticed(data: Dataset, plan: TrainingSettings) -> None:
    longer = dataclasses.replace(data, positions=data.positions + 100)
    plan = dataclasses.replace(plan, steps=2 * (longer.positions // plan.batch_size))
    with (
        Trainer(initial(1, 400.0), plan) as learner,
        pytest.raises(ValueError, match="fewer positions"),
    ):
        list(follow(TrainingRun(), learner, longer))


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of games."""
    folder = tmp_path_factory.mktemp("course")
    paths = [folder / f"{seed}.bin" for seed in (3, 4)]
    for seed, path in enumerate(paths):
        generate(path, DatagenSettings(seed=seed, nodes=20, engine="test"), games=12)
    return paths


@pytest.fixture
def many_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "VALIDATION_SHARE", 0.3)


def rows(arrays: Iterable[npt.NDArray[np.void]]) -> list[bytes]:
    return [record.tobytes() for array in arrays for record in array]


def test_games_are_kept_aside_whole(paths: list[Path], many_aside: None) -> None:
    data = read_data(paths)
    assert data.games == 24 and [one["name"] for one in data.files] == ["3.bin", "4.bin"]
    taught = rows(data.source.arrays(1, 1))
    assert len(taught) == data.positions > 0 < len(data.holdout)
    assert set(taught).isdisjoint(rows([data.holdout]))
    assert data.positions + len(data.holdout) == sum(
        int(str(one["positions"])) for one in data.files
    )
    # The same games are kept aside whatever else is read.
    assert set(rows([read_data(paths[1:]).holdout])) <= set(rows([data.holdout]))


def test_positions_come_in_another_order_in_each_pass(
    paths: list[Path], many_aside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = []
    for most in (dataset.IN_MEMORY, 0):
        monkeypatch.setattr(dataset, "IN_MEMORY", most)
        source = read_data(paths).source
        assert isinstance(source, dataset.PositionMemory if most else dataset.FileSource)
        first, again, second, other = (
            rows(source.arrays(*one)) for one in ((1, 1), (1, 1), (1, 2), (2, 1))
        )
        assert first == again and first != second and first != other
        assert sorted(first) == sorted(second) == sorted(other)
        passes.append(sorted(first))
    assert passes[0] == passes[1]  # from memory or from files
