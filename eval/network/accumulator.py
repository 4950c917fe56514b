"""Accumulators: the first layer's output for each position on the stack of a search.

An accumulator is the sum of the weights of all pieces. A move changes two to four of them, so it is
updated by these alone, and lazily, since many positions of a search are never evaluated. It is valid if
its key is that of the position at its ply, so nothing has to be reset.

The weights of threatened pieces are not among them: `find_threatened` finds these for each evaluation.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import NO_SQUARE, ONE, PLIES, ZERO, U
from boomslang.core.board.position import Position, Positions
from boomslang.core.jit.instructions import lsb, prefetch
from boomslang.core.jit.jit import jit, record_type
from boomslang.eval.network.features import changes_view, input_of, view_of
from boomslang.eval.network.shape import HIDDEN, ROW, Network
from boomslang.eval.network.threatened_pieces import first_input, threatened_pieces

_LINE: Final = 64  # bytes of a cache line

ACCUMULATORS: Final = np.dtype(
    [
        ("hidden", "i2", (HIDDEN,)),  # scratch: a sum with three or more threatened pieces
        ("threatened", "u8", (2, 64)),  # by view, inputs of the position's threatened pieces
        ("row", "i2", (PLIES, 2, ROW)),  # by ply and perspective
        ("key", "u8", (PLIES, 2)),  # key of the position that it was computed for
    ],
    align=True,
)
accumulators_t: Any = record_type(ACCUMULATORS)
Accumulators: TypeAlias = Any  # a record of ACCUMULATORS


@jit
def _add(row: Any, weights: Any) -> None:
    """Add the weights of one input to an accumulator, in place; int16[ROW] both."""
    for number in range(ROW):
        index = U(number)
        row[index] += weights[index]


@jit
def _move(row: Any, before: Any, arrived: Any, left: Any) -> None:
    """The accumulator after a piece went from one square to another; all int16[ROW]."""
    for number in range(ROW):
        index = U(number)
        row[index] = before[index] + arrived[index] - left[index]


@jit
def _capture(row: Any, before: Any, arrived: Any, left: Any, taken: Any) -> None:
    """The accumulator after a capture; all int16[ROW]."""
    for number in range(ROW):
        index = U(number)
        row[index] = before[index] + arrived[index] - left[index] - taken[index]


@jit
def refresh(
    network: Network,
    accumulators: Accumulators,
    position: Position,
    ply: np.uint64,
    side: np.uint64,
) -> None:
    """Compute the accumulator of one side from scratch, in place."""
    row = accumulators.row[ply, side]
    view = view_of(position, side)
    for number in range(ROW):
        row[U(number)] = network.bias[U(number)]
    occupied = position.by_colour[ZERO] | position.by_colour[ONE]
    while occupied:
        square = lsb(occupied)
        _add(row, network.input[input_of(side, view, U(position.board[square]), square)])
        occupied &= occupied - ONE
    accumulators.key[ply, side] = position.key


@jit
def _follow(
    network: Network,
    accumulators: Accumulators,
    position: Position,
    ply: np.uint64,
    side: np.uint64,
) -> None:
    """Update the accumulator at `ply` from the one a ply before, by the pieces moved between them."""
    view = view_of(position, side)
    arrived = arrived_too = left = left_too = ZERO
    arrivals = departures = ZERO
    for slot in range(position.moved[ZERO]):
        first = U(3) * U(slot) + ONE
        piece = U(position.moved[first])
        origin, target = U(position.moved[first + U(1)]), U(position.moved[first + U(2)])
        if origin != NO_SQUARE:
            left_too = left
            left = input_of(side, view, piece, origin)
            departures += ONE
        if target != NO_SQUARE:
            arrived_too = arrived
            arrived = input_of(side, view, piece, target)
            arrivals += ONE
    row, before = accumulators.row[ply, side], accumulators.row[ply - ONE, side]
    weights = network.input
    if arrivals == ZERO:  # a null move
        for number in range(ROW):
            row[U(number)] = before[U(number)]
    elif departures == ONE:
        _move(row, before, weights[arrived], weights[left])
    elif arrivals == ONE:
        _capture(row, before, weights[arrived], weights[left], weights[left_too])
    else:  # castling
        _move(row, before, weights[arrived], weights[left])
        _move(row, row, weights[arrived_too], weights[left_too])
    accumulators.key[ply, side] = position.key


@jit
def bring_up_to_date(
    network: Network,
    accumulators: Accumulators,
    positions: Positions,
    ply: np.uint64,
    side: np.uint64,
) -> None:
    """Make the accumulator of `side` at `ply` that of `positions[ply]`, in place.

    `positions` is a line of POSITION records, each a move or a null move after the one before.
    """
    known = ply
    while accumulators.key[known, side] != positions[known].key:
        if known == ZERO or changes_view(positions[known], side):
            refresh(network, accumulators, positions[known], known, side)
            break
        known -= ONE
    while known != ply:
        known += ONE
        _follow(network, accumulators, positions[known], known, side)


@jit
def add_two(hidden: Any, row: Any, first: Any, second: Any) -> None:
    """Write the first HIDDEN numbers of `row`, plus the int8 weights of two inputs, into `hidden`; int16."""
    for number in range(HIDDEN):
        index = U(number)
        hidden[index] = row[index] + first[index] + second[index]


@jit
def find_threatened(
    network: Network, accumulators: Accumulators, position: Position, attacks: Any
) -> np.uint64:
    """Write the inputs of the threatened pieces into `accumulators.threatened`; returns their number.

    `attacks` is the last part of the result of `count_threats`. The weights of the inputs are
    prefetched, all at once: there are too many for the first caches.
    """
    inputs, weights = accumulators.threatened, network.threatened
    white_view, black_view = view_of(position, ZERO), view_of(position, ONE)
    pieces = threatened_pieces(position, attacks)
    left = pieces[0]
    number = ZERO
    while left:
        square = lsb(left)
        piece, group = U(position.board[square]), first_input(pieces, square)
        white = group + input_of(ZERO, white_view, piece, square)
        black = group + input_of(ONE, black_view, piece, square)
        for line in range(0, HIDDEN, _LINE):
            prefetch(weights[white], U(line))
            prefetch(weights[black], U(line))
        inputs[ZERO, number] = white
        inputs[ONE, number] = black
        number += ONE
        left &= left - ONE
    return number
