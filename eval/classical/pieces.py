"""Pieces: mobility, good squares, and pressure on the enemy king."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import bishop_attacks, rook_attacks
from boomslang.core.board.constants import (
    BISHOP,
    DARK_SQUARES,
    FILE_A,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    ROOK,
    ZERO,
    I,
    U,
)
from boomslang.core.board.position import Position, Rules
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.classical.pawns import distance, relative_rank, step_forward
from boomslang.eval.classical.terms import ALL, DANGER, OFFSET, Evaluator, add_term

_KNIGHT_MOBILITY = OFFSET["knight_mobility"]
_BISHOP_MOBILITY = OFFSET["bishop_mobility"]
_ROOK_MOBILITY = OFFSET["rook_mobility"]
_QUEEN_MOBILITY = OFFSET["queen_mobility"]
_KNIGHT_OUTPOST = OFFSET["knight_outpost"]
_BISHOP_OUTPOST = OFFSET["bishop_outpost"]
_MINOR_BEHIND_PAWN = OFFSET["minor_behind_pawn"]
_KNIGHT_KING_DISTANCE = OFFSET["knight_king_distance"]
_BISHOP_KING_DISTANCE = OFFSET["bishop_king_distance"]
_LONG_DIAGONAL = OFFSET["bishop_long_diagonal"]
_BISHOP_OWN_PAWNS = OFFSET["bishop_own_pawns"]
_BISHOP_PAIR = OFFSET["bishop_pair"]
_OPEN_FILE = OFFSET["rook_open_file"]
_HALF_OPEN_FILE = OFFSET["rook_half_open_file"]
_SEVENTH = OFFSET["rook_seventh"]
_RING_ATTACK = DANGER["ring_attack"]

_CENTRE = U(0x0000001818000000)


@jit
def _note_attacks(
    evaluator: Evaluator, us: np.uint64, piece_type: np.uint64, attacks: np.uint64, ring: np.uint64
) -> None:
    """Add a piece's attacks to those of its side, and its share of the danger to the enemy king."""
    evaluator.twice[us] |= evaluator.attacks[us, ALL] & attacks
    evaluator.attacks[us, ALL] |= attacks
    evaluator.attacks[us, piece_type] |= attacks
    if attacks & ring:
        danger = evaluator.danger
        danger[us ^ ONE, piece_type - ONE] += 1  # knight, bishop, rook, queen come first
        danger[us ^ ONE, _RING_ATTACK] += I(popcount(attacks & ring))


@jit
def count_pieces(rules: Rules, evaluator: Evaluator, position: Position, us: np.uint64) -> None:
    """Count one side's pieces, in place; the pawns' and kings' attacks must be known."""
    by_type = position.by_type
    them = us ^ ONE
    own = position.by_colour[us]
    occupied = own | position.by_colour[them]
    pawns = by_type[PAWN]
    own_pawns = pawns & own
    area = evaluator.mobility_area[us]
    king = lsb(by_type[KING] & own)
    ring = evaluator.ring[them, lsb(by_type[KING] & position.by_colour[them])]
    enemy_pawns = pawns & ~own
    sheltered = step_forward(pawns, them)  # squares right behind a pawn, as this side sees it

    pieces = (by_type[KNIGHT] | by_type[BISHOP]) & own
    while pieces:
        square = lsb(pieces)
        bit = ONE << square
        pieces &= pieces - ONE
        line = rules.line[king, square]
        pinned = evaluator.pinned[us] & bit
        safe_from_pawns = evaluator.front_wide[us, square] & ~(FILE_A << (square & U(7)))
        rank = relative_rank(us, square)
        outpost = (
            rank >= U(3)
            and rank <= U(5)
            and evaluator.attacks[us, PAWN] & bit != ZERO
            and safe_from_pawns & enemy_pawns == ZERO
        )
        if by_type[KNIGHT] & bit:
            attacks = rules.knight_attacks[square]
            if pinned:
                attacks = ZERO
            add_term(evaluator, us, _KNIGHT_MOBILITY + popcount(attacks & area), I(1))
            if outpost:
                add_term(evaluator, us, _KNIGHT_OUTPOST, I(1))
            add_term(evaluator, us, _KNIGHT_KING_DISTANCE + distance(king, square), I(1))
            _note_attacks(evaluator, us, KNIGHT, attacks, ring)
        else:
            attacks = bishop_attacks(rules, square, occupied ^ (by_type[QUEEN] & own))
            if pinned:
                attacks &= line
            add_term(evaluator, us, _BISHOP_MOBILITY + popcount(attacks & area), I(1))
            if outpost:
                add_term(evaluator, us, _BISHOP_OUTPOST, I(1))
            add_term(evaluator, us, _BISHOP_KING_DISTANCE + distance(king, square), I(1))
            if popcount((bishop_attacks(rules, square, pawns) | bit) & _CENTRE) > ONE:
                add_term(evaluator, us, _LONG_DIAGONAL, I(1))
            colour = DARK_SQUARES if DARK_SQUARES & bit else ~DARK_SQUARES
            add_term(evaluator, us, _BISHOP_OWN_PAWNS, I(popcount(own_pawns & colour)))
            _note_attacks(evaluator, us, BISHOP, attacks, ring)
        if sheltered & bit:
            add_term(evaluator, us, _MINOR_BEHIND_PAWN, I(1))
    bishops = by_type[BISHOP] & own
    if bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
        add_term(evaluator, us, _BISHOP_PAIR, I(1))

    pieces = by_type[ROOK] & own
    while pieces:
        square = lsb(pieces)
        pieces &= pieces - ONE
        attacks = rook_attacks(rules, square, occupied ^ ((by_type[QUEEN] | by_type[ROOK]) & own))
        if evaluator.pinned[us] >> square & ONE:
            attacks &= rules.line[king, square]
        add_term(evaluator, us, _ROOK_MOBILITY + popcount(attacks & area), I(1))
        file = FILE_A << (square & U(7))
        if file & own_pawns == ZERO:
            if file & pawns == ZERO:
                add_term(evaluator, us, _OPEN_FILE, I(1))
            else:
                add_term(evaluator, us, _HALF_OPEN_FILE, I(1))
        if relative_rank(us, square) == U(6):
            add_term(evaluator, us, _SEVENTH, I(1))
        _note_attacks(evaluator, us, ROOK, attacks, ring)

    pieces = by_type[QUEEN] & own
    while pieces:
        square = lsb(pieces)
        pieces &= pieces - ONE
        attacks = rook_attacks(rules, square, occupied) | bishop_attacks(rules, square, occupied)
        if evaluator.pinned[us] >> square & ONE:
            attacks &= rules.line[king, square]
        add_term(evaluator, us, _QUEEN_MOBILITY + popcount(attacks & area), I(1))
        _note_attacks(evaluator, us, QUEEN, attacks, ring)
