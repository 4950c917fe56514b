"""Positions read from text, hundreds of thousands a second: FEN, and the beginning of EPD.

Only well-formed lines are read here. A malformed line, or a position that the core cannot play, is left
to python-chess, which is slow but reports the fault.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.attacks import attacked_by, find_checkers
from boomslang.core.board.constants import (
    BISHOP,
    BLACK,
    EMPTY,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    RANK_1,
    RANK_8,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.board.zobrist import refresh_keys
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import i64, jit, kernel, types

text_t: Any = types.uint8[::1]

NOT_UNDERSTOOD = I(-1)
_BLANK = U(ord(" "))
_DASH = U(ord("-"))
_MAX_PIECES = U(16)  # per colour
_MAX_PAWNS = U(8)
_MAX_DIGITS = I(5)
_MAX_HALFMOVES = I(255)

# By character: the piece, or 12 and more for other characters.
_PIECES = np.full(256, 255, dtype=np.uint8)
for _number, _letter in enumerate("PNBRQKpnbrqk"):
    _PIECES[ord(_letter)] = _number
# By character: 1 for White's castling right, 2 for Black's; those of Chess960 are files.
_RIGHTS = np.zeros(256, dtype=np.uint8)
for _letter in "KQABCDEFGH":
    _RIGHTS[ord(_letter)] = 1
    _RIGHTS[ord(_letter.lower())] = 2


@jit
def _digit(character: np.uint64) -> np.int64:
    """The value of a digit; NOT_UNDERSTOOD for anything else."""
    return I(character) - I(48) if character >= U(48) and character <= U(57) else NOT_UNDERSTOOD


@jit
def _read_pieces(text: Any, place: np.int64, end: np.int64, position: Position) -> np.int64:
    """Put the pieces on the board, in place; returns the index of the next field, or NOT_UNDERSTOOD."""
    for number in range(6):
        position.by_type[U(number)] = ZERO
    position.by_colour[WHITE] = ZERO
    position.by_colour[BLACK] = ZERO
    for number in range(64):
        position.board[U(number)] = EMPTY
    rank, file = I(7), I(0)
    digits = False  # two digits in a row are invalid: 44 does not mean 8
    while place < end:
        character = U(text[U(place)])
        if character == _BLANK:
            break
        place += I(1)
        if character == U(ord("/")):
            if file != I(8) or rank == I(0):
                return NOT_UNDERSTOOD
            rank -= I(1)
            file = I(0)
            digits = False
            continue
        empty = _digit(character)
        if empty >= I(0):
            if digits or empty == I(0):
                return NOT_UNDERSTOOD
            digits = True
            file += empty
            continue
        digits = False
        piece = U(_PIECES[character])
        if piece >= EMPTY or file > I(7):
            return NOT_UNDERSTOOD
        square = U(rank * I(8) + file)
        colour = ONE if piece >= U(6) else ZERO
        position.board[square] = piece
        position.by_type[piece - colour * U(6)] |= ONE << square
        position.by_colour[colour] |= ONE << square
        file += I(1)
    return place if rank == I(0) and file == I(8) else NOT_UNDERSTOOD


@jit
def _is_army(position: Position, colour: np.uint64) -> bool:
    """True if a game can have led to these numbers of pieces of a colour."""
    own = position.by_colour[colour]
    pawns = popcount(position.by_type[PAWN] & own)
    if popcount(position.by_type[KING] & own) != ONE or popcount(own) > _MAX_PIECES:
        return False
    promoted = max(popcount(position.by_type[KNIGHT] & own), U(2)) - U(2)
    promoted += max(popcount(position.by_type[BISHOP] & own), U(2)) - U(2)
    promoted += max(popcount(position.by_type[ROOK] & own), U(2)) - U(2)
    promoted += max(popcount(position.by_type[QUEEN] & own), ONE) - ONE
    return bool(pawns + promoted <= _MAX_PAWNS)


@jit
def _is_en_passant(position: Position, file: np.uint64, rank: np.uint64) -> bool:
    """True if a double pawn push can just have crossed this square; file and rank from 0."""
    us = U(position.side)
    if rank != (U(5) if us == WHITE else U(2)):
        return False
    square = rank * U(8) + file
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    behind = square + U(8) if us == WHITE else square - U(8)
    before = square - U(8) if us == WHITE else square + U(8)
    pawns = position.by_type[PAWN] & position.by_colour[us ^ ONE]
    return bool(occupied & (ONE << square | ONE << behind) == ZERO and pawns & (ONE << before))


@jit
def _skip_castling(text: Any, place: np.int64, end: np.int64) -> np.int64:
    """The index behind the castling rights, at most two per colour; NOT_UNDERSTOOD if invalid."""
    if place < end and U(text[U(place)]) == _DASH:
        return place + I(1)
    begin = place
    white = black = I(0)
    while place < end and U(text[U(place)]) != _BLANK:
        owner = U(_RIGHTS[U(text[U(place)])])
        if owner == ZERO or (owner == ONE and black > I(0)):
            return NOT_UNDERSTOOD
        white += I(owner == ONE)
        black += I(owner != ONE)
        place += I(1)
    return place if place > begin and white <= I(2) and black <= I(2) else NOT_UNDERSTOOD


@jit
def _number_end(text: Any, place: np.int64, end: np.int64) -> np.int64:
    """The index behind the number at `place`; NOT_UNDERSTOOD if there is none."""
    begin = place
    while place < end and _digit(U(text[U(place)])) >= I(0):
        place += I(1)
    alone = place == end or U(text[U(place)]) == _BLANK
    if place == begin or place - begin > _MAX_DIGITS or not alone:
        return NOT_UNDERSTOOD
    return place


@kernel(i64(rules_t, text_t, i64, i64, position_t))
def read_fen(
    rules: Rules, text: Any, place: np.int64, end: np.int64, position: Position
) -> np.int64:
    """Fill a POSITION from `text[place:end]`; returns the index behind its FEN, or NOT_UNDERSTOOD.

    The FEN ends with the move counters or, without them as in EPD, with the en passant square. Fields are
    separated by one blank. Castling rights and en passant are checked but not stored, because the static
    evaluation does not use them. `rules` needs no castling squares.
    """
    # 1. The pieces, and the side to move.
    place = _read_pieces(text, place, end, position)
    if place < I(0) or place + I(3) >= end:
        return NOT_UNDERSTOOD
    side = U(text[U(place + I(1))])
    if (side != U(ord("w")) and side != U(ord("b"))) or U(text[U(place + I(2))]) != _BLANK:
        return NOT_UNDERSTOOD
    us = WHITE if side == U(ord("w")) else BLACK
    position.side = us

    # 2. Castling rights, and the en passant square.
    place = _skip_castling(text, place + I(3), end)
    if place < I(0) or place + I(1) >= end or U(text[U(place)]) != _BLANK:
        return NOT_UNDERSTOOD
    place += I(1)
    if U(text[U(place)]) == _DASH:
        place += I(1)
    else:
        if place + I(1) >= end:
            return NOT_UNDERSTOOD
        file, rank = U(text[U(place)]) - U(ord("a")), U(text[U(place + I(1))]) - U(ord("1"))
        if file > U(7) or not _is_en_passant(position, file, rank):
            return NOT_UNDERSTOOD
        place += I(2)
    if place < end and U(text[U(place)]) != _BLANK:
        return NOT_UNDERSTOOD

    # 3. Two counters, or none.
    position.halfmoves = 0
    if place + I(1) < end and _digit(U(text[U(place + I(1))])) >= I(0):
        first = place + I(1)
        place = _number_end(text, first, end)
        if place < I(0) or place + I(1) >= end:
            return NOT_UNDERSTOOD
        halfmoves = I(0)
        for number in range(first, place):
            halfmoves = halfmoves * I(10) + _digit(U(text[U(number)]))
        position.halfmoves = min(halfmoves, _MAX_HALFMOVES)
        place = _number_end(text, place + I(1), end)
        if place < I(0):
            return NOT_UNDERSTOOD

    # 4. Could the position occur in a game? If in doubt, leave it to python-chess.
    pawns = position.by_type[PAWN]
    if pawns & (RANK_1 | RANK_8) or not _is_army(position, WHITE) or not _is_army(position, BLACK):
        return NOT_UNDERSTOOD
    theirs = lsb(position.by_type[KING] & position.by_colour[us ^ ONE])
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    if attacked_by(rules, position, theirs, occupied, us):
        return NOT_UNDERSTOOD
    position.castling = 0
    position.ep = NO_SQUARE
    position.since_null = 0
    for number in range(10):
        position.moved[U(number)] = 0
    position.checkers = find_checkers(rules, position)
    refresh_keys(rules, position)
    return place
