"""Sidelines: positions beside a game, like those inside a search tree, as further training data.

Many positions that a search evaluates arise from random moves of one side and good answers of the other,
because alpha-beta must refute every bad move once. Games of good moves contain few such positions. So a
few such plies are played from a position of the game, and the resulting position is searched and recorded.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MoveList
from boomslang.core.board.see import see_at_least
from boomslang.core.board.splitmix import next_bits
from boomslang.core.jit.jit import jit
from boomslang.engine.learning.data.game_encoding import (
    MAX_SIDELINE,
    SIDELINE,
    is_fit,
    write_move,
    write_score,
)
from boomslang.engine.learning.selfplay.fixed_search import UNTIMED, think, white_view
from boomslang.engine.search.state import SearchState
from boomslang.engine.search.transposition import TranspositionTable, move_of, probe

GameState: TypeAlias = Any  # a record of `engine.learning.selfplay.games.GAME`

_TRIES: Final = 4  # to find a move that loses no material (SEE >= 0)


@jit
def _index_of(moves: MoveList, move: np.uint64) -> np.int64:
    """Index of a move in a list, or -1."""
    for number in range(moves.count):
        if U(moves.move[U(number)]) == move:
            return I(number)
    return I(-1)


@jit
def _any_index(search: SearchState, game: GameState) -> np.int64:
    """Index of a random root move, preferably one that loses no material (SEE >= 0)."""
    moves, position = search.moves[ZERO], search.position[ZERO]
    index = next_bits(game) % moves.count
    for _ in range(_TRIES):
        if see_at_least(search.rules, position, U(moves.move[index]), I(0)):
            break
        index = next_bits(game) % moves.count
    return I(index)


@jit
def _walk(search: SearchState, table: TranspositionTable, game: GameState) -> np.int64:
    """Make some moves at the root, in place, and record them in `game.way`; returns their number.

    One side, chosen at random, makes random moves, the other the best move of the search or of the table.
    The line ends where the table has none. The history of the game stays in `keys`.
    """
    moves, position = search.moves[ZERO], search.position[ZERO]
    bits = next_bits(game)
    erring = bits & ONE
    # The best move alone would repeat the game.
    wanted = I(max(ONE + (bits >> ONE) % U(MAX_SIDELINE), ONE + erring))
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
    """Encode the sideline, the best move at its end and its score (White's view), in place."""
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
    """With probability `game.sidelines`, search a position beside the game; encode it if usable.

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
