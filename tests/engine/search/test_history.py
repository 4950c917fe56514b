"""What is learnt of quiet moves: under which conditions one experience counts for another move."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import NO_SCORE, ZERO, I, U
from boomslang.core.jit.jit import i64, kernel, types, u64, void
from boomslang.engine import bridge
from boomslang.engine.bridge import set_root
from boomslang.engine.driver.alphabeta import AlphaBetaSearcher
from boomslang.engine.limits import Limits
from boomslang.engine.search.history import (
    age_history,
    age_history_in_kernel,
    clear_histories,
    note_attacked,
    quiet_history,
    update_after_fail_low,
    update_after_research,
    update_by_evaluation_difference,
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


@kernel(i64(search_t, u64))
def known(search: Any, move: Any) -> Any:
    """What is known of a quiet move at the root."""
    note_attacked(search, I(0))
    return quiet_history(search, I(0), move)


def put(search: Any, fen: str, uci: str) -> Any:
    """Set the root up; returns the move."""
    board = chess.Board(fen)
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    return U(bridge.from_move(chess.Move.from_uci(uci), board))


@kernel(void(search_t, i64))
def swing(search: Any, static: Any) -> None:
    """The evaluation after the move at the root."""
    update_by_evaluation_difference(search, I(1), static)


@kernel(void(search_t))
def age_in_kernel(search: Any) -> None:
    """A game within a kernel begins a search."""
    age_history_in_kernel(search)


@kernel(void(search_t, i64))
def fail_low(search: Any, depth: Any) -> None:
    """All moves failed low after the move at the root."""
    note_attacked(search, I(0))
    update_after_fail_low(search, I(1), depth)


@kernel(void(search_t, u64, types.boolean))
def research(search: Any, move: Any, succeeded: Any) -> None:
    """A move at the root was searched again, to depth 8."""
    update_after_research(search, I(0), move, I(8), succeeded)


# The same step of the knight from d4 to f5 where nothing is attacked, and where a pawn on e5 attacks d4,
# one on g6 f5, or both.
PLAIN = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"
SAVED = "4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1"
RISKED = "4k3/8/6p1/8/3N4/8/8/4K3 w - - 0 1"
BOTH = "4k3/8/6p1/4p3/3N4/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("taught", [PLAIN, SAVED, RISKED, BOTH])
def test_a_move_out_of_an_attack_or_into_one_is_another_move(taught: str) -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    cut_off(search, put(search, taught, "d4f5"))
    search.continuation.fill(0)  # these tell moves by piece and target alone
    search.pawn_history.fill(0)  # and these by the pawns, which differ here
    for fen in (PLAIN, SAVED, RISKED, BOTH):
        score = known(search, put(search, fen, "d4f5"))
        assert (score > 0) == (fen == taught), fen
        assert score >= 0


@pytest.mark.parametrize("fen", [PLAIN, SAVED])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_quiet_move_is_rewarded_by_what_the_evaluation_rose(fen: str, mirrored: bool) -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    board = chess.Board(fen)
    move = put(search, board.mirror().fen() if mirrored else fen, "d5f4" if mirrored else "d4f5")

    def learnt(before: int, after: int, played: Any = move) -> int:
        """What is known of the move when its side stood `before`, and the other then `after`."""
        for field in ("history", "continuation", "pawn_history"):
            search[field].fill(0)
        search.moved[0] = played
        search.static[0] = before
        swing(search, after)
        return int(known(search, move))

    assert learnt(30, -80) > learnt(30, -40) > 0 == learnt(30, -30)  # for its side now 80, 40, 30
    assert learnt(30, -20) < 0 < learnt(-100, -20)
    assert learnt(0, -1500) == learnt(0, -9000)  # no more than so much
    assert learnt(int(NO_SCORE), -80) == learnt(30, int(NO_SCORE)) == 0  # in check nobody knows
    assert learnt(30, -80, played=0) == 0  # a null move


def test_a_capture_is_not_rewarded_by_what_the_evaluation_rose() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    search.moved[0] = put(search, "4k3/8/8/5p2/3N4/8/8/4K3 w - - 0 1", "d4f5")
    search.static[0] = 30
    swing(search, -80)
    assert not any(search[field].any() for field in ("history", "capture_history"))


def test_a_move_is_known_again_with_the_same_pawns() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    cut_off(search, put(search, PLAIN, "d4f5"))
    search.history.fill(0)
    search.continuation.fill(0)
    for fen in (PLAIN, "4k3/8/8/8/3N4/8/8/R3K3 w - - 0 1"):
        assert known(search, put(search, fen, "d4f5")) > 0
    assert known(search, put(search, SAVED, "d4f5")) == 0


def test_a_fail_low_rewards_the_move_before_it() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    move = put(search, PLAIN, "d4f5")
    search.moved[0] = move
    fail_low(search, I(8))
    shallow = int(known(search, move))
    fail_low(search, I(8))
    assert 0 < shallow < known(search, move)
    for unrewarded in (0, int(put(search, "4k3/8/8/5p2/3N4/8/8/4K3 w - - 0 1", "d4f5"))):
        clear_histories(search)
        search.moved[0] = unrewarded  # a null move, a capture
        fail_low(search, I(8))
        assert not search.history.any() and not search.capture_history.any()


def test_a_second_search_teaches_what_follows_the_last_moves() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    move = put(search, PLAIN, "d4f5")
    research(search, move, True)
    assert known(search, move) > 0 and search.continuation.any()
    assert not search.history.any() and not search.pawn_history.any()
    research(search, move, False)
    research(search, move, False)
    assert known(search, move) < 0


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
