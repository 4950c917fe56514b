"""What is learnt of quiet moves: under which conditions one experience counts for another move."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from boomslang.engine import bridge
from boomslang.engine.core.constants import NO_SCORE, ZERO, I, U
from boomslang.engine.core.system.jit import i64, kernel, u64, void
from boomslang.engine.search.history import (
    note_attacked,
    quiet_history,
    update_by_evaluation_difference,
    update_histories,
)
from boomslang.engine.search.pruning import late_move_count
from boomslang.engine.search.state import NOTHING, search_t

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


@kernel(i64(search_t, i64, i64))
def most(search: Any, depth: Any, improving: Any) -> Any:
    """Quiet moves to look at."""
    return late_move_count(search, depth, improving)


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
        search.history.fill(0)
        search.continuation.fill(0)
        search.moved[0] = played
        search.static[0] = before
        swing(search, after)
        return int(known(search, move))

    assert learnt(30, -80) > learnt(30, -40) > 0 == learnt(30, -30)  # for its side now 80, 40, 30
    assert learnt(30, -20) < 0 < learnt(-100, -20)
    assert learnt(0, -1500) == learnt(0, -9000)  # no more than so much
    assert learnt(int(NO_SCORE), -80) == learnt(30, int(NO_SCORE)) == 0  # in check nobody knows
    assert learnt(30, -80, played=0) == 0  # a null move


def test_a_capture_is_not_rewarded_by_the_evaluation() -> None:
    search = bridge.new_search()
    search.played.fill(NOTHING)
    search.moved[0] = put(search, "4k3/8/8/5p2/3N4/8/8/4K3 w - - 0 1", "d4f5")
    search.static[0] = 30
    swing(search, I(-80))
    for field in ("history", "continuation", "capture_history"):
        assert not search[field].any()


def test_how_many_quiet_moves_are_looked_at() -> None:
    search = bridge.new_search()
    search.params.late_move_base, search.params.late_move_slope = 4, 130
    assert [most(search, I(depth), I(1)) for depth in range(1, 9)] == [
        5, 9, 15, 24, 36, 50, 67, 87,
    ]  # fmt: skip
    assert [most(search, I(depth), I(0)) for depth in (1, 2, 8)] == [2, 4, 43]
