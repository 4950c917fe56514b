"""When the engine accepts a draw offer, in all protocols and commands."""

from __future__ import annotations

from collections import deque
from typing import Final

import chess

from boomslang.engine.limits import Score
from boomslang.eval.wdl import conversion

WHEN_WORSE: Final = -30  # centipawns: at most this score, a draw is welcome ...
NOT_BEFORE_MOVE: Final = 11  # ... but not in the opening
WHEN_EQUAL: Final = 10  # centipawns: a draw is acceptable up to this score ...
EQUAL_FROM_MOVE: Final = 40  # ... late in the game
MOVES_IN_A_ROW: Final = 3  # moves of the engine with such a score


class DrawOffers:
    """The scores of the engine's last moves, each from its view."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(maxlen=MOVES_IN_A_ROW)

    def forget(self) -> None:
        """Clear the scores, for another game or another side."""
        self._last.clear()

    def record(self, score: Score) -> None:
        """Record the score of a move of the engine."""
        if score.mate is None:
            self.note_shown(conversion.to_cp(score.centipawns or 0))
        else:
            self.note_shown(float("inf" if score.mate > 0 else "-inf"))

    def note_shown(self, centipawns: float) -> None:
        """The same on the displayed scale of `conversion.to_cp`; infinite for a mate."""
        self._last.append(centipawns)

    def accepts(self, board: chess.Board) -> bool:
        """True if the scores of the last moves justify accepting a draw."""
        move = board.fullmove_number
        limit = WHEN_EQUAL if move >= EQUAL_FROM_MOVE else WHEN_WORSE
        enough = len(self._last) == MOVES_IN_A_ROW and move >= NOT_BEFORE_MOVE
        return enough and max(self._last) <= limit
