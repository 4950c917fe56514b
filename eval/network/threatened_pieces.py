"""Threatened pieces, the second input of the network: state = 2 * attacker kind + defended.

What a piece is worth on its square depends on whether it can be taken. A piece is *threatened* if something
cheaper attacks it, or if anything attacks it and nothing defends it. The state says by what, the least
valuable attacker of three kinds, and whether the piece is defended. Kings are left out, pins are ignored, and
so is whose move it is.

Giraffe (Lai 2015) told its network the least valuable attacker of each square; Stockfish has had inputs
for pairs of attacker and attacked piece since 2025. The threat counts of `eval.network.threat_counts`
are another part of the network: numbers of such pieces of a kind, wherever they stand, that go straight
to the output.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import BISHOP, KING, KNIGHT, ONE, QUEEN, ROOK, U
from boomslang.core.board.position import Position
from boomslang.core.jit.jit import jit
from boomslang.eval.network.shape import INPUTS

_INPUTS: Final = U(INPUTS)


@jit
def threatened_pieces(position: Position, attacks: Any) -> Any:
    """The threatened pieces of both colours, and what their states depend on: a tuple of four bitboards.

    First the threatened pieces; then pieces, threatened or not, that a pawn attacks; that a pawn or a minor
    piece attacks; and that are defended. `attacks` is the last part of the result of `count_threats`.
    """
    us = U(position.side)
    by_type = position.by_type
    kings = by_type[KING]
    own, enemy = position.by_colour[us] & ~kings, position.by_colour[us ^ ONE] & ~kings
    ours, theirs = attacks
    pawns = (own & theirs[0]) | (enemy & ours[0])
    minors = pawns | (own & (theirs[1] | theirs[2])) | (enemy & (ours[1] | ours[2]))
    rooks = minors | (own & theirs[3]) | (enemy & ours[3])
    every = (own & theirs[5]) | (enemy & ours[5])
    defended = (own & ours[5]) | (enemy & theirs[5])
    threatened = every & ~defended
    threatened |= (by_type[KNIGHT] | by_type[BISHOP]) & pawns
    threatened |= (by_type[ROOK] & minors) | (by_type[QUEEN] & rooks)
    return threatened, pawns, minors, defended


@jit
def first_input(pieces: Any, square: np.uint64) -> np.uint64:
    """The first input of the group that the threatened piece on `square` belongs to: its state * INPUTS.

    States are 2 * attacker, and 1 more if the piece is defended; attackers are 0 for a pawn, 1 for a minor
    piece, 2 for any other. `pieces` is the result of `threatened_pieces`.
    """
    _, pawns, minors, defended = pieces
    cheap = ((pawns >> square) & ONE) + ((minors >> square) & ONE)  # 2 for a pawn, 0 for any other
    return (U(2) * (U(2) - cheap) + ((defended >> square) & ONE)) * _INPUTS
