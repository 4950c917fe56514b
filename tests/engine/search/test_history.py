"""What is learnt of quiet moves: under which conditions one experience counts for another move."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from engine import bridge
from engine.constants import ZERO, I, U
from engine.search.history import learn, note_attacked, quiet_history
from engine.search.state import NOTHING, search_t
from engine.system.jit import i64, kernel, u64, void

pytestmark = pytest.mark.usefixtures("kernels")


@kernel(void(search_t, u64))
def cut_off(search: Any, move: Any) -> None:
    """The first move that was tried at the root, at depth 8, caused a cut-off."""
    note_attacked(search, I(0))
    learn(search, I(0), ZERO, move, I(8))


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
