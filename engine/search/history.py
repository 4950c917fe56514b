"""What the search learns about moves: statistics that order and reduce them.

Every score lives in [-LIMIT, LIMIT] and is pulled towards the end that an experience points to, the
less the nearer it is ("gravity").
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import EMPTY, NO_SCORE, ONE, PAWN, ZERO, I, U
from boomslang.core.board.fills import attacks_by_value
from boomslang.core.board.position import EN_PASSANT, Position
from boomslang.core.jit.jit import jit
from boomslang.engine.search.state import NOTHING, SearchState

LIMIT = I(16384)
# In `search.attacked`: squares attacked by pawns; by these or minor pieces; by these or rooks; by any piece.
BY_PAWN, BY_MINOR, BY_ROOK, BY_ANY = U(0), U(1), U(2), U(3)
# In `order` of a move that is behind us: was it searched, or pruned?
TRIED = I(0)
UNTRIED = -I(1 << 62)

_FROM_TO = U(4095)
_PAWN_ROWS = U(511)
_MAX_DIFFERENCE_BONUS = I(1200)  # history points
_LEARNT: Final = (
    *("history", "pawn_history", "capture_history", "continuation", "counter_moves", "killers"),
    *("correction", "correction_move"),
)


@jit
def piece_target(position: Position, move: np.uint64) -> np.uint64:
    """Index of a move by what moves and where to: piece * 64 + target."""
    return U(position.board[move & U(63)]) * U(64) + (move >> U(6) & U(63))


@jit
def victim_type(position: Position, move: np.uint64) -> np.uint64:
    """Type of the piece that a capture takes; a pawn for en passant and for plain promotions."""
    victim = U(position.board[move >> U(6) & U(63)])
    if victim == EMPTY or move >> U(14) == EN_PASSANT:
        return PAWN
    return victim % U(6)


@jit
def previous(search: SearchState, ply: np.int64, back: np.int64) -> np.uint64:
    """Piece and target of the move `back` plies before the position at `ply`."""
    if ply < back:
        return NOTHING
    return search.played[U(ply - back)]


@jit
def note_attacked(search: SearchState, ply: np.int64) -> None:
    """Fill `search.attacked`, in place, before anything is asked or learnt about quiet moves at `ply`."""
    position = search.position[U(ply)]
    attacked = search.attacked[U(ply)]
    pawns, minors, rooks, every = attacks_by_value(search.rules, position, U(position.side) ^ ONE)
    attacked[BY_PAWN], attacked[BY_MINOR] = pawns, minors
    attacked[BY_ROOK], attacked[BY_ANY] = rooks, every


@jit
def _row(search: SearchState, ply: np.int64, move: np.uint64) -> np.uint64:
    """Row of a quiet move in `search.history`, by whether it saves a piece or puts one at risk.

    After Berserk's history by threats.
    """
    attacked = U(search.attacked[U(ply), BY_ANY])
    leaves = attacked >> (move & U(63)) & ONE
    enters = attacked >> (move >> U(6) & U(63)) & ONE
    return U(search.position[U(ply)].side) * U(4) + leaves * U(2) + enters


@jit
def _pawn_row(position: Position) -> np.uint64:
    """Row of a position in `search.pawn_history`: the low bits of its pawn key. After Stockfish."""
    return U(position.pawn_key) & _PAWN_ROWS


@jit
def quiet_history(search: SearchState, ply: np.int64, move: np.uint64) -> np.int64:
    """All that is known of a quiet move here, in [-4.5 LIMIT, 4.5 LIMIT] with the weights that ship."""
    params = search.params
    position = search.position[U(ply)]
    index = piece_target(position, move)
    after_last = I(search.continuation[ZERO, previous(search, ply, I(1)), index])
    after_second = I(search.continuation[ONE, previous(search, ply, I(2)), index])
    return (
        I(search.history[_row(search, ply, move), move & _FROM_TO])
        + (after_last * params.continuation_weight_1 + after_second * params.continuation_weight_2)
        // I(100)
        + I(search.pawn_history[_pawn_row(position), index])
    )


@jit
def capture_history(search: SearchState, position: Position, move: np.uint64) -> np.int64:
    """What is known of a capture, in [-LIMIT, LIMIT]."""
    return I(search.capture_history[piece_target(position, move), victim_type(position, move)])


@jit
def _apply_gravity(table: Any, row: np.uint64, column: np.uint64, bonus: np.int64) -> None:
    """Move one score towards the sign of `bonus`, in place."""
    old = I(table[row, column])
    table[row, column] = old + bonus - old * abs(bonus) // LIMIT


@jit
def _update_quiet(search: SearchState, ply: np.int64, move: np.uint64, bonus: np.int64) -> None:
    """Move all histories of a quiet move, in place."""
    position = search.position[U(ply)]
    _apply_gravity(search.history, _row(search, ply, move), move & _FROM_TO, bonus)
    _apply_gravity(search.pawn_history, _pawn_row(position), piece_target(position, move), bonus)
    _update_continuations(search, ply, move, bonus)


@jit
def _update_continuations(
    search: SearchState, ply: np.int64, move: np.uint64, bonus: np.int64
) -> None:
    """Move the histories of a quiet move after the last two moves, in place."""
    index = piece_target(search.position[U(ply)], move)
    _apply_gravity(search.continuation[ZERO], previous(search, ply, I(1)), index, bonus)
    _apply_gravity(search.continuation[ONE], previous(search, ply, I(2)), index, bonus)


@jit
def _update_capture(
    search: SearchState, position: Position, move: np.uint64, bonus: np.int64
) -> None:
    """Move the history of a capture, in place."""
    index = piece_target(position, move)
    _apply_gravity(search.capture_history, index, victim_type(position, move), bonus)


@jit
def is_capture(position: Position, move: np.uint64) -> bool:
    """True if the move takes a piece; castling, king takes own rook, does not."""
    kind = move >> U(14)
    if kind >= EN_PASSANT:
        return bool(kind == EN_PASSANT)
    return bool(U(position.board[move >> U(6) & U(63)]) != EMPTY)


@jit
def is_quiet(position: Position, move: np.uint64) -> bool:
    """True if the move neither takes nor promotes."""
    return move >> U(14) != ONE and not is_capture(position, move)


@jit
def _bonus(search: SearchState, depth: np.int64) -> np.int64:
    """History points for the success of a search of `depth` plies."""
    params = search.params
    bonus = min(params.history_factor * depth - params.history_offset, params.history_limit)
    return max(bonus, I(1))


@jit
def update_histories(
    search: SearchState, ply: np.int64, number: np.uint64, move: np.uint64, depth: np.int64
) -> None:
    """A move caused a cut-off: reward it, and punish those tried before it at indices below `number`.

    Changes the killer of its ply, the counter-move and the histories in place. A capture that refutes
    says nothing against quiet moves that were not its equals, but the captures before it did fail. Moves
    that were pruned, or excluded, did not. The later a move was tried, the smaller its malus: less was
    hoped for.
    """
    bonus = _bonus(search, depth)
    here = U(ply)
    position = search.position[here]
    quiet = is_quiet(position, move)
    if quiet:
        search.killers[here] = move
        # The counter-move: the last refutation of the move before (Uiterwijk, 1992).
        search.counter_moves[previous(search, ply, I(1))] = move
        _update_quiet(search, ply, move, bonus)
    else:
        _update_capture(search, position, move, bonus)
    for earlier in range(number):
        if search.moves[here].order[U(earlier)] == UNTRIED:
            continue
        malus = bonus * I(100) // (I(100) + search.params.history_fade * I(earlier))
        other = U(search.moves[here].move[U(earlier)])
        if not is_quiet(position, other):
            _update_capture(search, position, other, -malus)
        elif quiet:
            _update_quiet(search, ply, other, -malus)


@jit
def update_by_evaluation_difference(search: SearchState, ply: np.int64, static: np.int64) -> None:
    """Reward the last move, if quiet, by how much the static evaluation of its side rose, in place.

    Or punish it by how much that fell. `static` is the evaluation at `ply`, centipawns for the side to move,
    or NO_SCORE. After Stockfish's bonus for the difference of static evaluations.
    """
    if ply == 0 or static == NO_SCORE:
        return
    above = U(ply - 1)
    move, before = U(search.moved[above]), I(search.static[above])
    if move == ZERO or before == NO_SCORE or not is_quiet(search.position[above], move):
        return
    bonus = -search.params.evaluation_difference_bonus * (static + before)
    bonus = min(max(bonus, -_MAX_DIFFERENCE_BONUS), _MAX_DIFFERENCE_BONUS)
    _update_quiet(search, ply - I(1), move, bonus)


@jit
def update_after_fail_low(search: SearchState, ply: np.int64, depth: np.int64) -> None:
    """No move at `ply` reached alpha: reward the move that led here, if quiet, in place. After Stockfish."""
    above = U(ply - 1)
    move = U(search.moved[above])
    if move != ZERO and is_quiet(search.position[above], move):
        bonus = _bonus(search, depth - I(1)) * search.params.fail_low_bonus // I(100)
        _update_quiet(search, ply - I(1), move, bonus)


@jit
def update_after_research(
    search: SearchState, ply: np.int64, move: np.uint64, depth: np.int64, succeeded: bool
) -> None:
    """A quiet move that was reduced has been searched to its full `depth`: learn from it, in place.

    It `succeeded` if it failed high again, not if it failed low. After Stockfish.
    """
    bonus = _bonus(search, depth) * search.params.research_bonus // I(100)
    _update_continuations(search, ply, move, bonus if succeeded else -bonus)


def clear_histories(search: SearchState) -> None:
    """Forget all statistics, in place: a new game begins."""
    for field in _LEARNT:
        search[field][:] = 0


def age_history(search: SearchState) -> None:
    """Let what quiet moves did in earlier searches count for less, in place: a new search begins.

    `history` alone: the others are of special cases, which come up more rarely. After Caissa.
    """
    kept = int(search.params.history_kept)
    search["history"][:] = search["history"].astype(np.int32) * kept // 100


@jit
def age_history_in_kernel(search: SearchState) -> None:
    """`age_history` for games that are played within a kernel."""
    for row in range(8):
        for column in range(4096):
            old = I(search.history[U(row), U(column)])
            search.history[U(row), U(column)] = old * search.params.history_kept // I(100)
