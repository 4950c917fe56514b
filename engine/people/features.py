"""What the model of people's moves sees: inputs of a position, and for each legal move a set of traits.

Everything is from the view of the side to move: its own pieces first, its own back rank below. A position is
described by words of 16 bits: the inputs that are 1 (see below), then the legal moves (from | to << 6 |
piece type << 12; castling is king takes own rook), then for each move its traits as four words, lowest first.

| inputs | of |
|---|---|
| (own 0, other 6 + type) * 64 + square | each piece; once more if attacked; once more if undefended too |
| LAST + number * 64 + square | from and to of the last three moves, the opponent's last one first |
| RIGHTS + number | castling: own king side, own queen side, the other's |

Traits are the bits of `_traits`: what a move takes, threatens, answers, and risks by static exchanges.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.attacks import attackers, bishop_attacks, rook_attacks
from boomslang.core.board.constants import (
    BISHOP,
    BLACK,
    EMPTY,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    I,
    U,
)
from boomslang.core.board.makemove import make_move, make_null_move
from boomslang.core.board.movegen import generate, generate_noisy
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    MOVE_LIST,
    POSITION,
    PROMOTION,
    Position,
    Rules,
    position_t,
    rules_t,
)
from boomslang.core.board.see import SEE_VALUE, see_at_least
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import boolean, jit, kernel, record_type, types, u64

LAST: Final = 3 * 768
RIGHTS: Final = LAST + 6 * 64
INPUTS: Final = RIGHTS + 4  # what a position has; the context of a game follows, see `network`
TRAITS: Final = 64
MAX_INPUTS: Final = 112
TRAIT_WORDS: Final = 4
MAX_WORDS: Final = MAX_INPUTS + 220 * (1 + TRAIT_WORDS)

# The last moves: from and to of three, NO_SQUARE where there is none; then 1 if the last one was a capture.
LAST_MOVES: Final = 7

# Workspace of `describe`.
LOOK: Final = np.dtype(
    [
        ("moves", MOVE_LIST),
        ("answers", MOVE_LIST),
        ("position", POSITION, (2,)),  # that of a game, that after a move
        ("last", "u8", (LAST_MOVES,)),
    ],
    align=True,
)
look_t: Any = record_type(LOOK)
words_t: Any = types.Array(types.uint16, 1, "C")

_DANGERS: Final = np.array([90, 250, 450, 800], dtype=np.int64)  # centipawns
_WORST: Final = I(4)
_LAST: Final = U(LAST)
_RIGHTS: Final = U(RIGHTS)
_STEP: Final = U(768)
_BACK: Final = U(56)
_LEFT_RIGHT: Final = U(7)
_BOTH_SQUARES: Final = U(7 | 7 << 6)


@jit
def _find_inputs(rules: Rules, position: Position, last: Any, words: Any, count: np.uint64) -> Any:
    """Write the inputs of a position from index `count` of `words` on; returns the index behind them."""
    us = U(position.side)
    flip = _BACK if us == BLACK else ZERO
    occupied = position.by_colour[ZERO] | position.by_colour[ONE]
    left = occupied
    while left:
        square = lsb(left)
        piece = U(position.board[square])
        colour = ONE if piece >= U(6) else ZERO
        kind = piece - colour * U(6)
        row = (kind if colour == us else kind + U(6)) * U(64) + (square ^ flip)
        words[count] = row
        count += ONE
        near = attackers(rules, position, square, occupied)
        if near & position.by_colour[colour ^ ONE]:
            words[count] = row + _STEP
            count += ONE
            if near & position.by_colour[colour] == ZERO:
                words[count] = row + _STEP + _STEP
                count += ONE
        left &= left - ONE
    for number in range(6):
        square = last[U(number)]
        if square != NO_SQUARE:
            words[count] = _LAST + U(number) * U(64) + (square ^ flip)
            count += ONE
    for number in range(4):
        right = U(number) ^ (us * U(2))
        if U(position.castling) >> right & ONE:
            words[count] = _RIGHTS + U(number)
            count += ONE
    return count


@jit
def _distance(one: np.uint64, other: np.uint64) -> np.int64:
    """King's moves between two squares."""
    files = abs(I(one & U(7)) - I(other & U(7)))
    ranks = abs(I(one >> U(3)) - I(other >> U(3)))
    return max(files, ranks)


@jit
def _attacks(
    rules: Rules, kind: np.uint64, square: np.uint64, us: np.uint64, occupied: np.uint64
) -> Any:
    """Squares that a piece attacks."""
    if kind == PAWN:
        return rules.pawn_attacks[us, square]
    if kind == KNIGHT:
        return rules.knight_attacks[square]
    if kind == KING:
        return rules.king_attacks[square]
    squares = ZERO
    if kind in (BISHOP, QUEEN):
        squares |= bishop_attacks(rules, square, occupied)
    if kind in (ROOK, QUEEN):
        squares |= rook_attacks(rules, square, occupied)
    return squares


@jit
def _find_danger(rules: Rules, position: Position, moves: Any) -> Any:
    """How much the side to move can win at once, 0 to 4, and which pieces; `moves` is a workspace."""
    generate_noisy(rules, position, moves)
    danger = I(0)
    threatened = ZERO
    for number in range(moves.count):
        move = U(moves.move[U(number)])
        target = move >> U(6) & U(63)
        if see_at_least(rules, position, move, _DANGERS[0]):
            threatened |= ONE << target
            danger = max(danger, I(1))
            while danger < _WORST and see_at_least(rules, position, move, _DANGERS[U(danger)]):
                danger += I(1)
    return danger, threatened


@jit
def _flag(number: int, wanted: Any) -> np.uint64:
    """The bit of that number, if it is wanted."""
    return ONE << U(number) if wanted else ZERO


@jit
def _traits(
    rules: Rules,
    before: Position,
    move: np.uint64,
    look: Any,
    danger: np.int64,
    threatened: np.uint64,
) -> Any:
    """The traits of a legal move; `danger` and `threatened` are what the opponent could win without it."""
    us = U(before.side)
    them = us ^ ONE
    own, enemy = before.by_colour[us], before.by_colour[them]
    occupied = own | enemy
    last = look.last
    kind = move >> U(14)
    origin = move & U(63)
    target = move >> U(6) & U(63)
    landing = target
    piece = U(before.board[origin]) - us * U(6)
    is_castling = kind == CASTLING
    victim = U(before.board[target])
    is_capture = not is_castling and (victim != EMPTY or kind == EN_PASSANT)
    found = ZERO

    # 1. What it takes.
    near_target = attackers(rules, before, target, occupied)
    if is_capture:
        taken = PAWN if kind == EN_PASSANT else victim - them * U(6)
        found |= ONE << taken
        found |= _flag(5, target == last[1] and last[6] == ONE)
        found |= _flag(6, target == last[1] and last[6] == ZERO)
        found |= _flag(55, near_target & enemy == ZERO)
        found |= _flag(56, SEE_VALUE[taken] > SEE_VALUE[piece])
    if is_castling:
        found |= _flag(10, target > origin) | _flag(11, target < origin)
        landing = (target & _BACK) + (U(6) if target > origin else U(2))
    if kind == PROMOTION:
        is_queen = (move >> U(12) & U(3)) + ONE == QUEEN
        found |= _flag(12, is_queen) | _flag(13, not is_queen)

    # 2. Exchanges.
    if see_at_least(rules, before, move, I(0)):
        if is_capture or kind == PROMOTION:
            found |= _flag(14, see_at_least(rules, before, move, I(90)))
            found |= _flag(15, see_at_least(rules, before, move, I(250)))
            found |= _flag(16, see_at_least(rules, before, move, I(450)))
    else:
        found |= _flag(17, True)
        found |= _flag(18, not see_at_least(rules, before, move, I(-150)))
        found |= _flag(19, not see_at_least(rules, before, move, I(-400)))

    # 3. The position after it.
    look.position[ONE] = before
    after = look.position[ONE]
    make_move(rules, after, move)
    if after.checkers:
        found |= _flag(7, True) | _flag(8, found >> U(17) & ONE == ZERO)
        found |= _flag(48, after.checkers & ~(ONE << landing) != ZERO)
        generate(rules, after, look.answers)
        found |= _flag(9, look.answers.count == 0)
    now, _ = _find_danger(rules, after, look.answers)
    for number in range(4):
        found |= _flag(20 + number, now > I(number))
    found |= _flag(24, threatened >> origin & ONE == ONE)
    found |= (
        _flag(25, now < danger) | _flag(26, now > danger) | _flag(57, now == danger and danger > 0)
    )

    # 4. Its piece: where it comes from.
    near = attackers(rules, before, origin, occupied)
    pawns = before.by_type[PAWN]
    found |= _flag(27, origin == last[3])
    found |= _flag(28, origin == last[3] and target == last[2])
    found |= _flag(29, last[1] != NO_SQUARE and near >> (last[1] & U(63)) & ONE == ONE)
    found |= _flag(30, near & enemy != ZERO) | _flag(31, near & enemy & pawns != ZERO)
    found |= _flag(32, near & own == ZERO)

    # 5. Where it goes.
    found |= _flag(33, near_target & enemy != ZERO) | _flag(34, near_target & enemy & pawns != ZERO)
    found |= _flag(35, near_target & own & ~(ONE << origin) != ZERO)
    if is_castling == False:  # noqa: E712 - Numba
        rise = I(target >> U(3)) - I(origin >> U(3))
        rise = -rise if us == BLACK else rise
        found |= _flag(36, rise > 0) | _flag(37, rise == 0)
        king = lsb(before.by_type[KING] & enemy)
        found |= _flag(38, _distance(target, king) < _distance(origin, king))
        found |= _flag(39, _distance(target, king) <= 2)
        found |= _flag(45, target == last[0])
        found |= _flag(50, piece == PAWN and abs(rise) == 2)
        found |= _flag(51, _distance(origin, target) >= 4)
        found |= _flag(62, near_target & enemy & before.by_type[piece] != ZERO)
        rights = U(before.castling) >> (us * U(2)) & U(3)
        found |= _flag(52, piece == KING and rights != ZERO)
        found |= _flag(53, piece == ROOK and rights != ZERO)
        if before.checkers:
            found |= _flag(58, piece == KING)
            found |= _flag(59, is_capture and piece != KING)
            found |= _flag(60, not is_capture and piece != KING)

    # 6. What it attacks then.
    shown = U(after.board[landing]) - us * U(6)
    hits = _attacks(rules, shown, landing, us, after.by_colour[ZERO] | after.by_colour[ONE])
    hits &= after.by_colour[them] & ~after.by_type[KING]
    large = ZERO
    if shown != QUEEN and shown != KING:
        found |= _flag(40, hits & after.by_type[QUEEN] != ZERO)
        large |= hits & after.by_type[QUEEN]
        if shown != ROOK:
            found |= _flag(41, hits & after.by_type[ROOK] != ZERO)
            large |= hits & after.by_type[ROOK]
        if shown == PAWN:
            minor = hits & (after.by_type[KNIGHT] | after.by_type[BISHOP])
            found |= _flag(42, minor != ZERO)
            large |= minor
    loose = hits & ~after.by_type[PAWN] & ~large
    while loose:
        square = lsb(loose)
        everything = after.by_colour[ZERO] | after.by_colour[ONE]
        if attackers(rules, after, square, everything) & after.by_colour[them] == ZERO:
            found |= _flag(43, True)
            large |= ONE << square
        loose &= loose - ONE
    found |= _flag(44, popcount(large) >= U(2))
    found |= _flag(47, hits & after.by_type[PAWN] != ZERO)

    # 7. Pawns.
    if piece == PAWN:
        found |= _flag(46, _is_passed(target, us, pawns & enemy))
        found |= _flag(61, pawns & own & _beside(target) != ZERO)
    return found


@jit
def _beside(square: np.uint64) -> np.uint64:
    """The squares to the left and to the right."""
    bit = ONE << square
    return ((bit & ~FILE_A) >> ONE) | ((bit & ~FILE_H) << ONE)


@jit
def _is_passed(square: np.uint64, us: np.uint64, enemies: np.uint64) -> bool:
    """True if no pawn of `enemies` stands ahead, on this file or beside it."""
    file = FILE_A << (square & U(7))
    files = file | ((file & ~FILE_A) >> ONE) | ((file & ~FILE_H) << ONE)
    rank = square >> U(3)
    if us == BLACK:
        ahead = (ONE << (rank * U(8))) - ONE
    else:
        ahead = ~((ONE << (rank * U(8))) - ONE) & ~(U(255) << (rank * U(8)))
    return bool(files & ahead & enemies == ZERO)


@jit
def describe_position(
    rules: Rules, position: Position, look: Any, words: Any, start: np.uint64
) -> Any:
    """Write a position with its legal moves from index `start` of `words` on; see `describe`.

    `look.moves` has the legal moves afterwards. Returns the number of inputs.
    """
    generate(rules, position, look.moves)
    place = _find_inputs(rules, position, look.last, words, start)
    count = place - start
    danger = I(0)
    threatened = ZERO
    if position.checkers == ZERO:
        look.position[ONE] = position
        make_null_move(rules, look.position[ONE])
        danger, threatened = _find_danger(rules, look.position[ONE], look.answers)
    us = U(position.side)
    flip = _BACK if us == BLACK else ZERO
    moves = look.moves.count
    for number in range(moves):
        move = U(look.moves.move[U(number)])
        origin, target = move & U(63), move >> U(6) & U(63)
        piece = U(position.board[origin]) - us * U(6)
        words[place + U(number)] = (origin ^ flip) | (target ^ flip) << U(6) | piece << U(12)
        found = _traits(rules, position, move, look, danger, threatened)
        first = place + moves + U(number) * U(TRAIT_WORDS)
        for part in range(TRAIT_WORDS):
            words[first + U(part)] = found >> (U(part) * U(16)) & U(65535)
    return count


@jit
def mirror_words(words: Any, start: np.uint64, inputs: np.uint64, moves: np.uint64) -> bool:
    """Turn the left and the right of a position that starts there, in place; False if somebody may castle.

    Then nothing is changed, since the mirrored position is another one for the rules.
    """
    for number in range(inputs):
        if U(words[start + U(number)]) >= _RIGHTS:
            return False
    for number in range(inputs):  # all inputs but castling rights end with a square
        words[start + U(number)] ^= _LEFT_RIGHT
    for number in range(inputs, inputs + moves):
        words[start + U(number)] ^= _BOTH_SQUARES
    return True


@kernel(boolean(words_t, u64, u64))
def mirror(words: Any, inputs: Any, moves: Any) -> bool:
    """`mirror_words` of a position that `describe` has written."""
    return mirror_words(words, ZERO, inputs, moves)


@kernel(u64(rules_t, position_t, look_t, words_t))
def describe(rules: Rules, position: Position, look: Any, words: Any) -> np.uint64:
    """Write a position into `words` (uint16[MAX_WORDS], see above), in place; returns the number of inputs.

    `look.last` has the LAST_MOVES; `look.moves` has the legal moves afterwards, in the order of the words.
    """
    return describe_position(rules, position, look, words, ZERO)
