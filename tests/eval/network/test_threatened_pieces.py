"""Threatened pieces, their states and their inputs are what python-chess finds by their specification."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import U
from boomslang.core.board.position import new_record, position_t, rules_t
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import DISABLED, kernel, types, u64, void
from boomslang.engine import bridge
from boomslang.eval.network.accumulator import ACCUMULATORS, accumulators_t, find_threatened
from boomslang.eval.network.shape import INPUTS, STATES, network_t
from boomslang.eval.network.threat_counts import count_threats
from boomslang.eval.network.threatened_pieces import first_input, threatened_pieces
from tests.support.networks import random_network
from tests.support.oracle import fixed_positions, random_game, random_placement
from tests.support.threat_oracle import threatened_of
from tests.support.training import inputs_of

pytestmark = pytest.mark.usefixtures("kernels")

UNDEFENDED, DEFENDED = 0, 1
PAWN, MINOR, OTHER = range(0, 6, 2)


@kernel(void(rules_t, position_t, types.int64[::1]))
def look(rules: Any, position: Any, firsts: Any) -> None:
    """What the kernels of the network call: the first input of each threatened piece's group, by square."""
    _, _, attacks = count_threats(rules, position)
    pieces = threatened_pieces(position, attacks)
    left = pieces[0]
    while left:
        square = lsb(left)
        firsts[square] = first_input(pieces, square)
        left &= left - U(1)


@kernel(u64(network_t, rules_t, accumulators_t, position_t))
def write_inputs(network: Any, rules: Any, accumulators: Any, position: Any) -> Any:
    """What an evaluation does before it adds up."""
    _, _, attacks = count_threats(rules, position)
    return find_threatened(network, accumulators, position, attacks)


@pytest.fixture(scope="module")
def search() -> Any:
    return bridge.new_search()


def found(search: Any, board: chess.Board) -> dict[int, int]:
    """The states of threatened pieces by square."""
    firsts = np.full(64, -1, dtype=np.int64)
    bridge.to_position(search.rules, board, search.position[0])
    look(search.rules, search.position[0], firsts)
    assert (firsts[firsts >= 0] % INPUTS == 0).all()
    return {square: first // INPUTS for square, first in enumerate(firsts.tolist()) if first >= 0}


def boards() -> Iterator[chess.Board]:
    """Positions of all kinds."""
    rng = random.Random(12)
    yield from fixed_positions()
    yield from (random_placement(rng) for _ in range(2 if DISABLED else 80))
    for seed in range(1 if DISABLED else 12):
        for ply, board in enumerate(random_game(seed, 80, seed % 3 == 0)):
            if ply % (20 if DISABLED else 3) == 0:
                yield board


def test_states_match_the_specification(search: Any) -> None:
    seen: Counter[int] = Counter()
    for board in boards():
        states = found(search, board)
        assert states == threatened_of(board), board.fen()
        seen.update(states.values())
    assert DISABLED or set(seen) == set(range(STATES)), "a state that never came up"


def test_each_side_sees_them_with_its_own_eyes(search: Any) -> None:
    network, accumulators = random_network(1), new_record(ACCUMULATORS)
    for board in boards():
        bridge.to_position(search.rules, board, search.position[0])
        count = int(write_inputs(network, search.rules, accumulators, search.position[0]))
        for number, side in enumerate((chess.WHITE, chess.BLACK)):
            inputs = np.asarray(accumulators.threatened)[number, :count].tolist()
            assert sorted(inputs) == sorted(inputs_of(board, side)[1]), board.fen()
