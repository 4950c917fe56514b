"""Positions to learn from, and the network as slow and simple code: the oracle of its trainer."""

from __future__ import annotations

import random
from functools import cache

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import NO_SQUARE
from boomslang.core.board.position import new_record
from boomslang.core.board.tables import new_rules
from boomslang.engine.learning.data.dataset import Dataset, PositionMemory
from boomslang.engine.learning.data.records import RECORD
from boomslang.engine.learning.training import gradient
from boomslang.engine.learning.training.parameters import initial, parts_of
from boomslang.engine.optimiser import Floats
from boomslang.eval.network.shape import HIDDEN, INPUTS
from tests.support.threat_oracle import threatened_of, threats_of

WORTH = (0, 100, 310, 330, 500, 950, 0)


def random_boards(number: int, seed: int = 1) -> list[chess.Board]:
    """Positions of random games, of all stages: eight of each game, which stand apart."""
    source = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < number:
        board, plies = chess.Board(), source.sample(range(4, 300), 8)
        for ply in range(1, max(plies) + 1):
            moves = list(board.legal_moves)
            if not moves:
                break
            captures = [move for move in moves if board.is_capture(move)]
            board.push(source.choice(captures if captures and source.random() < 0.3 else moves))
            if ply in plies:
                boards.append(board.copy(stack=False))
    source.shuffle(boards)
    return boards[:number]


def score_of(board: chess.Board) -> int:
    """Centipawns, White's view: the material, and pawns that have come far."""
    score = 0
    for square, piece in board.piece_map().items():
        sign = 1 if piece.color else -1
        rank = chess.square_rank(square) if piece.color else 7 - chess.square_rank(square)
        score += sign * (WORTH[piece.piece_type] + (8 * rank if piece.piece_type == 1 else 0))
    return score


def records_of(boards: list[chess.Board], seed: int = 1) -> npt.NDArray[np.void]:
    """RECORDs of positions; every four are a game, with a result by lot."""
    source = random.Random(seed)
    records = np.zeros(len(boards), dtype=RECORD)
    for number, board in enumerate(boards):
        record = records[number]
        record["occupied"] = board.occupied
        for place, (_, piece) in enumerate(sorted(board.piece_map().items())):
            value = piece.piece_type - 1 + (0 if piece.color else 6)
            record["pieces"][place // 2] |= value << (4 * (place % 2))
        record["side"] = 0 if board.turn else 1
        record["ep"] = board.ep_square if board.has_legal_en_passant() else int(NO_SQUARE)
        record["score"] = score_of(board)
        record["result"] = source.randrange(3)
        record["game"] = number // 4
    return records


def data_of(records: npt.NDArray[np.void], aside: int) -> Dataset:
    """Data of which the last `aside` records are kept aside."""
    end = len(records) - aside
    return Dataset(PositionMemory(records[:end]), 1, end, records[end:], [])


def inputs_of(board: chess.Board, side: chess.Color) -> tuple[list[int], list[int]]:
    """What the network sees with the eyes of `side`, from the words of its specification.

    The inputs of all pieces, and the second ones of threatened pieces.
    """
    king = board.king(side)
    assert king is not None
    inputs, threatened, states = [], [], threatened_of(board)
    for square, piece in board.piece_map().items():
        seen = square if side else chess.square_mirror(square)
        if chess.square_file(king) < 4:
            seen ^= 7
        inputs.append(((piece.color != side) * 6 + piece.piece_type - 1) * 64 + seen)
        if square in states:
            threatened.append(states[square] * INPUTS + inputs[-1])
    return inputs, threatened


@cache
def _features(
    placed: str, turn: chess.Color
) -> tuple[int, list[tuple[list[int], list[int]]], npt.NDArray[np.int64]]:
    """Bucket, inputs with the eyes of the side to move and of the other, and threats of a position."""
    board = chess.Board(None)
    board.set_board_fen(placed)
    board.turn = turn
    bucket = (len(board.piece_map()) - 1) // 4
    return bucket, [inputs_of(board, turn), inputs_of(board, not turn)], np.array(threats_of(board))


def outputs_of(
    vector: npt.NDArray[np.float64], boards: list[chess.Board]
) -> npt.NDArray[np.float64]:
    """The network's outputs, for the side to move."""
    parts = parts_of(vector)  # type: ignore[arg-type]
    outputs = np.zeros(len(boards))
    for number, board in enumerate(boards):
        bucket, inputs, threats = _features(board.board_fen(), board.turn)
        own, other = (parts.bias + parts.input[seen].sum(0) for seen, _ in inputs)
        sums = [
            each[:HIDDEN] + parts.threatened[threatened].sum(0)
            for each, (_, threatened) in zip((own, other), inputs, strict=True)
        ]
        active = [np.clip(each, 0.0, 1.0) ** 2 for each in sums]
        outputs[number] = (
            parts.output_bias[bucket]
            + active[0] @ parts.output[bucket, 0]
            + active[1] @ parts.output[bucket, 1]
            + own[HIDDEN + bucket]
            - other[HIDDEN + bucket]
            + (threats * parts.threat[bucket]).sum()
        )
    return outputs


def vector_of_chance(seed: int) -> Floats:
    """Parameters of any sign and size everywhere, as learning may make them."""
    source = np.random.default_rng(seed)
    vector = initial(seed, 400.0)
    vector += source.normal(0.0, 0.05, vector.size).astype(np.float32)
    return vector


def predict(vector: Floats, records: npt.NDArray[np.void]) -> Floats:
    """What the trainer's kernel says of RECORDs; kernels must be loaded."""
    outputs = np.zeros(len(records), dtype=np.float32)
    plain = records.view(np.recarray)
    gradient.predict(
        plain, 0, len(records), vector, new_rules(), new_record(gradient.WORKSPACE), outputs
    )
    return outputs
