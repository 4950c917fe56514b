"""Features of a few positions; these kernels also run as plain Python."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import numpy.typing as npt
import pytest

from boomslang.core.board.position import POSITION, new_record
from boomslang.engine.learning.data.records import RECORD, pack, unpack
from boomslang.engine.learning.training import texel
from boomslang.engine.learning.training.classical_features import extract_features
from boomslang.engine.learning.training.weights_file import read_present_weights
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from tests.engine.learning.training.test_texel import SCALE, model
from tests.support.oracle import position_of, rules

pytestmark = pytest.mark.usefixtures("kernels")

FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rqr1k1/1p3pp1/8/p1p1p3/P1PnP3/3PN1P1/1P6/2RQR1K1 b - - 3 24",
    "8/p1pR1pkp/6p1/2p5/P1r1P3/5P2/6KP/8 b - - 5 34",
    "8/8/8/8/3k4/8/8/KBN5 w - - 30 60",  # nothing counts but the way to the mate
    "7k/8/8/8/8/8/4B2P/6K1 b - - 0 1",  # a lead that cannot be realised in full
)


@pytest.fixture(scope="module")
def records() -> npt.NDArray[np.void]:
    found = np.zeros(len(FENS), dtype=RECORD)
    for number, fen in enumerate(FENS):
        pack(position_of(chess.Board(fen)), found.view(np.recarray)[number])
    found["result"] = (2, 0, 1, 2, 1)
    return found


def test_features_and_weights_give_the_evaluation(records: Any) -> None:
    features = extract_features(rules(), records)
    position, evaluator = new_record(POSITION), new_evaluator()
    for number, record in enumerate(records.view(np.recarray)):
        unpack(rules(), record, position)
        score = int(evaluate(rules(), evaluator, position))
        white = -score if position.side else score
        assert abs(model(features, number) - white) < 5  # whole numbers, rounded several times


def test_the_loss_and_where_it_falls(records: Any) -> None:
    features = extract_features(rules(), records)
    features.rows["label"] = texel.labels(records, SCALE, 1.0)
    weights = read_present_weights()
    rows = np.arange(len(records))
    before, gradient = texel.loss_and_gradient(features, rows, SCALE, weights)
    weights.linear -= 100 * gradient.linear
    after, _ = texel.loss_and_gradient(features, rows, SCALE, weights)
    assert 0 < after < before
