"""Lines of the search as python-chess moves, completed where they end in mate."""

from __future__ import annotations

from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import DECISIVE, MATE, MATE_IN_MAX, MAX_PLY, TABLE_WIN, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MOVE_LIST, Position, new_record
from boomslang.engine import bridge
from boomslang.engine.limits import KNOWN_WIN, CurrentMove, Score
from boomslang.engine.search.deepening import SearchLine
from boomslang.engine.search.mate_search import find_mate, legal_length
from boomslang.engine.search.state import NOTHING, SearchState


def is_new_line(line: SearchLine, shown: SearchLine) -> bool:
    """True if a line is deeper than the one shown last or begins with another move."""
    return (line.depth, line.moves[0]) != (shown.depth, shown.moves[0])


def is_deeper_line(ahead: SearchLine, line: SearchLine) -> bool:
    """True if another thread's line is deeper than ours, and ours does not mate."""
    return ahead.depth > line.depth and line.score < int(MATE_IN_MAX)


def to_score(score: int) -> Score:
    """A score of the search: centipawns, or moves to the mate."""
    if score >= MATE_IN_MAX:
        return Score(mate=(int(MATE) - score + 1) // 2)
    if score <= -MATE_IN_MAX:
        return Score(mate=-((int(MATE) + score + 1) // 2))
    if abs(score) >= DECISIVE:  # won by the tablebases; far from what an evaluation says
        distance = int(TABLE_WIN) - abs(score)
        return Score(centipawns=(KNOWN_WIN - distance) * (1 if score > 0 else -1))
    return Score(centipawns=score)


def read(fields: Any, moves: tuple[int, ...], board: chess.Board) -> tuple[chess.Move, ...]:
    """A line of 16-bit moves as far as they are legal and the game goes on: GUIs check them.

    `fields` are those of a SEARCH record that has the root, `board`, in `position[0]`, and between two
    iterations nothing of value further on.
    """
    moves = moves[:MAX_PLY]
    fields.pv[0][: len(moves)] = moves
    length = int(legal_length(fields.record, I(len(moves))))
    return tuple(bridge.to_move(move, board) for move in moves[:length])


def current_move(search: SearchState, board: chess.Board) -> CurrentMove | None:
    """The root move that another thread is searching in a SEARCH record, if it can be read."""
    child = search.position[1]
    moved, from_square = int(child.moved[0]), int(child.moved[2])
    to_square = int(search.played[0]) & 63
    if not moved or int(search.played[0]) >= int(NOTHING):
        return None
    for index, raw in enumerate(search.root_move[: int(search.root_count)].tolist()):
        if raw & 0xFFF == from_square | to_square << 6:
            move = bridge.to_move(raw, board)
            promoted = int(child.board[to_square]) % 6 + 1
            if board.is_legal(move) and move.promotion in (None, promoted):
                return CurrentMove(int(search.root_depth), move, index + 1)
    return None


_MAX_HUNT: Final = 3  # plies; more would take too long for a line of thinking
_SLOTS: Final = 4  # entries of a bucket, two words each
_WORD: Final = (1 << 64) - 1


def complete(
    moves: tuple[int, ...], score: int, search: SearchState, table: npt.NDArray[np.uint64]
) -> tuple[int, ...]:
    """The line of a mate score with what is missing to the mate, if that can be found.

    `search` is a SEARCH record that has the root in `position[0]`, and between two iterations nothing
    of value further on; `table` is its transposition table.
    """
    mate_plies = int(MATE) - abs(score)
    if abs(score) < MATE_IN_MAX or len(moves) >= mate_plies:
        return moves
    rules = search.rules
    position = search.position[0].copy()
    move_list = new_record(MOVE_LIST)
    line: list[int] = []
    while len(line) < mate_plies:
        left = mate_plies - len(line)
        if len(line) >= len(moves) and left <= _MAX_HUNT:
            search.position[1] = position
            length = int(find_mate(search, I(1), I(left)))
            return moves if length < 0 else (*line, *map(int, search.pv[1][:length]))
        move = moves[len(line)] if len(line) < len(moves) else _probe_move(table, position, left)
        generate(rules, position, move_list)
        if move is None or move not in move_list.move[: int(move_list.count)]:
            return moves
        make_move(rules, position, U(move))
        line.append(move)
    return tuple(line)


def _probe_move(table: npt.NDArray[np.uint64], position: Position, plies: int) -> int | None:
    """The move of the table's entry for a position, if it leads to the mate in that number of plies."""
    key = int(position.key)
    first = ((key >> 32) * (table.size >> 3) >> 32) << 3
    words = [int(word) for word in table[first : first + 2 * _SLOTS]]
    for check, data in zip(words[::2], words[1::2], strict=True):
        if (check ^ data) & _WORD == key:
            score = (data >> 16 & 0xFFFF ^ 0x8000) - 0x8000
            mate_score = int(MATE) - plies
            return data & 0xFFFF if score == (mate_score if plies % 2 else -mate_score) else None
    return None
