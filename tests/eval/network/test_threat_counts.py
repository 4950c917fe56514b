"""Threats are what python-chess finds by their specification, in positions of all kinds."""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.position import position_t, rules_t
from boomslang.core.jit.jit import DISABLED, kernel, types, void
from boomslang.engine import bridge
from boomslang.eval.network.shape import THREATS
from boomslang.eval.network.threat_counts import NAMES, count_threats
from tests.support.oracle import fixed_positions, random_game, random_placement
from tests.support.threat_oracle import threats_of

pytestmark = pytest.mark.usefixtures("kernels")


@kernel(void(rules_t, position_t, types.int32[:, ::1]))
def counted(rules: Any, position: Any, counts: Any) -> None:
    """What the kernels of judging call."""
    ours, theirs, _ = count_threats(rules, position)
    for number in range(THREATS):
        counts[0, number], counts[1, number] = ours[number], theirs[number]


@pytest.fixture(scope="module")
def search() -> Any:
    return bridge.new_search()


def found(search: Any, board: chess.Board) -> list[list[int]]:
    counts = np.full((2, THREATS), -1, dtype=np.int32)
    bridge.to_position(search.rules, board, search.position[0])
    counted(search.rules, search.position[0], counts)
    return [[int(count) for count in row] for row in counts]


def test_every_threat_has_a_name() -> None:
    assert len(NAMES) == len(set(NAMES)) == THREATS


def test_threats_match_the_specification(search: Any) -> None:
    rng = random.Random(11)
    boards = [*fixed_positions(), *(random_placement(rng) for _ in range(2 if DISABLED else 60))]
    for seed in range(1 if DISABLED else 4):
        boards += list(random_game(seed, 80, seed % 3 == 0))[:: 20 if DISABLED else 3]
    seen = np.zeros(THREATS, dtype=np.int64)
    for board in boards:
        counts = found(search, board)
        assert counts == threats_of(board), board.fen()
        seen += np.sum(counts, axis=0)
    assert DISABLED or seen.min() > 0, "a kind of threat that never came up"
