"""Mate lines to the mate: GUIs and match runners want to see how it is given.

A principal variation of the search ends where quiescence search or a cut took over. The rest is in the
transposition table, or near enough to be looked for.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.board.makemove import make_move
from engine.board.movegen import generate
from engine.board.position import MOVE_LIST, new_record
from engine.constants import MATE, MATE_IN_MAX, U

_LONGEST_HUNT: Final = 3  # plies; more would take too long for a line of thinking
_MOST_POSITIONS: Final = 2000  # of one hunt
_SLOTS: Final = 4  # entries of a bucket, two words each
_WORD: Final = (1 << 64) - 1


class _Hunt:
    """Looks for a forced mate with the rules alone; gives up after so many positions."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._left = _MOST_POSITIONS

    def moves(self, position: Any) -> list[tuple[int, Any]]:
        """The legal moves, each with what it leads to."""
        self._left -= 1
        found = new_record(MOVE_LIST)
        generate(self._rules, position, found)
        children = []
        for move in found.move[: int(found.count)]:
            child = position.copy()
            make_move(self._rules, child, U(move))
            children.append((int(move), child))
        return children

    def mate(self, position: Any, plies: int) -> list[int] | None:
        """A line to mate in exactly so many plies or fewer, by the side that moves last; or None."""
        children = self.moves(position)
        if not children:
            return [] if plies % 2 == 0 and int(position.checkers) else None
        if plies == 0 or self._left < 0:
            return None
        longest: list[int] | None = None
        for move, child in children:
            rest = self.mate(child, plies - 1)
            if plies % 2:  # the side that gives mate
                if rest is not None:
                    return [move, *rest]
            elif rest is None:
                return None
            elif longest is None or len(rest) >= len(longest):
                longest = [move, *rest]
        return longest


def complete(
    moves: tuple[int, ...], score: int, search: Any, table: npt.NDArray[np.uint64]
) -> tuple[int, ...]:
    """The line of a mate score with what is missing to the mate, if that can be found.

    `search` is a SEARCH record that has the root in `position[0]`; `table` its transposition table.
    """
    wanted = int(MATE) - abs(score)
    if abs(score) < MATE_IN_MAX or len(moves) >= wanted:
        return moves
    hunt = _Hunt(search.rules)
    position = search.position[0].copy()
    line: list[int] = []
    while len(line) < wanted:
        left = wanted - len(line)
        if len(line) >= len(moves) and left <= _LONGEST_HUNT:
            rest = hunt.mate(position, left)
            return moves if rest is None else (*line, *rest)
        known = dict(hunt.moves(position))
        move = moves[len(line)] if len(line) < len(moves) else _remembered(table, position, left)
        if move not in known:
            return moves
        position = known[move]
        line.append(move)
    return tuple(line)


def _remembered(table: npt.NDArray[np.uint64], position: Any, plies: int) -> int | None:
    """The move of the table's entry for a position, if it leads to the mate in so many plies."""
    key = int(position.key)
    first = ((key >> 32) * (table.size >> 3) >> 32) << 3
    words = [int(word) for word in table[first : first + 2 * _SLOTS]]
    for check, data in zip(words[::2], words[1::2], strict=True):
        if (check ^ data) & _WORD == key:
            score = (data >> 16 & 0xFFFF ^ 0x8000) - 0x8000
            wanted = int(MATE) - plies
            return data & 0xFFFF if score == (wanted if plies % 2 else -wanted) else None
    return None
