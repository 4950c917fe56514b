"""What happens at a node of the search, in small steps with names."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import (
    DECISIVE,
    DRAW,
    KING,
    MATE,
    MAX_PLY,
    NO_SCORE,
    ONE,
    PAWN,
    ZERO,
    I,
    U,
)
from boomslang.core.board.draws import FIFTY_MOVES, is_dead, is_repetition
from boomslang.core.board.makemove import key_after, make_move, make_null_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import Position
from boomslang.core.jit.jit import jit
from boomslang.engine.search.correction import prefetch_corrections
from boomslang.engine.search.evaluation import evaluate
from boomslang.engine.search.history import piece_target
from boomslang.engine.search.polling import count_node
from boomslang.engine.search.state import NOTHING, SearchState
from boomslang.engine.search.transposition import (
    BOUND_LOWER,
    BOUND_UPPER,
    TranspositionTable,
    depth_of,
    move_of,
    prefetch_bucket,
    score_of,
    score_to_store,
    store,
)


@jit
def has_pieces(position: Position) -> bool:
    """True if the side to move has more than king and pawns: then it is hardly in zugzwang."""
    own = position.by_colour[U(position.side)]
    return bool(own & ~(position.by_type[PAWN] | position.by_type[KING]))


@jit
def is_drawn(search: SearchState, ply: np.int64) -> bool:
    """True if the position can't be won by anybody or has come again."""
    position = search.position[U(ply)]
    if is_dead(position):
        return True
    index = search.root_index + ply
    halfmoves = I(position.halfmoves)
    return is_repetition(search.keys, index, ply, halfmoves, I(position.since_null))


@jit
def result(search: SearchState, ply: np.int64) -> np.int64:
    """Value of a finished game for the side to move, else NO_SCORE; generates the moves, in place."""
    here = U(ply)
    position = search.position[here]
    moves = search.moves[here]
    generate(search.rules, position, moves)
    if moves.count == ZERO:
        return -MATE + ply if position.checkers != ZERO else DRAW
    if ply > 0 and (U(position.halfmoves) >= FIFTY_MOVES or is_drawn(search, ply)):
        return DRAW
    return NO_SCORE


@jit
def value_at_end(search: SearchState, ply: np.int64) -> np.int64:
    """Value for the side to move of a game or a search stack that ends at `ply`, else NO_SCORE.

    A mate on the hundredth ply counts. Other mates and stalemates are left to the caller.
    """
    here = U(ply)
    position = search.position[here]
    if is_drawn(search, ply):
        return DRAW
    if U(position.halfmoves) >= FIFTY_MOVES:
        if position.checkers != ZERO:
            moves = search.moves[here]
            generate(search.rules, position, moves)
            if moves.count == ZERO:
                return -MATE + ply
        return DRAW
    if ply >= MAX_PLY:
        return DRAW if position.checkers != ZERO else evaluate(search, ply)
    return NO_SCORE


@jit
def value_at_horizon(search: SearchState, ply: np.int64) -> np.int64:
    """What the position at `ply` is worth without looking ahead, to the side to move."""
    score = result(search, ply)
    return evaluate(search, ply) if score == NO_SCORE else score


@jit
def is_decisive(score: np.int64) -> bool:
    """True if the score is a mate, or won by the tablebases, for one side or the other."""
    return bool(abs(score) >= DECISIVE)


@jit
def update_pv(search: SearchState, here: np.uint64, move: np.uint64) -> None:
    """The best line from level `here` is `move` and then the best line of the child, in place."""
    length = search.pv_length[here + ONE]
    search.pv[here, U(0)] = move
    for number in range(length):
        search.pv[here, U(number + 1)] = search.pv[here + ONE, U(number)]
    search.pv_length[here] = length + 1


@jit
def store_node(
    search: SearchState,
    table: TranspositionTable,
    ply: np.int64,
    move: np.uint64,
    score: np.int64,
    evaluation: np.int64,
    depth: np.int64,
    bound: np.uint64,
) -> None:
    """Write into the transposition table what was found out about the position at `ply`, in place.

    `score` is in centipawns for the side to move, mates counted from the root; `evaluation` likewise,
    uncorrected, or NO_SCORE; `depth` in plies.
    """
    key = search.position[U(ply)].key
    stored = score_to_store(score, ply)
    store(table, key, search.generation, move, stored, evaluation, depth, bound)


@jit
def better_estimate(static: np.int64, tt_score: np.int64, bound: np.uint64) -> np.int64:
    """The static evaluation, or the table's score where its bound lies beyond: a search knows more."""
    beyond = bound & (BOUND_LOWER if tt_score > static else BOUND_UPPER)
    return tt_score if beyond and not is_decisive(tt_score) else static


@jit
def is_improving(search: SearchState, ply: np.int64, static: np.int64) -> np.int64:
    """1 if the side to move stands better than at its last turn out of check, else 0."""
    if static == NO_SCORE:
        return I(0)
    for back in (I(2), I(4)):
        if ply >= back:
            earlier = I(search.static[U(ply - back)])
            if earlier != NO_SCORE:
                return I(1) if static > earlier else I(0)
    return I(0)


@jit
def prefetch_child(
    search: SearchState, table: TranspositionTable, ply: np.int64, move: np.uint64
) -> None:
    """Ask the memory for the table's bucket of the position after `move`.

    Before the move is weighed or made: the memory takes as long to answer as either of them.
    """
    prefetch_bucket(table, key_after(search.rules, search.position[U(ply)], move))


@jit
def enter(search: SearchState, ply: np.int64, move: np.uint64) -> None:
    """Make `move` on the next level of the stack, in place, and count the node."""
    here = U(ply)
    search.position[here + ONE] = search.position[here]
    search.played[here] = piece_target(search.position[here], move)
    search.moved[here] = move
    child = search.position[here + ONE]
    make_move(search.rules, child, move)
    prefetch_corrections(search, child)
    search.keys[U(search.root_index + ply + 1)] = child.key
    count_node(search)


@jit
def enter_null(search: SearchState, table: TranspositionTable, ply: np.int64) -> None:
    """Pass the turn on the next level of the stack, in place, and count the node."""
    here = U(ply)
    search.position[here + ONE] = search.position[here]
    search.played[here] = NOTHING
    search.moved[here] = ZERO
    child = search.position[here + ONE]
    make_null_move(search.rules, child)
    prefetch_bucket(table, child.key)
    prefetch_corrections(search, child)
    search.keys[U(search.root_index + ply + 1)] = child.key
    count_node(search)


@jit
def can_null_move(
    search: SearchState,
    ply: np.int64,
    depth: np.int64,
    estimate: np.int64,
    static: np.int64,
    beta: np.int64,
) -> bool:
    """True if a null move is worth a try: standing above beta, with pieces, not twice in a row.

    Nor before `search.null_from`: there a null move is being verified without.
    """
    if depth < search.params.null_move_depth or is_decisive(beta) or ply < search.null_from:
        return False
    if estimate < beta or static < beta - I(20) * depth:
        return False
    if ply > 0 and search.played[U(ply - 1)] == NOTHING:
        return False
    return has_pieces(search.position[U(ply)])


@jit
def may_be_singular(
    search: SearchState, ply: np.int64, depth: np.int64, data: np.uint64, bound: np.uint64
) -> bool:
    """True if the table's `data`, of this `bound`, are deep enough to ask if its move stands alone."""
    if depth < search.params.singular_depth or move_of(data) == ZERO:
        return False
    if depth_of(data) < depth - I(3) or not bound & BOUND_LOWER:
        return False
    return not is_decisive(score_of(data, ply)) and ply < I(2) * search.root_depth
