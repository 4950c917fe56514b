"""The number of a position in its table: squares by groups, up to the symmetries of the board."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit
from boomslang.engine.tablebases.probe_record import Probe
from boomslang.engine.tablebases.table_records import Part, Table, Tables

_MIRROR = U(7)  # exclusive or: the same square of the other wing
_FLIP = U(56)  # to the other side of the board
_EAST = U(4)  # this bit of a square is set on the files e to h
_NORTH = U(32)  # on the ranks 5 to 8

# Three different pieces: the first is off the diagonal, the second, the third, or none.
_AFTER_FIRST = U(6 * 63 * 62)
_AFTER_SECOND = _AFTER_FIRST + U(4 * 28 * 62)
_AFTER_THIRD = _AFTER_SECOND + U(4 * 7 * 28)


@jit
def find_part(
    tables: Tables,
    table: Table,
    position: Position,
    swapped: np.uint64,
    side: np.uint64,
    probe: Probe,
) -> np.uint64:
    """Which part of a table a position belongs to; `probe.squares` gets the leading pawns, in place.

    `swapped` is 1 if Black has the pieces that the name gives White: then colours are exchanged and the board
    is turned. `side` is the side to move after that, 0 for White.
    """
    if not table.has_pawns:
        return side if table.sides > ONE else ZERO
    # The pawns that lead are the same in all parts. Of them the one first counted stands first.
    piece = table.parts[ZERO].pieces[ZERO]
    _place(probe, position, piece, ZERO, swapped)
    order = tables.geometry.pawn
    for number in range(U(1), table.leading):
        square = probe.squares[U(number)]
        if order[square] > order[probe.squares[ZERO]]:
            probe.squares[U(number)] = probe.squares[ZERO]
            probe.squares[ZERO] = square
    file = probe.squares[ZERO] & U(7)
    file = min(file, U(7) - file)
    return file * U(2) + side if table.sides > ONE else file


@jit
def index_of(
    tables: Tables, table: Table, part: Part, position: Position, swapped: np.uint64, probe: Probe
) -> np.uint64:
    """The number of a position in its part, see `find_part`; less than `part.positions`."""
    squares = probe.squares
    filled = table.leading if table.has_pawns else ZERO  # by `find_part`
    while filled < table.piece_count:
        filled = _place(probe, position, part.pieces[filled], filled, swapped)
    if squares[ZERO] & _EAST:
        _move_all(probe, table.piece_count, _MIRROR)
    if table.has_pawns:
        index = _pawns_index(tables, table, probe)
    else:
        if squares[ZERO] & _NORTH:
            _move_all(probe, table.piece_count, _FLIP)
        _turn_below_diagonal(probe, table)
        index = (
            _kings_index(tables, probe) if table.leading == U(2) else _three_index(tables, probe)
        )
    index *= part.group_factor[ZERO]
    for number in range(U(1), part.group_count):
        group = U(number)
        start, size = part.group_start[group], part.group_size[group]
        # Pawns stand on 48 squares only, where no leading pawn stands.
        is_pawns = part.pieces[start] == ZERO or part.pieces[start] == U(6)
        below = U(8) if is_pawns else ZERO
        index += _set_number(tables, probe, start, size, below) * part.group_factor[group]
    return index


@jit
def _place(
    probe: Probe, position: Position, piece: np.uint64, filled: np.uint64, swapped: np.uint64
) -> np.uint64:
    """Note the squares of all pieces of a kind, in place; returns how many squares there are then."""
    colour = ONE if piece >= U(6) else ZERO
    pieces = position.by_type[piece - U(6) * colour] & position.by_colour[colour ^ swapped]
    while pieces:
        probe.squares[filled] = lsb(pieces) ^ (swapped * _FLIP)
        filled += ONE
        pieces &= pieces - ONE
    return filled


@jit
def _move_all(probe: Probe, piece_count: np.uint64, change: np.uint64) -> None:
    """Mirror or turn the board, in place."""
    for number in range(piece_count):
        probe.squares[U(number)] ^= change


@jit
def _above_diagonal(square: np.uint64) -> np.int64:
    """Above the diagonal a1-h8 positive, below it negative, on it 0."""
    return I(square >> U(3)) - I(square & U(7))


@jit
def _turn_below_diagonal(probe: Probe, table: Table) -> None:
    """Mirror at the diagonal a1-h8 if the first of the leading pieces off it is above it, in place."""
    for number in range(table.leading):
        side = _above_diagonal(probe.squares[U(number)])
        if side > I(0):
            for other in range(table.piece_count):
                square = probe.squares[U(other)]
                probe.squares[U(other)] = square >> U(3) | (square & U(7)) << U(3)
        if side != I(0):
            return


@jit
def _three_index(tables: Tables, probe: Probe) -> np.uint64:
    """The number of three different pieces, the first in the triangle a1-d1-d4."""
    first, second, third = probe.squares[U(0)], probe.squares[U(1)], probe.squares[U(2)]
    before_second = ONE if second > first else ZERO  # squares that are taken already
    before_third = (ONE if third > first else ZERO) + (ONE if third > second else ZERO)
    triangle, below = tables.geometry.triangle, tables.geometry.below
    if _above_diagonal(first):
        second -= before_second
        return (triangle[first] * U(63) + second) * U(62) + third - before_third
    rank = first >> U(3)
    if _above_diagonal(second):
        return _AFTER_FIRST + (rank * U(28) + below[second]) * U(62) + third - before_third
    second_rank = (second >> U(3)) - before_second
    if _above_diagonal(third):
        return _AFTER_SECOND + (rank * U(7) + second_rank) * U(28) + below[third]
    return _AFTER_THIRD + (rank * U(7) + second_rank) * U(6) + (third >> U(3)) - before_third


@jit
def _kings_index(tables: Tables, probe: Probe) -> np.uint64:
    """The number of two kings, the first in the triangle a1-d1-d4."""
    first = tables.geometry.triangle[probe.squares[U(0)]]
    return tables.geometry.kings[first, probe.squares[U(1)]]


@jit
def _pawns_index(tables: Tables, table: Table, probe: Probe) -> np.uint64:
    """The number of the leading pawns, of which the first stands on the files a to d."""
    squares = probe.squares
    geometry = tables.geometry
    others = table.leading - ONE
    index = geometry.leading_pawn[others, squares[ZERO]]
    for number in range(U(1), table.leading):  # the others, highest number first
        for later in range(U(number) + ONE, table.leading):
            one, other = squares[U(number)], squares[U(later)]
            if geometry.pawn[one] < geometry.pawn[other]:
                squares[U(number)], squares[U(later)] = other, one
        index += geometry.combinations[table.leading - U(number), geometry.pawn[squares[U(number)]]]
    return index


@jit
def _set_number(
    tables: Tables, probe: Probe, start: np.uint64, size: np.uint64, below: np.uint64
) -> np.uint64:
    """The number of a set of like pieces on the squares that the groups before have left.

    `below` is how many of the lowest squares are none of theirs.
    """
    squares = probe.squares
    total = ZERO
    end = start + size
    for number in range(start, end):
        for later in range(U(number) + ONE, end):  # the lowest square first
            one, other = squares[U(number)], squares[U(later)]
            if other < one:
                squares[U(number)], squares[U(later)] = other, one
        square = squares[U(number)]
        taken = below
        for earlier in range(start):
            taken += ONE if squares[U(earlier)] < square else ZERO
        total += tables.geometry.combinations[U(number) - start + ONE, square - taken]
    return total
