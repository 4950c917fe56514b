"""The network's evaluation broken down by part and by piece, for the `eval` command.

The parts come from the functions that the search uses; this module only formats them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boomslang.core.board.constants import BLACK, EMPTY, KING, ONE, ZERO, I, U
from boomslang.core.board.position import Position, Rules, new_record, position_t, rules_t
from boomslang.core.jit.jit import i64, jit, kernel, void
from boomslang.eval.network.accumulator import (
    ACCUMULATORS,
    Accumulators,
    accumulators_t,
    find_threatened,
)
from boomslang.eval.network.features import bucket_of, is_known_ending
from boomslang.eval.network.forward import evaluate_afresh, material, positional, threats
from boomslang.eval.network.shape import Network, network_t
from boomslang.eval.network.threat_counts import count_threats


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """One part of the evaluation; `score` in centipawns, White's view."""

    name: str
    score: int


@dataclass(frozen=True, slots=True)
class NetworkTrace:
    """An evaluation in parts: the scores of the rows add up to `score`."""

    rows: tuple[NetworkRow, ...]
    places: dict[int, int]  # by square: the value of its piece, its owner's view, centipawns
    stage: int  # stage of the game, 0 with hardly a piece left to 7 with nearly all
    decides: bool  # False: the classical evaluation is used for this ending
    score: int  # the evaluation in the search, centipawns, White's view


@jit
def _turn(position: Position, piece: np.uint64, square: np.uint64) -> None:
    """Take a piece off its square, or put it back, in place; keys and sums stay as they are."""
    bit = ONE << square
    colour = ONE if piece >= U(6) else ZERO
    position.by_colour[colour] ^= bit
    position.by_type[piece - colour * U(6)] ^= bit
    position.board[square] = EMPTY if U(position.board[square]) == piece else piece


@kernel(void(network_t, rules_t, accumulators_t, position_t, i64[::1], i64[::1]))
def dissect(
    network: Network,
    rules: Rules,
    accumulators: Accumulators,
    position: Position,
    parts: Any,
    worth: Any,
) -> None:
    """Record, in place, the parts of the network's evaluation of a POSITION, and the value of each piece.

    `parts`, in this order: material, positional and threats, centipawns for the side to move; the stage of
    the game; 1 if this is an ending that the network does not evaluate. `worth`, by square: the evaluation
    with its piece less that without it, centipawns from the view of the piece's owner; 0 for kings and empty
    squares. Some positions without a piece are illegal, but can be evaluated. Overwrites the accumulators at
    ply 0; the position is restored at the end.
    """
    whole = evaluate_afresh(network, rules, accumulators, position)
    parts[U(0)] = material(network, accumulators, position, ZERO)
    ours, theirs, attacks = count_threats(rules, position)
    count = find_threatened(network, accumulators, position, attacks)
    parts[U(1)] = positional(network, accumulators, position, ZERO, count)
    parts[U(2)] = threats(network, position, ours, theirs)
    parts[U(3)] = I(bucket_of(position))
    parts[U(4)] = I(1) if is_known_ending(position) else I(0)
    for number in range(64):
        square = U(number)
        piece = U(position.board[square])
        worth[square] = I(0)
        kind = piece - U(6) if piece >= U(6) else piece
        if piece == EMPTY or kind == KING:
            continue
        _turn(position, piece, square)
        difference = whole - evaluate_afresh(network, rules, accumulators, position)
        _turn(position, piece, square)
        own = (piece >= U(6)) == (U(position.side) == BLACK)
        worth[square] = difference if own else -difference


def trace(network: Network, rules: Rules, position: Position, score: int) -> NetworkTrace:
    """Break down the evaluation of a POSITION; kernels must be loaded (`core.jit.jit`).

    `score` is the evaluation in the search, centipawns for the side to move.
    """
    parts, worth = np.zeros(5, dtype=np.int64), np.zeros(64, dtype=np.int64)
    dissect(network, rules, new_record(ACCUMULATORS), position, parts, worth)
    of_material, of_places, of_threats, stage, is_known = parts.tolist()
    last = "endgame knowledge" if is_known else "fifty-move rule"
    mover = -1 if U(position.side) == BLACK else 1
    rows = (
        NetworkRow("material", mover * of_material),
        NetworkRow("positional", mover * of_places),
        NetworkRow("threats", mover * of_threats),
        NetworkRow(last, mover * (score - of_material - of_places - of_threats)),
    )
    values = worth.tolist()
    kings = int(KING), int(KING) + 6
    places = {
        square: values[square]
        for square, piece in enumerate(position.board.tolist())
        if piece < EMPTY and piece not in kings
    }
    return NetworkTrace(rows, places, stage, not is_known, mover * score)
