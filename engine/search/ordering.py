"""Move ordering: alpha-beta saves most when the best move comes first."""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.engine.core.board.attacks import checking_squares
from boomslang.engine.core.board.position import PROMOTION, MoveList, Position
from boomslang.engine.core.board.see import SEE_VALUE, see_at_least
from boomslang.engine.core.constants import BISHOP, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK, ZERO, I, U
from boomslang.engine.core.system.jit import jit
from boomslang.engine.search.history import (
    capture_history,
    is_capture,
    is_quiet,
    quiet_history,
    victim_type,
)
from boomslang.engine.search.state import SearchState

# Bands of scores, best first; a quiet move, its history and perhaps a bonus, lies between BAD_CAPTURE
# and KILLER.
TABLE_MOVE = I(1 << 30)
GOOD_CAPTURE = I(1 << 26)
KILLER = I(1 << 24)
BAD_CAPTURE = -I(1 << 26)
UNSCORED = -I(1 << 28)

_LAST_INDEX = U(255)
_MOVE = U(0xFFFF)


@jit
def _prize(position: Position, move: np.uint64) -> np.int64:
    """What a capture takes and a promotion brings, centipawns."""
    value: Any = I(0)
    if is_capture(position, move):
        value = SEE_VALUE[victim_type(position, move)]
    if move >> U(14) == PROMOTION:
        value += SEE_VALUE[(move >> U(12) & U(3)) + U(1)]
    return value


@jit
def score_moves(search: SearchState, ply: np.int64, table_move: np.uint64) -> None:
    """Give every move of `search.moves` at this ply its place in the order, in place."""
    here = U(ply)
    position = search.position[here]
    moves = search.moves[here]
    for number in range(moves.count):
        index = U(number)
        move = U(moves.move[index])
        if move == table_move:
            score = TABLE_MOVE
        elif not is_quiet(position, move):
            # Most valuable victim first, and among equals what has done well before.
            history = capture_history(search, position, move)
            score = _prize(position, move) * I(32) + history
            promotes_low = move >> U(14) == PROMOTION and (move >> U(12) & U(3)) + U(1) != QUEEN
            # An even exchange that has done badly counts as a loss.
            least = I(1) if history <= -search.params.even_capture_malus else I(0)
            if not promotes_low and see_at_least(search.rules, position, move, least):
                score += GOOD_CAPTURE
            else:
                score += BAD_CAPTURE
        elif move == U(search.killers[here]):
            score = KILLER
        else:
            score = UNSCORED
        moves.order[index] = _order(score, index, move)
    moves.quiets_scored = ZERO


@jit
def _note_checking_squares(search: SearchState, position: Position) -> None:
    """Fill `search.checking` for the moves of a position, in place."""
    for piece_type in (PAWN, KNIGHT, BISHOP, ROOK):
        search.checking[piece_type] = checking_squares(search.rules, position, piece_type)
    search.checking[QUEEN] = search.checking[BISHOP] | search.checking[ROOK]
    search.checking[KING] = ZERO


@jit
def _score_quiets(search: SearchState, ply: np.int64, first: np.uint64) -> None:
    """Give the quiet moves from index `first` on their histories, in place.

    A check that does not lose the piece counts as if it had done well before, so that it is tried
    earlier and reduced less. After Stockfish's move picker.
    """
    position = search.position[U(ply)]
    moves = search.moves[U(ply)]
    noted = False
    for number in range(first, moves.count):
        index = U(number)
        if score_at(moves, index) == UNSCORED:
            if not noted:
                _note_checking_squares(search, position)
                noted = True
            move = U(moves.move[index])
            score = quiet_history(search, ply, move)
            piece_type = U(position.board[move & U(63)]) % U(6)
            checks_directly = search.checking[piece_type] >> (move >> U(6) & U(63)) & ONE
            if checks_directly and see_at_least(search.rules, position, move, I(0)):
                score += search.params.check_bonus
            moves.order[index] = _order(score, index, move)
    moves.quiets_scored = ONE


@jit
def next_move(search: SearchState, ply: np.int64, number: np.uint64) -> np.uint64:
    """The best of the moves from index `number` on, which it is swapped to.

    Quiet moves get their scores when nothing better is left: most nodes never come to that.
    """
    moves = search.moves[U(ply)]
    move = pick_move(moves, number)
    if score_at(moves, number) < KILLER and moves.quiets_scored == ZERO:
        _score_quiets(search, ply, number)
        move = pick_move(moves, number)
    return move


@jit
def pick_move(moves: MoveList, number: np.uint64) -> np.uint64:
    """Bring the best of the moves from index `number` on to that index, in place, and return it.

    Sorting lazily pays because most nodes are cut off after the first few moves. Score, index and
    move share a word, so that looking for the best is one maximum over words.
    """
    best = moves.order[number]
    for other in range(number + ONE, moves.count):
        best = max(best, moves.order[U(other)])
    place = _LAST_INDEX - (U(best >> I(16)) & _LAST_INDEX)
    move = U(best) & _MOVE
    moved = U(moves.move[number])
    moves.order[place] = _order(score_at(moves, number), place, moved)
    moves.order[number] = best
    moves.move[place] = moved
    moves.move[number] = move
    return move


@jit
def _order(score: np.int64, index: np.uint64, move: np.uint64) -> np.int64:
    """A word that compares by score first, then by index, the lower the better."""
    return (score << I(24)) | I((_LAST_INDEX - index) << U(16)) | I(move)


@jit
def score_at(moves: MoveList, index: np.uint64) -> np.int64:
    """The score of the move at `index`."""
    return moves.order[index] >> I(24)


@jit
def history_of(
    search: SearchState, ply: np.int64, number: np.uint64, move: np.uint64, quiet: bool
) -> np.int64:
    """What reductions know of the move at index `number`: its history, centred on 0.

    Of most quiet moves it is already their score, with the bonus for checks. Table move, killer and
    moves of the root go without the bonus, as do those that never got a score.
    """
    position = search.position[U(ply)]
    if not quiet:
        return capture_history(search, position, move)
    score = score_at(search.moves[U(ply)], number)
    if ply > 0 and UNSCORED < score < KILLER:
        return score
    return quiet_history(search, ply, move)
