"""Move ordering: alpha-beta saves most when the best move comes first."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.board.position import EN_PASSANT, PROMOTION
from engine.board.see import SEE_VALUE, see_at_least
from engine.constants import EMPTY, PAWN, I, U
from engine.jit import jit

# Bands of scores, best first; the history of a quiet move lies between BAD_CAPTURE and KILLER.
TABLE_MOVE = I(1 << 30)
GOOD_CAPTURE = I(1 << 26)
KILLER = I(1 << 24)
BAD_CAPTURE = -I(1 << 26)

MAX_HISTORY_SCORE = I(16384)


@jit
def is_capture(position: Any, move: np.uint64) -> bool:
    """True if the move takes a piece; castling, king takes own rook, does not."""
    kind = move >> U(14)
    if kind == EN_PASSANT:
        return True
    if kind > EN_PASSANT:
        return False
    return bool(U(position.board[move >> U(6) & U(63)]) != EMPTY)


@jit
def is_quiet(position: Any, move: np.uint64) -> bool:
    """True if the move neither takes nor promotes."""
    return move >> U(14) != PROMOTION and not is_capture(position, move)


@jit
def _exchange_order(position: Any, move: np.uint64) -> np.int64:
    """Most valuable victim first, then least valuable attacker (MVV-LVA)."""
    victim = U(position.board[move >> U(6) & U(63)])
    value = I(0)
    if victim != EMPTY:
        value = SEE_VALUE[victim % U(6)]
    elif move >> U(14) == EN_PASSANT:
        value = SEE_VALUE[PAWN]
    if move >> U(14) == PROMOTION:
        value += SEE_VALUE[(move >> U(12) & U(3)) + U(1)]
    attacker = U(position.board[move & U(63)]) % U(6)
    return value * I(8) - I(attacker)


@jit
def score_moves(search: Any, ply: np.uint64, table_move: np.uint64) -> None:
    """Give every move of `search.moves[ply]` its place in the order, in place."""
    position = search.position[ply]
    moves = search.moves[ply]
    side = U(position.side)
    for number in range(moves.count):
        index = U(number)
        move = U(moves.move[index])
        if move == table_move:
            score = TABLE_MOVE
        elif not is_quiet(position, move):
            score = _exchange_order(position, move)
            if see_at_least(search.rules, position, move, I(0)):
                score += GOOD_CAPTURE
            else:
                score += BAD_CAPTURE
        elif move == U(search.killers[ply, U(0)]):
            score = KILLER + I(1)
        elif move == U(search.killers[ply, U(1)]):
            score = KILLER
        else:
            score = I(search.history[side, move & U(63), move >> U(6) & U(63)])
        moves.score[index] = score


@jit
def pick_move(moves: Any, number: np.uint64) -> np.uint64:
    """Bring the best of the moves from index `number` on to that index, in place, and return it.

    Sorting lazily pays because most nodes are cut off after the first few moves.
    """
    best = number
    for other in range(number + U(1), moves.count):
        if moves.score[U(other)] > moves.score[best]:
            best = U(other)
    move = U(moves.move[best])
    score = moves.score[best]
    moves.move[best] = moves.move[number]
    moves.score[best] = moves.score[number]
    moves.move[number] = move
    moves.score[number] = score
    return move


@jit
def _reward(search: Any, side: np.uint64, move: np.uint64, bonus: np.int64) -> None:
    """Move a history score towards its limit, in place: the nearer it is, the smaller the step."""
    old = I(search.history[side, move & U(63), move >> U(6) & U(63)])
    new = old + bonus - old * abs(bonus) // MAX_HISTORY_SCORE
    search.history[side, move & U(63), move >> U(6) & U(63)] = new


@jit
def reward_quiet(
    search: Any, ply: np.uint64, number: np.uint64, move: np.uint64, depth: np.int64
) -> None:
    """Remember a quiet move that caused a cut-off, in place: as killer and in the history.

    The quiet moves tried before it, at indices below `number`, lose what it gains.
    """
    if move != U(search.killers[ply, U(0)]):
        search.killers[ply, U(1)] = search.killers[ply, U(0)]
        search.killers[ply, U(0)] = move
    bonus = min(depth * depth * I(16), I(1600))
    position = search.position[ply]
    side = U(position.side)
    _reward(search, side, move, bonus)
    for earlier in range(number):
        other = U(search.moves[ply].move[U(earlier)])
        if is_quiet(position, other):
            _reward(search, side, other, -bonus)
