"""What a level has overlooked, between its moves and the end of the game."""

from __future__ import annotations

import chess

from boomslang.cli.play.opponent import EngineOpponent
from boomslang.engine.levels.ladder import FULL_SKILL
from boomslang.engine.levels.oversight import OVERLOOKED


def test_a_remark_does_not_outlive_the_move_it_is_about(kernels: None) -> None:
    """The level may have been changed, or the game begun anew."""
    opponent, board = EngineOpponent(FULL_SKILL, 0.01), chess.Board()
    opponent.oversights.note(board, f"{OVERLOOKED}1.e4")
    result = opponent.choose(board, None)
    assert result.best
    board.push(result.best)
    assert opponent.oversights.tell(board) == []
