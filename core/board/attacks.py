"""Attack sets: tables for the short-range pieces, PEXT or magic look-ups for the sliders.

A slider's attacks depend only on the occupied squares of its rays, edges excluded. Those few bits are
turned into a table index: by the PEXT instruction where the CPU has a fast one, otherwise by a
multiplication ("fancy magic bitboards", Pradyumna Kannan 2007, after Gerd Isenberg and Lasse Hansen).
Both ways share one table of 107,648 sets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    BLACK,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    ZERO,
    I,
    U,
)
from boomslang.core.board.magics import BISHOP_MAGICS, ROOK_MAGICS
from boomslang.core.board.position import Position, Rules, rules_t
from boomslang.core.jit.instructions import lsb, pext, popcount
from boomslang.core.jit.jit import cpu_has_fast_pext, jit, kernel, void

USE_PEXT = cpu_has_fast_pext()

# Steps as (file, rank).
_ROOK_STEPS = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=np.int64)
_BISHOP_STEPS = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=np.int64)
_KNIGHT_STEPS = np.array(
    [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]], dtype=np.int64
)

if USE_PEXT:

    @jit
    def rook_attacks(rules: Rules, square: np.uint64, occupied: np.uint64) -> np.uint64:
        """Squares that a rook on `square` attacks."""
        index = pext(occupied, rules.rook_mask[square])
        return rules.slider_attacks[rules.rook_offset[square] + index]

    @jit
    def bishop_attacks(rules: Rules, square: np.uint64, occupied: np.uint64) -> np.uint64:
        """Squares that a bishop on `square` attacks."""
        index = pext(occupied, rules.bishop_mask[square])
        return rules.slider_attacks[rules.bishop_offset[square] + index]

else:

    @jit
    def rook_attacks(rules: Rules, square: np.uint64, occupied: np.uint64) -> np.uint64:
        """Squares that a rook on `square` attacks."""
        product = (occupied & rules.rook_mask[square]) * rules.rook_magic[square]
        return rules.slider_attacks[
            rules.rook_offset[square] + (product >> rules.rook_shift[square])
        ]

    @jit
    def bishop_attacks(rules: Rules, square: np.uint64, occupied: np.uint64) -> np.uint64:
        """Squares that a bishop on `square` attacks."""
        product = (occupied & rules.bishop_mask[square]) * rules.bishop_magic[square]
        return rules.slider_attacks[
            rules.bishop_offset[square] + (product >> rules.bishop_shift[square])
        ]


@jit
def attackers(
    rules: Rules, position: Position, square: np.uint64, occupied: np.uint64
) -> np.uint64:
    """Pieces of both colours that attack `square` when the squares of `occupied` are taken.

    Pieces that stand outside `occupied` still count: mask the result where that matters.
    """
    by_type = position.by_type
    pawns = by_type[PAWN]
    queens = by_type[QUEEN]
    return (
        (rules.pawn_attacks[BLACK, square] & pawns & position.by_colour[WHITE])
        | (rules.pawn_attacks[WHITE, square] & pawns & position.by_colour[BLACK])
        | (rules.knight_attacks[square] & by_type[KNIGHT])
        | (rules.king_attacks[square] & by_type[KING])
        | (rook_attacks(rules, square, occupied) & (by_type[ROOK] | queens))
        | (bishop_attacks(rules, square, occupied) & (by_type[BISHOP] | queens))
    )


@jit
def attacked_by(
    rules: Rules, position: Position, square: np.uint64, occupied: np.uint64, colour: np.uint64
) -> bool:
    """True if a piece of `colour` attacks `square`; cheap tests first."""
    by_type = position.by_type
    theirs = position.by_colour[colour]
    if rules.pawn_attacks[colour ^ ONE, square] & by_type[PAWN] & theirs:
        return True
    if rules.knight_attacks[square] & by_type[KNIGHT] & theirs:
        return True
    if bishop_attacks(rules, square, occupied) & (by_type[BISHOP] | by_type[QUEEN]) & theirs:
        return True
    if rook_attacks(rules, square, occupied) & (by_type[ROOK] | by_type[QUEEN]) & theirs:
        return True
    return bool(rules.king_attacks[square] & by_type[KING] & theirs)


@jit
def find_checkers(rules: Rules, position: Position) -> np.uint64:
    """Enemy pieces that attack the king of the side to move."""
    us = U(position.side)
    king = lsb(position.by_type[KING] & position.by_colour[us])
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    return attackers(rules, position, king, occupied) & position.by_colour[us ^ ONE]


@jit
def checking_squares(rules: Rules, position: Position, piece_type: np.uint64) -> np.uint64:
    """Squares from which a piece of this type would attack the king of the side not to move."""
    them = U(position.side) ^ ONE
    king = lsb(position.by_type[KING] & position.by_colour[them])
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    squares = ZERO
    if piece_type == PAWN:
        squares = rules.pawn_attacks[them, king]
    elif piece_type == KNIGHT:
        squares = rules.knight_attacks[king]
    elif piece_type != KING:
        if piece_type != ROOK:
            squares |= bishop_attacks(rules, king, occupied)
        if piece_type != BISHOP:
            squares |= rook_attacks(rules, king, occupied)
    return squares


@jit
def _walk(square: np.uint64, occupied: np.uint64, steps: Any) -> np.uint64:
    """Slider attacks the slow way, one step after the other; only to fill the tables."""
    attacks = ZERO
    for direction in range(4):
        file = I(square & U(7))
        rank = I(square >> U(3))
        while True:
            file += steps[direction, 0]
            rank += steps[direction, 1]
            if file < 0 or file > 7 or rank < 0 or rank > 7:
                break
            bit = ONE << U(rank * 8 + file)
            attacks |= bit
            if occupied & bit:
                break
    return attacks


@jit
def _jumps(square: np.uint64, steps: Any, count: np.int64) -> np.uint64:
    """Squares that a short-range piece with these steps reaches."""
    attacks = ZERO
    for direction in range(count):
        file = I(square & U(7)) + steps[direction, 0]
        rank = I(square >> U(3)) + steps[direction, 1]
        if file >= 0 and file <= 7 and rank >= 0 and rank <= 7:
            attacks |= ONE << U(rank * 8 + file)
    return attacks


@jit
def _relevant_squares(square: np.uint64, steps: Any) -> np.uint64:
    """Squares whose occupation changes a slider's attacks: its rays without the last square of each."""
    edges_of_file = (U(0xFF) | (U(0xFF) << U(56))) & ~(U(0xFF) << (square & U(56)))
    edges_of_rank = (FILE_A | FILE_H) & ~(FILE_A << (square & U(7)))
    return _walk(square, ZERO, steps) & ~(edges_of_file | edges_of_rank)


@jit
def _fill_slider(
    table: Any, start: np.uint64, square: np.uint64, mask: np.uint64, magic: np.uint64, steps: Any
) -> np.uint64:
    """Write the attack sets of one slider and square from index `start`; returns the next free index."""
    size = ONE << popcount(mask)
    shift = U(64) - popcount(mask)
    subset = ZERO
    for _ in range(I(size)):
        index = pext(subset, mask) if USE_PEXT else (subset * magic) >> shift
        table[start + index] = _walk(square, subset, steps)
        subset = (subset - mask) & mask  # the next subset of the mask (carry-rippler)
    return start + size


@kernel(void(rules_t))
def fill_tables(rules: Rules) -> None:
    """Fill every attack, line and magic table of a RULES record in place."""
    free = ZERO
    for number in range(64):
        square = U(number)
        bit = ONE << square
        rules.knight_attacks[square] = _jumps(square, _KNIGHT_STEPS, I(8))
        rules.king_attacks[square] = _jumps(square, _ROOK_STEPS, I(4)) | _jumps(
            square, _BISHOP_STEPS, I(4)
        )
        rules.pawn_attacks[WHITE, square] = ((bit & ~FILE_A) << U(7)) | ((bit & ~FILE_H) << U(9))
        rules.pawn_attacks[BLACK, square] = ((bit & ~FILE_A) >> U(9)) | ((bit & ~FILE_H) >> U(7))

        rules.rook_mask[square] = _relevant_squares(square, _ROOK_STEPS)
        rules.rook_magic[square] = ROOK_MAGICS[square]
        rules.rook_shift[square] = U(64) - popcount(rules.rook_mask[square])
        rules.rook_offset[square] = free
        free = _fill_slider(
            rules.slider_attacks,
            free,
            square,
            rules.rook_mask[square],
            ROOK_MAGICS[square],
            _ROOK_STEPS,
        )
        rules.bishop_mask[square] = _relevant_squares(square, _BISHOP_STEPS)
        rules.bishop_magic[square] = BISHOP_MAGICS[square]
        rules.bishop_shift[square] = U(64) - popcount(rules.bishop_mask[square])
        rules.bishop_offset[square] = free
        free = _fill_slider(
            rules.slider_attacks,
            free,
            square,
            rules.bishop_mask[square],
            BISHOP_MAGICS[square],
            _BISHOP_STEPS,
        )

    for number in range(64):
        first = U(number)
        for other in range(64):
            second = U(other)
            both = (ONE << first) | (ONE << second)
            rules.line[first, second] = ZERO
            rules.between[first, second] = ZERO
            if first == second:
                continue
            if _walk(first, ZERO, _ROOK_STEPS) & (ONE << second):
                steps = _ROOK_STEPS
            elif _walk(first, ZERO, _BISHOP_STEPS) & (ONE << second):
                steps = _BISHOP_STEPS
            else:
                continue
            rules.line[first, second] = (
                _walk(first, ZERO, steps) & _walk(second, ZERO, steps)
            ) | both
            rules.between[first, second] = _walk(first, both, steps) & _walk(second, both, steps)
