"""Lines by the rules alone: how far one is legal, and short mates without evaluation, pruning or table."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.draws import FIFTY_MOVES, is_repetition
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.jit.jit import i64, kernel
from boomslang.engine.search.node import update_pv
from boomslang.engine.search.state import SearchState, search_t


@kernel(i64(search_t, i64, i64))
def find_mate(search: SearchState, ply: np.int64, plies: np.int64) -> np.int64:
    """Length of a line from `position[ply]` to mate in at most `plies` plies, or -1 if there is none.

    The side that would move last gives mate, the other one puts it off. Writes the line to `pv[ply]`.
    The cost grows exponentially with `plies`.
    """
    here = U(ply)
    position = search.position[here]
    moves = search.moves[here]
    attacks = plies & I(1) != I(0)
    generate(search.rules, position, moves)
    if moves.count == ZERO:
        return I(-1) if attacks or position.checkers == ZERO else I(0)
    if plies == I(0):
        return I(-1)
    longest = I(-1)
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        search.position[here + ONE] = position
        child = search.position[here + ONE]
        make_move(search.rules, child, move)
        if plies == I(1) and child.checkers == ZERO:
            continue
        length = find_mate(search, ply + I(1), plies - I(1))
        if length < I(0):
            if attacks:
                continue
            return I(-1)
        if length >= longest:
            longest = length + I(1)
            search.pv_length[here + ONE] = length
            update_pv(search, here, move)
        if attacks:
            return longest
    return longest


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
