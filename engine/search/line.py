"""How far a line of moves goes by the rules."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.draws import FIFTY_MOVES, is_repetition
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.jit.jit import i64, kernel
from boomslang.engine.search.state import SearchState, search_t


@kernel(i64(search_t, i64))
def legal_length(search: SearchState, length: np.int64) -> np.int64:
    """How many of the first `length` moves of `search.pv[0]` are legal, until the game is over.

    The search must have its root in `position[0]`, and nothing of value on further levels.
    """
    for ply in range(length):
        here = U(ply)
        position, moves = search.position[here], search.moves[here]
        move = search.pv[ZERO, here]
        generate(search.rules, position, moves)
        number = ZERO
        while number < moves.count and moves.move[number] != move:
            number += ONE
        if number == moves.count:
            return I(ply)
        search.position[here + ONE] = position
        child = search.position[here + ONE]
        make_move(search.rules, child, U(move))
        index = search.root_index + I(ply) + I(1)
        search.keys[U(index)] = child.key
        back = I(child.halfmoves)
        if U(back) >= FIFTY_MOVES or is_repetition(
            search.keys, index, I(0), back, I(child.since_null)
        ):
            return I(ply) + I(1)
    return length
