"""The active inputs of a position: rows of the first layer, and the stage of the game."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import KING, ONE, ZERO, U
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit
from boomslang.engine.learning.data.records import DataRecord
from boomslang.engine.learning.training.parameters import THREATENED
from boomslang.eval.network.features import input_of, view_from, view_of
from boomslang.eval.network.shape import HIDDEN, ROW
from boomslang.eval.network.threatened_pieces import first_input, threatened_pieces

INDICES: Final = 128  # room for the rows of all pieces and of threatened ones, from both views
OTHER_VIEW: Final = U(64)  # index of the other side's rows

_ROW: Final = U(ROW)
_THREATENED: Final = U(THREATENED)
_HIDDEN: Final = U(HIDDEN)


@jit
def find_rows(record: DataRecord, rows: Any) -> np.uint64:
    """Write the offsets of the pieces' rows in the vector, in place; returns the number of pieces.

    `rows` is uint64[INDICES]: first from the view of the side to move, from OTHER_VIEW on from the other's.
    """
    own = U(record.side)
    other = own ^ ONE
    own_view = view_from(own, _find(record, own * U(6) + KING))
    other_view = view_from(other, _find(record, other * U(6) + KING))
    occupied = U(record.occupied)
    number = ZERO
    while occupied:
        square, piece = lsb(occupied), _piece(record, number)
        rows[number] = input_of(own, own_view, piece, square) * _ROW
        rows[number + OTHER_VIEW] = input_of(other, other_view, piece, square) * _ROW
        number += ONE
        occupied &= occupied - ONE
    return number


@jit
def find_threatened(position: Position, attacks: Any, rows: Any, count: np.uint64) -> np.uint64:
    """Write the offsets of the threatened pieces' rows from index `count` on, in place; returns their number.

    `rows` is as in `find_rows`, `attacks` the last part of the result of `count_threats`.
    """
    own = U(position.side)
    other = own ^ ONE
    own_view, other_view = view_of(position, own), view_of(position, other)
    pieces = threatened_pieces(position, attacks)
    left = pieces[0]
    number = count
    while left:
        square = lsb(left)
        piece, first = U(position.board[square]), first_input(pieces, square)
        row = first + input_of(own, own_view, piece, square)
        rows[number] = _THREATENED + row * _HIDDEN
        row = first + input_of(other, other_view, piece, square)
        rows[number + OTHER_VIEW] = _THREATENED + row * _HIDDEN
        number += ONE
        left &= left - ONE
    return number - count


@jit
def _piece(record: DataRecord, number: np.uint64) -> np.uint64:
    """The piece (colour * 6 + type) on occupied square `number`, counted from 0."""
    return (U(record.pieces[number >> ONE]) >> (U(4) * (number & ONE))) & U(15)


@jit
def _find(record: DataRecord, wanted: np.uint64) -> np.uint64:
    """The square of a piece, which must be on the board."""
    occupied = U(record.occupied)
    number = ZERO
    while _piece(record, number) != wanted:
        number += ONE
        occupied &= occupied - ONE
    return lsb(occupied)
