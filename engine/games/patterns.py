"""Positions compared with the conditions of a pattern, by a kernel that plays the games.

Each word of the language is a set of squares, of a colour, in a position: its isolated pawns, or its knights.
A condition asks for some of them, or for certain ones. Words about a whole position are all squares or none.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import (
    FILE_A,
    FILE_H,
    FULL,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    RANK_1,
    RANK_2,
    RANK_7,
    RANK_8,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.movegen import generate, pinned_pieces
from boomslang.core.board.position import MoveList, Position, Rules, rules_t
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types
from boomslang.engine.games.positions import numbers_t, play
from boomslang.engine.games.scan import Starts, set_up, starts_t
from boomslang.engine.games.tokens import Scan, scan_t

# The words by number, in the order of the time they take: first pieces, as in `core.board`.
WORDS: Final = (
    *("P", "N", "B", "R", "Q", "K", "-", "to move", "material"),
    *("isolated", "doubled", "passed", "hanging"),
    *("check", "double check", "stalemate", "mate"),
    *("back rank mate", "smothered mate", "arabian mate", "anastasia mate"),
)
EMPTIES, TO_MOVE, MATERIAL, ISOLATED, _DOUBLED, _PASSED, HANGING, CHECK, _DOUBLE_CHECK = (
    I(number) for number in range(6, 15)
)
_STALEMATE, _MATE, _BACK_RANK, _SMOTHERED, _ARABIAN = (I(number) for number in range(15, 20))
ANY: Final = I(-1)
_CORNERS: Final = (RANK_1 | RANK_8) & (FILE_A | FILE_H)

CONDITION: Final = np.dtype(
    [
        ("word", "i8"),
        ("colours", "u8"),  # bit 1 for White's, 2 for Black's: either of these
        ("some", "u8"),  # squares of which at least one must be in the set
        ("all", "u8"),  # squares that must all be
        # For material: numbers of pawns, knights, bishops, rooks and queens of the colour and of the other
        # one; -1 for any.
        ("counts", "i8", (2, 5)),
    ],
    align=True,
)
_Condition: TypeAlias = Any  # a record of CONDITION
_Conditions: TypeAlias = Any  # an array of CONDITION


@jit
def _has_army(position: Position, own: np.uint64, counts: Any) -> bool:
    """True if a colour, whose pieces are `own`, has these numbers of them, int64[5]."""
    for number in range(5):
        count = counts[U(number)]
        if count != ANY and I(popcount(position.by_type[U(number)] & own)) != count:
            return False
    return True


@jit
def _beside(squares: np.uint64) -> np.uint64:
    """The squares to the left and to the right of these."""
    return (squares & ~FILE_A) >> ONE | (squares & ~FILE_H) << ONE


@jit
def _up(squares: np.uint64) -> np.uint64:
    """These squares and all above them."""
    squares |= squares << U(8)
    squares |= squares << U(16)
    return squares | squares << U(32)


@jit
def _down(squares: np.uint64) -> np.uint64:
    """These squares and all below them."""
    squares |= squares >> U(8)
    squares |= squares >> U(16)
    return squares | squares >> U(32)


@jit
def _pawns(own: np.uint64, enemy: np.uint64, us: np.uint64, word: np.int64) -> np.uint64:
    """Those of a colour's pawns that the word describes."""
    files = _up(_down(own))
    doubled = own & (_up(own << U(8)) | _down(own >> U(8)))
    if word == ISOLATED:
        return own & ~_beside(files)
    if word == _DOUBLED:
        return doubled
    if word == _PASSED:
        ahead = _down(enemy >> U(8)) if us == WHITE else _up(enemy << U(8))
        return own & ~(ahead | _beside(ahead))
    # Hanging: side by side on half-open files, without others of theirs there or beside.
    alone = own & ~doubled & ~_up(_down(enemy))
    outside = (files & ~FILE_H) << ONE | (files & ~(FILE_A | FILE_A << ONE)) >> U(2)
    left = alone & (alone & ~FILE_A) >> ONE & ~outside
    return left | left << ONE


@jit
def _is_named_mate(rules: Rules, position: Position, us: np.uint64, word: np.int64) -> bool:
    """True if the mate that a colour has given is of that kind."""
    by_type, enemy, checkers = position.by_type, position.by_colour[us ^ ONE], position.checkers
    knights = by_type[KNIGHT] & position.by_colour[us]
    square = lsb(by_type[KING] & enemy)
    king, near = ONE << square, rules.king_attacks[square]
    heavy = checkers & (by_type[ROOK] | by_type[QUEEN])
    if word == _BACK_RANK:
        home, front = (RANK_8, RANK_7 & near) if us == WHITE else (RANK_1, RANK_2 & near)
        pawns = popcount(front & by_type[PAWN] & enemy)
        return bool(king & home and heavy & home and U(2) * pawns >= popcount(front))
    if word == _SMOTHERED:
        return bool(checkers & knights and near & ~enemy == ZERO)
    if word == _ARABIAN:
        rook = heavy & near & by_type[ROOK]
        if rook == ZERO or king & _CORNERS == ZERO:
            return False
        return bool(rules.knight_attacks[lsb(rook)] & knights)
    edge = king & FILE_A | king & FILE_H
    knight = edge << U(3) & knights if edge & FILE_A else edge >> U(3) & knights
    return bool(knight and _beside(edge) & enemy and heavy & _up(_down(edge)))


@jit
def _squares(
    rules: Rules, position: Position, moves: MoveList, us: np.uint64, condition: _Condition
) -> np.uint64:
    """The squares that the word of a condition describes, of a colour; all or none if it names none."""
    word, by_type = condition.word, position.by_type
    own, enemy = position.by_colour[us], position.by_colour[us ^ ONE]
    if word < EMPTIES:
        return by_type[U(word)] & own
    if word == EMPTIES:
        return ~(own | enemy)
    if word == TO_MOVE:
        return FULL if U(position.side) == us else ZERO
    if word == MATERIAL:
        fits = _has_army(position, own, condition.counts[ZERO])
        return FULL if fits and _has_army(position, enemy, condition.counts[ONE]) else ZERO
    if word < CHECK:
        return _pawns(by_type[PAWN] & own, by_type[PAWN] & enemy, us, word)
    checkers = position.checkers
    if U(position.side) == us or (checkers == ZERO) != (word == _STALEMATE):
        return ZERO
    if word == CHECK:
        return FULL
    if word == _DOUBLE_CHECK:
        return FULL if checkers & (checkers - ONE) else ZERO
    if word == _STALEMATE:
        # Nearly always a pawn can move, which is seen faster than all moves.
        pawns = by_type[PAWN] & enemy
        free = (pawns << U(8) if us else pawns >> U(8)) & ~(own | enemy)
        pinned = pinned_pieces(rules, position, lsb(by_type[KING] & enemy), us ^ ONE)
        if popcount(free) > popcount(pinned):
            return ZERO
    generate(rules, position, moves)
    if moves.count:
        return ZERO
    return FULL if word <= _MATE or _is_named_mate(rules, position, us, word) else ZERO


@jit
def _fits(rules: Rules, position: Position, moves: MoveList, conditions: _Conditions) -> bool:
    """True if a position meets all conditions."""
    for number in range(conditions.size):
        condition = conditions[U(number)]
        is_met = False
        for colour in range(2):
            us = U(colour)
            if condition.colours >> us & ONE and not is_met:
                squares = _squares(rules, position, moves, us, condition)
                is_met = squares & condition.some != ZERO and condition.all & ~squares == ZERO
        if not is_met:
            return False
    return True


@kernel(
    i64(
        *(rules_t, scan_t, starts_t, numbers_t, numbers_t, types.Array(types.uint16, 1, "C")),
        *(types.Array(types.uint8, 1, "C"), types.Array(record_type(CONDITION), 1, "C")),
        *(i64, i64, types.boolean, numbers_t, numbers_t),
    )
)
def find_positions(
    rules: Rules,
    scan: Scan,
    starts: Starts,
    start_of_game: Any,
    offsets: Any,
    moves: Any,
    wanted: Any,
    conditions: _Conditions,
    low: np.int64,
    high: np.int64,
    every: bool,
    found_games: Any,
    found_plies: Any,
) -> np.int64:
    """Write games and plies of what fits, or of the first in each game, in place; returns the number.

    Only `wanted` games are played, and only positions with `low` to `high` plies before them looked at.
    """
    count = I(0)
    for game in range(start_of_game.size):
        scan.start = start_of_game[U(game)]
        if scan.start < I(0) or not wanted[U(game)]:
            continue
        set_up(rules, scan, starts)
        position = scan.position[ZERO]
        first = offsets[U(game)]
        last = min(high, offsets[U(game) + ONE] - first)
        for ply in range(last + I(1)):
            if ply >= low and _fits(rules, position, scan.moves[ZERO], conditions):
                found_games[U(count)] = game
                found_plies[U(count)] = ply
                count += I(1)
                if not every:
                    break
            if ply < last:
                play(rules, position, U(moves[U(first + ply)]))
    return count
