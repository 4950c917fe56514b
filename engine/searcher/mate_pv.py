"""Mate lines to the mate: GUIs and match runners want to see how it is given.

A principal variation of the search ends where quiescence search or a cut took over. The rest is in the
transposition table, or near enough to be looked for.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.board.constants import MATE, MATE_IN_MAX, I, U
from boomslang.engine.board.makemove import make_move
from boomslang.engine.board.movegen import generate
from boomslang.engine.board.position import MOVE_LIST, Position, new_record
from boomslang.engine.search.mate_search import find_mate
from boomslang.engine.search.state import SearchState

_LONGEST_HUNT: Final = 3  # plies; more would take too long for a line of thinking
_SLOTS: Final = 4  # entries of a bucket, two words each
_WORD: Final = (1 << 64) - 1


def complete(
    moves: tuple[int, ...], score: int, search: SearchState, table: npt.NDArray[np.uint64]
) -> tuple[int, ...]:
    """The line of a mate score with what is missing to the mate, if that can be found.

    `search` is a SEARCH record that has the root in `position[0]`, and between two iterations nothing
    of value further on; `table` is its transposition table.
    """
    wanted = int(MATE) - abs(score)
    if abs(score) < MATE_IN_MAX or len(moves) >= wanted:
        return moves
    rules = search.rules
    position = search.position[0].copy()
    found = new_record(MOVE_LIST)
    line: list[int] = []
    while len(line) < wanted:
        left = wanted - len(line)
        if len(line) >= len(moves) and left <= _LONGEST_HUNT:
            search.position[1] = position
            length = int(find_mate(search, I(1), I(left)))
            return moves if length < 0 else (*line, *map(int, search.pv[1][:length]))
        move = moves[len(line)] if len(line) < len(moves) else _remembered(table, position, left)
        generate(rules, position, found)
        if move is None or move not in found.move[: int(found.count)]:
            return moves
        make_move(rules, position, U(move))
        line.append(move)
    return tuple(line)


def _remembered(table: npt.NDArray[np.uint64], position: Position, plies: int) -> int | None:
    """The move of the table's entry for a position, if it leads to the mate in that number of plies."""
    key = int(position.key)
    first = ((key >> 32) * (table.size >> 3) >> 32) << 3
    words = [int(word) for word in table[first : first + 2 * _SLOTS]]
    for check, data in zip(words[::2], words[1::2], strict=True):
        if (check ^ data) & _WORD == key:
            score = (data >> 16 & 0xFFFF ^ 0x8000) - 0x8000
            wanted = int(MATE) - plies
            return data & 0xFFFF if score == (wanted if plies % 2 else -wanted) else None
    return None
