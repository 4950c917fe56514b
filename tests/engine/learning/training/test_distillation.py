"""Lessons of the hand-made evaluation: sound positions near those of games, with its scores."""

from __future__ import annotations

import numpy as np
import pytest

from boomslang.core.board.position import POSITION, new_record
from boomslang.core.jit.jit import DISABLED
from boomslang.engine.learning.data.dataset import Dataset, PositionMemory, Records
from boomslang.engine.learning.data.records import unpack
from boomslang.engine.learning.training.distillation import near_positions
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.network.features import is_known_ending
from tests.support.networks import random_network, reference
from tests.support.oracle import rules
from tests.support.training import random_boards, records_of

pytestmark = pytest.mark.usefixtures("kernels")

NUMBER = 20 if DISABLED else 200


@pytest.fixture(scope="module")
def data() -> Dataset:
    boards = [board for board in random_boards(2 * NUMBER) if not board.is_check()]
    records = records_of(boards)
    half = len(records) // 2
    return Dataset(PositionMemory(records[:half]), 1, half, records[half:], [])


def taught(data: Dataset, seed: int = 1, number: int = 1) -> Records:
    return np.concatenate(list(near_positions(data).source.arrays(seed, number)))


def test_scores_equal_the_classical_evaluation(data: Dataset) -> None:
    records = taught(data)
    assert len(records) == data.positions
    evaluator, position = new_evaluator(), new_record(POSITION)
    scores = []
    for record in records.view(np.recarray):
        unpack(rules(), record, position)
        assert position.castling == 0 and position.halfmoves == 0
        score = int(evaluate(rules(), evaluator, position))
        scores.append(-score if position.side else score)
    assert np.array_equal(np.clip(scores, -1500, 1500), records["score"])
    assert len(set(scores)) > NUMBER // 4


def test_a_share_of_the_judgement_is_a_networks(data: Dataset) -> None:
    network = random_network(5)
    network.scale = 50  # else most is beyond what is learnt
    evaluator, position = new_evaluator(), new_record(POSITION)
    records = np.concatenate(list(near_positions(data, network, 0.25).source.arrays(1, 1)))
    seen = 0
    for record in records.view(np.recarray):
        unpack(rules(), record, position)
        own = int(evaluate(rules(), evaluator, position))
        pieces = {
            square: piece for square, piece in enumerate(position.board.tolist()) if piece < 12
        }
        if is_known_ending(position):
            score = own
        else:
            score = (192 * own + 64 * reference(network, pieces, int(position.side))) // 256
            seen += score != own
        score = min(max(score, -1500), 1500)
        assert record.score == (-score if position.side else score)
    assert seen > len(records) // 2


def test_positions_are_others_but_near(data: Dataset) -> None:
    records = taught(data)
    before = np.concatenate(list(data.source.arrays(1, 1)))
    moved = np.bitwise_count(before["occupied"] ^ records["occupied"])
    assert np.count_nonzero(moved) > 0.8 * len(records)
    assert moved.max() <= 16  # four moves, castling among them
    fewer = np.bitwise_count(before["occupied"]) - np.bitwise_count(records["occupied"])
    assert fewer.min() >= 0 and fewer.max() <= 4


def test_they_depend_on_seed_and_pass_alone(data: Dataset) -> None:
    first = taught(data).tobytes()
    assert taught(data).tobytes() == first
    assert taught(data, seed=2).tobytes() != first
    assert taught(data, number=2).tobytes() != first
    assert near_positions(data).holdout.tobytes() == near_positions(data).holdout.tobytes()
    assert near_positions(data).holdout.tobytes() != data.holdout.tobytes()
