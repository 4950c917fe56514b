"""When the engine resigns, and when it agrees to a draw."""

from __future__ import annotations

from typing import Final

import chess

from boomslang.engine.limits import Score
from boomslang.engine.searcher.draw_offers import WHEN_EQUAL, DrawOffers
from boomslang.uci.cecp import formatting

RESIGN_AFTER: Final = 3  # consecutive moves with a score below the limit


class DrawsAndResigning:
    """Decides by the scores of the engine's own moves."""

    def __init__(self) -> None:
        self.resign_below = 0  # centipawns; 0: play on to the mate
        self.draw_is_offered = False
        self._score: int | None = None  # of the engine's last move, from its view
        self._hopeless = 0
        self._offers = DrawOffers()

    def new_game(self) -> None:
        """Reset all scores."""
        self._score = None
        self.start_afresh()

    def start_afresh(self) -> None:
        """The position was changed: reset the counts of consecutive moves.

        The last score is kept; without one, every draw would be claimed.
        """
        self.draw_is_offered = False
        self._hopeless = 0
        self._offers.forget()

    def change_sides(self) -> None:
        """The engine changes sides: invert the last score."""
        self.start_afresh()
        if self._score is not None:
            self._score = -self._score

    def note(self, score: Score) -> None:
        """Record the score of the engine's next move."""
        self._score = formatting.score(score)
        self._offers.note(score)
        lost = self.resign_below > 0 and self._score <= -self.resign_below
        self._hopeless = self._hopeless + 1 if lost else 0

    def resigns(self) -> bool:
        """True if the scores have been lost for some moves."""
        return self._hopeless >= RESIGN_AFTER

    def wants_draw(self) -> bool:
        """True if a draw that can be claimed is at least as good as the score."""
        return self._score is None or self._score <= WHEN_EQUAL

    def accepts_draw(self, board: chess.Board) -> bool:
        """True if a draw offer is to be accepted."""
        return self.draw_is_offered and self._offers.accepts(board)
