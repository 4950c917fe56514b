"""The inputs of the network that a position sets."""

from __future__ import annotations

import numpy as np

from boomslang.core.board.constants import KING, ONE, PAWN, U
from boomslang.core.board.position import Position
from boomslang.core.jit.instructions import lsb, popcount
from boomslang.core.jit.jit import jit
from boomslang.eval.network.shape import BUCKETS

_LAST_BUCKET = U(BUCKETS - 1)
_UPSIDE_DOWN = U(56)
_LEFT_TO_RIGHT = U(7)
_RIGHT_HALF = U(4)  # this bit of a square is set on the files e to h


@jit
def view_of(position: Position, side: np.uint64) -> np.uint64:
    """`view_from` where the king of `side` stands."""
    return view_from(side, lsb(position.by_type[KING] & position.by_colour[side]))


@jit
def view_from(side: np.uint64, king: np.uint64) -> np.uint64:
    """The mask to XOR a square with for the view of `side`: own back rank below, own king on e to h."""
    turned = side * _UPSIDE_DOWN
    return turned if king & _RIGHT_HALF else turned ^ _LEFT_TO_RIGHT


@jit
def changes_view(position: Position, side: np.uint64) -> bool:
    """True if the last move took the king of `side` from one half of the board to the other."""
    moved = position.moved
    if U(moved[U(0)]) == U(0) or U(moved[U(1)]) != side * U(6) + KING:
        return False
    return bool((U(moved[U(2)]) ^ U(moved[U(3)])) & _RIGHT_HALF)


@jit
def input_of(side: np.uint64, view: np.uint64, piece: np.uint64, square: np.uint64) -> np.uint64:
    """The input, 0..767, that `piece` (colour * 6 + type) on `square` sets for `side`."""
    seen = piece
    if side:
        seen = piece - U(6) if piece >= U(6) else piece + U(6)
    return seen * U(64) + (square ^ view)


@jit
def bucket_of(position: Position) -> np.uint64:
    """`bucket_for` the pieces of a position."""
    return bucket_for(popcount(position.by_colour[U(0)] | position.by_colour[U(1)]))


@jit
def bucket_for(pieces: np.uint64) -> np.uint64:
    """Stage of the game, 0..7, by the number of pieces: 0 for 2 to 4, 1 for 5 to 8 and so on.

    Composed positions may have more than 32 pieces.
    """
    return min((pieces - ONE) >> U(2), _LAST_BUCKET)


@jit
def is_known_ending(position: Position) -> bool:
    """True for endings that the network does not evaluate: without pawns, and king and pawn against king.

    There the classical evaluation knows how to mate, or that the game is drawn.
    """
    pieces = popcount(position.by_colour[U(0)] | position.by_colour[U(1)])
    return bool(position.by_type[PAWN] == U(0) or pieces <= U(3))
