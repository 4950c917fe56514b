"""Networks for tests: any numbers, as long as none overflows."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np

from boomslang.core.board.position import new_record
from boomslang.eval.network.shape import (
    BUCKETS,
    HIDDEN,
    INPUTS,
    NETWORK,
    ONE_INPUT,
    ONE_MATERIAL,
    ONE_SCORE,
    ONE_THREAT,
    SCALE,
)
from tests.support.threat_oracle import threatened_of, threats_of


def random_network(seed: int) -> Any:
    """A NETWORK record of chance numbers, about as large as those of one that has learnt."""
    source = np.random.default_rng(seed)
    network = new_record(NETWORK)
    network.input[:, :HIDDEN] = source.integers(-120, 121, (INPUTS, HIDDEN))
    network.input[:, HIDDEN : HIDDEN + BUCKETS] = source.integers(-800, 801, (INPUTS, BUCKETS))
    network.bias[:HIDDEN] = source.integers(-200, 300, HIDDEN)
    network.output[:] = source.integers(-127, 128, network.output.shape)
    network.output_bias[:] = source.integers(-36000, 36001, BUCKETS)
    network.threat[:] = source.integers(-3000, 3001, network.threat.shape)
    network.threatened[:] = source.integers(-127, 128, network.threatened.shape)
    network.scale = SCALE
    return network


def reference(network: Any, pieces: dict[int, int], side: int) -> int:
    """What the network says, in plain Python: `pieces` by square, as in POSITION.board."""
    rows = []
    board = _board(pieces, side)
    states = threatened_of(board)
    for view in (side, side ^ 1):
        (king,) = [square for square, piece in pieces.items() if piece == view * 6 + 5]
        flip = (56 if view else 0) ^ (7 if king % 8 < 4 else 0)
        row = network.bias.astype(np.int64)
        for square, piece in pieces.items():
            seen = (piece + 6 * view) % 12
            place = seen * 64 + (square ^ flip)
            row = row + network.input[place]
            if square in states:
                row[:HIDDEN] += network.threatened[states[square] * INPUTS + place]
        rows.append(row)
    bucket = min((len(pieces) - 1) // 4, BUCKETS - 1)
    total = 0
    for row, weights in zip(rows, network.output[bucket], strict=True):
        total += int((np.clip(row[:HIDDEN], 0, 255) ** 2 * weights.astype(np.int64)).sum())
    total = total // ONE_INPUT + int(network.output_bias[bucket])
    material = int(rows[0][HIDDEN + bucket] - rows[1][HIDDEN + bucket])
    scale = int(network.scale)
    whole = total * scale // ONE_SCORE + material * scale // ONE_MATERIAL
    counts = np.array(threats_of(board), dtype=np.int64)
    return whole + int((counts * network.threat[bucket]).sum()) * scale // ONE_THREAT


def _board(pieces: dict[int, int], side: int) -> chess.Board:
    board = chess.Board(None)
    board.turn = not side
    for square, piece in pieces.items():
        board.set_piece_at(square, chess.Piece(piece % 6 + 1, piece < 6))
    return board
