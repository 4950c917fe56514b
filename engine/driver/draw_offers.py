"""When the engine accepts a draw offer, in all protocols and commands."""

from __future__ import annotations

from collections import deque
from typing import Final

import chess

from boomslang.engine.limits import Score

WHEN_WORSE: Final = -30  # centipawns: at most this score, a draw is welcome ...
NOT_BEFORE_MOVE: Final = 11  # ... but not in the opening
WHEN_EQUAL: Final = 10  # centipawns: a draw is acceptable up to this score ...
EQUAL_FROM_MOVE: Final = 40  # ... late in the game
MOVES_IN_A_ROW: Final = 3  # moves of the engine with such a score


class DrawOffers:
    """The scores of the engine's last moves, each from its view."""

    def __init__(self) -> None:
        self._last: deque[Score] = deque(maxlen=MOVES_IN_A_ROW)

    def forget(self) -> None:
        """Clear the scores, for another game or another side."""
        self._last.clear()

    def record(self, score: Score) -> None:
        """Record the score of a move of the engine, as it is displayed."""
        self._last.append(score)

    def accepts(self, board: chess.Board) -> bool:
        """True if the scores of the last moves justify accepting a draw."""
        move = board.fullmove_number
        limit = WHEN_EQUAL if move >= EQUAL_FROM_MOVE else WHEN_WORSE
        enough = len(self._last) == MOVES_IN_A_ROW and move >= NOT_BEFORE_MOVE
        return enough and max(self._last) <= Score(limit)
