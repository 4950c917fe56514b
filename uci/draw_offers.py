"""When the engine takes a draw that is offered, in every game that it plays."""

from __future__ import annotations

from collections import deque
from typing import Final

import chess

from boomslang.engine.limits import Score
from boomslang.eval.wdl import conversion

WHEN_WORSE: Final = -30  # centipawns: so bad, a draw is welcome ...
NOT_BEFORE_MOVE: Final = 11  # ... but nobody knows what an opening is worth
WHEN_EQUAL: Final = 10  # centipawns: no better than that ...
EQUAL_FROM_MOVE: Final = 40  # ... late in the game
MOVES_IN_A_ROW: Final = 3  # of ours, that had such a score


class DrawOffers:
    """Remembers the scores of our last moves, each from our view."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(maxlen=MOVES_IN_A_ROW)

    def forget(self) -> None:
        """Another game, or another side of it."""
        self._last.clear()

    def note(self, score: Score) -> None:
        """The score of a move of ours."""
        if score.mate is None:
            self.note_shown(conversion.to_cp(score.centipawns or 0))
        else:
            self.note_shown(float("inf" if score.mate > 0 else "-inf"))

    def note_shown(self, centipawns: float) -> None:
        """The same on the scale of `conversion.shown`, as the protocols tell it; infinite for a mate."""
        self._last.append(centipawns)

    def accepts(self, board: chess.Board) -> bool:
        """True if a draw is as much as we have hoped for during the last moves."""
        move = board.fullmove_number
        limit = WHEN_EQUAL if move >= EQUAL_FROM_MOVE else WHEN_WORSE
        enough = len(self._last) == MOVES_IN_A_ROW and move >= NOT_BEFORE_MOVE
        return enough and max(self._last) <= limit
