"""What a search has found, from 16-bit moves and plain numbers into terms of the protocols."""

from __future__ import annotations

import chess

from engine import bridge
from engine.constants import MATE, MATE_IN_MAX
from engine.limits import Score
from engine.search.deepening import Line


def is_news(line: Line, shown: Line) -> bool:
    """True if a line is deeper than the one shown last or begins with another move."""
    return (line.depth, line.moves[0]) != (shown.depth, shown.moves[0])


def to_score(score: int) -> Score:
    """A score of the search: centipawns, or moves to the mate."""
    if score >= MATE_IN_MAX:
        return Score(mate=(int(MATE) - score + 1) // 2)
    if score <= -MATE_IN_MAX:
        return Score(mate=-((int(MATE) + score + 1) // 2))
    return Score(centipawns=score)


def legal_line(moves: tuple[int, ...], board: chess.Board) -> tuple[chess.Move, ...]:
    """The moves as far as they are legal and the game goes on: GUIs check every line."""
    after = board.copy(stack=board.halfmove_clock)
    line: list[chess.Move] = []
    for raw in moves:
        move = bridge.to_move(raw, after)
        if not after.is_legal(move):
            break
        line.append(move)
        after.push(move)
        if after.is_repetition(3) or after.halfmove_clock >= 100 or not any(after.legal_moves):
            break
    return tuple(line)
