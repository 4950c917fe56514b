"""The numbers between the moves: whether they go on as they began, or moves seem to be missing."""

from __future__ import annotations

import re
from typing import Final

import chess

_NUMBER: Final = re.compile(r"\d+")
_DOTS: Final = re.compile(r"\.\s*\.|…")  # behind the number of a black move


class MoveNumbers:
    """Checks the numbers of one line of moves.

    If `is_free`, as in a game that begins with a position, the first may be any. A number for each single
    move instead of each pair is right too, if it is so from the beginning.
    """

    def __init__(self, is_free: bool) -> None:
        self._ahead: int | None = None if is_free else 0  # how far numbers are ahead of the board
        self._first_ply: int | None = None  # ply of the first number
        self._single: int | None = None  # what to add to plies if single moves are counted
        self._is_over = False  # nothing is checked after a fault

    def check(self, text: str, board: chess.Board) -> str:
        """What is wrong with the number before a move, in a few words; empty if nothing is."""
        match = _NUMBER.match(text)
        if self._is_over or not match:
            return ""
        number, expected, ply = int(match[0]), board.fullmove_number, board.ply()
        if self._ahead is None:
            self._ahead = number - expected
        if self._first_ply is None:
            self._first_ply = ply
        expected += self._ahead
        if self._single is not None:
            expected = ply + self._single
        elif (
            not board.turn
            and ply <= self._first_ply + 1
            and number == expected + 1
            and not _DOTS.search(text)
        ):
            expected = number
            self._single = number - ply
        if number == expected:
            return ""
        self._is_over = True  # one remark will do
        return f"move number {number} instead of {expected}: moves may be missing"
