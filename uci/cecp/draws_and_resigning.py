"""When to give up, and when to agree to a draw."""

from __future__ import annotations

from typing import Final

import chess

from boomslang.engine.limits import Score
from boomslang.uci.cecp import formatting
from boomslang.uci.draw_offers import WHEN_EQUAL, DrawOffers

RESIGN_AFTER: Final = 3  # moves in a row that were bad enough


class DrawsAndResigning:
    """What the scores of our own moves say about the game."""

    def __init__(self) -> None:
        self.resign_below = 0  # centipawns; 0: play on to the mate
        self.draw_is_offered = False
        self._score: int | None = None  # of our last move, from the view of the side we play
        self._hopeless = 0
        self._offers = DrawOffers()

    def new_game(self) -> None:
        """Nothing is known yet."""
        self._score = None
        self.start_afresh()

    def start_afresh(self) -> None:
        """Another place of the game: moves in a row are counted anew.

        The last score stays; without any, every draw would be claimed.
        """
        self.draw_is_offered = False
        self._hopeless = 0
        self._offers.forget()

    def change_sides(self) -> None:
        """We play the other colour from now on: what was good for us is bad, and the reverse."""
        self.start_afresh()
        if self._score is not None:
            self._score = -self._score

    def note(self, score: Score) -> None:
        """The score of the move that we are about to play."""
        self._score = formatting.score(score)
        self._offers.note(score)
        lost = self.resign_below > 0 and self._score <= -self.resign_below
        self._hopeless = self._hopeless + 1 if lost else 0

    def resigns(self) -> bool:
        """True if the game has been lost for some moves."""
        return self._hopeless >= RESIGN_AFTER

    def wants_draw(self) -> bool:
        """True unless we hope for more than a draw that could be claimed."""
        return self._score is None or self._score <= WHEN_EQUAL

    def accepts_draw(self, board: chess.Board) -> bool:
        """True if a draw was offered and is as much as we hope for."""
        return self.draw_is_offered and self._offers.accepts(board)
