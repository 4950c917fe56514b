"""The samples of a game, described by a kernel while its moves are played."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import NO_SQUARE, ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    Position,
    Rules,
    position_t,
    rules_t,
)
from boomslang.core.jit.jit import i64, jit, kernel, types
from boomslang.engine.people.features import TRAIT_WORDS, describe_position, look_t, words_t
from boomslang.engine.people.gradient import samples_t

_MOVES_T: Final[Any] = types.Array(types.uint16, 1, "C")
_WANTED_T: Final[Any] = types.Array(types.uint8, 1, "C")


@jit
def _find(position: Position, moves: Any, wanted: np.uint64) -> np.int64:
    """The number of a move among the legal ones, -1 if it is none; its kind may be missing."""
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        if move == wanted:
            return I(number)
        kind = move >> U(14)
        if kind == EN_PASSANT and (move ^ wanted) & U(4095) == ZERO:
            return I(number)
        if kind == CASTLING and wanted >> U(14) == ZERO and (move ^ wanted) & U(63) == ZERO:
            target, rook = wanted >> U(6) & U(63), move >> U(6) & U(63)
            side = U(6) if rook > (move & U(63)) else U(2)
            if target == (rook & U(56)) + side and abs(I(target) - I(wanted & U(63))) == 2:
                return I(number)
    return I(-1)


@kernel(i64(rules_t, position_t, look_t, _MOVES_T, _WANTED_T, words_t, i64, samples_t, i64))
def collect(
    rules: Rules,
    position: Position,
    look: Any,
    moves: Any,
    wanted: Any,
    words: Any,
    place: Any,
    samples: Any,
    count: Any,
) -> Any:
    """Describe the wanted plies of a game; returns the new number of samples.

    `position` is the start, and is changed. Samples are written from index `count` on, words from `place`,
    `moves` get their kinds. It ends early at an illegal move.
    """
    for number in range(6):
        look.last[U(number)] = NO_SQUARE
    look.last[U(6)] = ZERO
    for ply in range(moves.size):
        generate(rules, position, look.moves)
        played = _find(position, look.moves, U(moves[U(ply)]))
        if played < I(0):
            return count
        move = U(look.moves.move[U(played)])
        moves[U(ply)] = move
        if wanted[U(ply)] and look.moves.count > 1:
            sample = samples[U(count)]
            inputs = describe_position(rules, position, look, words, U(place))
            sample.start = place
            sample.ply = ply
            sample.inputs = inputs
            sample.moves = look.moves.count
            sample.played = played
            place += I(inputs + look.moves.count * U(1 + TRAIT_WORDS))
            count += 1
        for number in range(4):
            look.last[U(5 - number)] = look.last[U(3 - number)]
        before = position.by_colour[U(position.side) ^ ONE]
        make_move(rules, position, move)
        look.last[ZERO] = move & U(63)
        look.last[ONE] = move >> U(6) & U(63)
        look.last[U(6)] = ONE if position.by_colour[U(position.side)] != before else ZERO
    return count
