"""What is learnt of quiet moves: under which conditions one experience counts for another move."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import ZERO, I, U
from boomslang.core.jit.jit import kernel, types, u64, void
from boomslang.engine import bridge
from boomslang.engine.bridge import set_root
from boomslang.engine.driver.alphabeta import AlphaBetaSearcher
from boomslang.engine.limits import Limits
from boomslang.engine.search.history import (
    age_history,
    age_history_in_kernel,
    clear_histories,
    note_attacked,
    update_after_research,
    update_histories,
)
from boomslang.engine.search.state import NOTHING, search_t
from boomslang.engine.search.transposition import new_table

pytestmark = pytest.mark.usefixtures("kernels")


@kernel(void(search_t, u64))
def cut_off(search: Any, move: Any) -> None:
    """The first move that was tried at the root, at depth 8, caused a cut-off."""
    note_attacked(search, I(0))
    update_histories(search, I(0), ZERO, move, I(8))


def put(search: Any, fen: str, uci: str) -> Any:
    """Set the root up; returns the move."""
    board = chess.Board(fen)
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    return U(bridge.from_move(chess.Move.from_uci(uci), board))


@kernel(void(search_t))
def age_in_kernel(search: Any) -> None:
    """A game within a kernel begins a search."""
    age_history_in_kernel(search)


@kernel(void(search_t, u64, types.boolean))
def research(search: Any, move: Any, succeeded: Any) -> None:
    """A move at the root was searched again, to depth 8."""
    update_after_research(search, I(0), move, I(8), succeeded)


# The same step of the knight from d4 to f5 where nothing is attacked, and where a pawn on e5 attacks d4,
# one on g6 f5, or both.
PLAIN = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"


def test_within_a_kernel_history_ages_alike() -> None:
    search, other = bridge.new_search(), bridge.new_search()
    some = np.random.default_rng(1).integers(-16384, 16385, search.history.shape)
    search.history[:] = other.history[:] = some
    age_history(search)
    age_in_kernel(other)
    assert np.array_equal(search.history, other.history)
    assert not np.array_equal(search.history, some)


def test_a_search_ages_the_history_of_each_thread_once() -> None:
    search, board = bridge.new_search(), chess.Board()
    algorithm = AlphaBetaSearcher(search, new_table(1))
    algorithm.set_threads(2)
    records = [search, *algorithm.helpers._records]
    for record in records:
        record.history[7, 0] = 1000  # from a1 to a1: no move will change it
    for depth in (1, 2):
        set_root(search, board, Limits(depth=depth), 1, len(records))
        set_root(search, board, Limits(depth=depth), 1, len(records))  # as for `eval`: no search
        assert len(list(algorithm.lines(board, Limits(depth=depth), depth, 1))) == depth
        algorithm.end()
    assert [int(record.history[7, 0]) for record in records] == [756] * len(records)


def test_everything_learnt_is_forgotten() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    empty = search.tobytes()
    move = put(search, PLAIN, "d4f5")
    fresh = search.tobytes()
    cut_off(search, move)
    research(search, move, True)
    search.capture_history[3, 3] = search.correction[0, 0, 3] = search.correction_move[0, 3] = 7
    search.attacked.fill(0)
    assert search.tobytes() not in (empty, fresh)
    clear_histories(search)
    assert search.tobytes() == fresh
