"""Move ordering: alpha-beta saves most when the best move comes first."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.attacks import checking_squares
from boomslang.core.board.constants import BISHOP, KING, KNIGHT, ONE, PAWN, QUEEN, ROOK, ZERO, I, U
from boomslang.core.board.fills import four_diagonal, four_knights, four_straight, pawn_attacks_from
from boomslang.core.board.position import PROMOTION, MoveList, Position
from boomslang.core.board.see import SEE_VALUE, see_at_least
from boomslang.core.jit.jit import jit
from boomslang.engine.search.history import (
    BY_MINOR,
    BY_PAWN,
    BY_ROOK,
    capture_history,
    is_capture,
    is_quiet,
    previous,
    quiet_history,
    victim_type,
)
from boomslang.engine.search.state import SearchState

# Bands of scores, best first; a quiet move, its history and perhaps a bonus, lies between BAD_CAPTURE
# and COUNTER_MOVE.
TABLE_MOVE = I(1 << 30)
GOOD_CAPTURE = I(1 << 26)
KILLER = I(1 << 24)
COUNTER_MOVE = KILLER - I(1)
BAD_CAPTURE = -I(1 << 26)
UNSCORED = -I(1 << 28)

# By piece type: the malus where a cheaper piece attacks, history points; 0 for pawns and kings. And where
# `search.attacked` holds those cheaper pieces.
_RISK: Final = np.array([0, 5000, 5000, 8000, 12000, 0], dtype=np.int64)
_CHEAPER: Final = np.array([BY_PAWN, BY_PAWN, BY_PAWN, BY_MINOR, BY_ROOK, BY_PAWN], dtype=np.uint64)

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
def score_moves(search: SearchState, ply: np.int64, tt_move: np.uint64) -> None:
    """Give every move of `search.moves` at this ply its place in the order, in place."""
    here = U(ply)
    position = search.position[here]
    moves = search.moves[here]
    killer = U(search.killers[here])
    counter_move = U(search.counter_moves[previous(search, ply, I(1))])
    for number in range(moves.count):
        index = U(number)
        move = U(moves.move[index])
        if move == tt_move:
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
        elif move == killer:
            score = KILLER
        elif move == counter_move:
            score = COUNTER_MOVE
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
def _note_threatening_squares(search: SearchState, position: Position) -> None:
    """Fill `search.threatening` for the moves of a position, in place; kings do not count as dearer.

    The board is not changed: a piece that retreats along its line stands in its own way.
    """
    them = U(position.side) ^ ONE
    by_type, enemy = position.by_type, position.by_colour[them]
    empty = ~(position.by_colour[ZERO] | position.by_colour[ONE])
    queens = by_type[QUEEN] & enemy
    major = queens | (by_type[ROOK] & enemy)
    pieces = major | ((by_type[KNIGHT] | by_type[BISHOP]) & enemy)
    left, right = pawn_attacks_from(pieces, them)
    search.threatening[PAWN] = left | right
    search.threatening[KNIGHT] = four_knights(major, ZERO, ZERO, ZERO, empty)[0][0]
    search.threatening[BISHOP] = four_diagonal(major, ZERO, ZERO, ZERO, empty)[0][0]
    search.threatening[ROOK] = four_straight(queens, ZERO, ZERO, ZERO, empty)[0][0]
    search.threatening[QUEEN] = search.threatening[KING] = ZERO


@jit
def _quiet_bonus(search: SearchState, ply: np.int64, move: np.uint64) -> np.int64:
    """History points more for a safe check or threat, less where a cheaper piece will attack.

    Checks after Stockfish's move picker, threats after Reckless's and Stockfish's.
    """
    params, position = search.params, search.position[U(ply)]
    piece_type, target = U(position.board[move & U(63)]) % U(6), move >> U(6) & U(63)
    checks = I(search.checking[piece_type] >> target & ONE)
    threatens = I(search.threatening[piece_type] >> target & ONE)
    bonus = I(0)
    if checks + threatens > 0 and see_at_least(search.rules, position, move, I(0)):
        bonus = checks * params.check_bonus + threatens * params.attack_bonus
    risk = _RISK[piece_type]
    if risk != 0 and U(search.attacked[U(ply), _CHEAPER[piece_type]]) >> target & ONE:
        bonus -= risk * params.risk_malus // I(100)
    return bonus


@jit
def _score_quiets(search: SearchState, ply: np.int64, first: np.uint64) -> None:
    """Give the quiet moves from index `first` on their histories, in place.

    A safe check or threat counts as if it had done well before, so that it is tried earlier and reduced
    less.
    """
    position = search.position[U(ply)]
    moves = search.moves[U(ply)]
    noted = False
    for number in range(first, moves.count):
        index = U(number)
        if score_at(moves, index) == UNSCORED:
            if not noted:
                _note_checking_squares(search, position)
                _note_threatening_squares(search, position)
                noted = True
            move = U(moves.move[index])
            score = quiet_history(search, ply, move) + _quiet_bonus(search, ply, move)
            moves.order[index] = _order(score, index, move)
    moves.quiets_scored = ONE


@jit
def next_move(search: SearchState, ply: np.int64, number: np.uint64) -> np.uint64:
    """The best of the moves from index `number` on, which it is swapped to.

    Quiet moves get their scores when nothing better is left: most nodes never come to that.
    """
    moves = search.moves[U(ply)]
    move = pick_move(moves, number)
    if score_at(moves, number) < COUNTER_MOVE and moves.quiets_scored == ZERO:
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

    Of most quiet moves it is already their score, with what checks, threats and risks add. Table move,
    killer, counter-move and moves of the root go without, as do those that never got a score.
    """
    position = search.position[U(ply)]
    if not quiet:
        return capture_history(search, position, move)
    score = score_at(search.moves[U(ply)], number)
    if ply > 0 and UNSCORED < score < COUNTER_MOVE:
        return score
    return quiet_history(search, ply, move)
