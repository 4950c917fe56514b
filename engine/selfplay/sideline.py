"""Sidelines: positions beside a game, such as a search looks at, evaluated too.

Much of what a search asks its evaluation about comes up where one side moves at random and the other
answers as well as it can: alpha-beta must refute every bad move once. Games of good moves hold few such
positions. So a few plies like that are made behind a position of the game, and what they lead to is searched
and written down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from boomslang.engine.core.board.makemove import make_move
from boomslang.engine.core.board.movegen import generate
from boomslang.engine.core.board.position import MoveList
from boomslang.engine.core.board.see import see_at_least
from boomslang.engine.core.constants import ONE, ZERO, I, U
from boomslang.engine.core.system.jit import jit
from boomslang.engine.core.system.splitmix import next_bits
from boomslang.engine.search.state import SearchState
from boomslang.engine.search.transposition import TranspositionTable, move_of, probe
from boomslang.engine.selfplay.fixed_search import UNTIMED, think, white_view
from boomslang.eval.data.game_encoding import (
    LONGEST_SIDELINE,
    SIDELINE,
    is_fit,
    write_move,
    write_score,
)

if TYPE_CHECKING:
    from boomslang.engine.selfplay.games import GameState

_TRIES: Final = 4  # for a move that loses nothing on its square


@jit
def _index_of(moves: MoveList, move: np.uint64) -> np.int64:
    """Place of a move in a list, or -1."""
    for number in range(moves.count):
        if U(moves.move[U(number)]) == move:
            return I(number)
    return I(-1)


@jit
def _any_index(search: SearchState, game: GameState) -> np.int64:
    """Place of a random move of the root, hardly one that loses something on its square."""
    moves, position = search.moves[ZERO], search.position[ZERO]
    index = next_bits(game) % moves.count
    for _ in range(_TRIES):
        if see_at_least(search.rules, position, U(moves.move[index]), I(0)):
            break
        index = next_bits(game) % moves.count
    return I(index)


@jit
def _walk(search: SearchState, table: TranspositionTable, game: GameState) -> np.int64:
    """Make some moves at the root, in place, and note them in `game.way`; returns how many.

    One side, by lot, moves at random, the other as the search has found or the table says; where it says
    nothing the line ends. What the game has been stays in `keys`.
    """
    moves, position = search.moves[ZERO], search.position[ZERO]
    bits = next_bits(game)
    erring = bits & ONE
    # The best move alone would be the game again.
    wanted = I(max(ONE + (bits >> ONE) % U(LONGEST_SIDELINE), ONE + erring))
    best = U(search.root_move[ZERO])
    for step in range(wanted):
        generate(search.rules, position, moves)
        if moves.count == ZERO:
            return I(step)
        if U(step) & ONE == erring:
            index = _any_index(search, game)
        else:
            index = _index_of(moves, best if step == 0 else move_of(probe(table, position.key)))
            if index < 0:
                return I(step)
        game.way[U(step)] = index
        make_move(search.rules, position, U(moves.move[U(index)]))
        search.root_index += I(1)
        search.keys[U(search.root_index)] = position.key
    return wanted


@jit
def _write(
    search: SearchState, game: GameState, steps: np.int64, move: np.uint64, score: np.int64
) -> None:
    """Write down the sideline, the best move at its end and its score (White's view), in place."""
    game.body[U(game.length)] = SIDELINE
    game.body[U(game.length + I(1))] = steps
    game.length += I(2)
    for step in range(steps):
        game.body[U(game.length)] = game.way[U(step)]
        game.length += I(1)
    generate(search.rules, search.position[ZERO], game.list)
    game.length = write_move(game.body, game.length, game.list, move)
    game.length = write_score(game.body, game.length, score - game.score)
    game.count += I(1)


@jit
def evaluate_sideline(
    search: SearchState, table: TranspositionTable, game: GameState, ply: np.int64
) -> None:
    """With the chance `game.sidelines`, search a position beside the game; write it down if it is fit.

    The position of the game, `ply` plies from the start, must have been searched last; position and
    `keys` are left as they were.
    """
    if game.sidelines == ZERO or next_bits(game) >> U(32) >= game.sidelines:
        return
    position = search.position[ZERO]
    game.fork = position
    index = search.root_index
    steps = _walk(search, table, game)
    generate(search.rules, position, search.moves[ZERO])
    if search.moves[ZERO].count != ZERO and position.checkers == ZERO:
        score = white_view(search, think(search, table, game.depth, game.nodes, UNTIMED))
        move = U(search.root_move[ZERO])
        if is_fit(position, move, ply, score):
            _write(search, game, steps, move, score)
    search.position[ZERO] = game.fork
    search.root_index = index
