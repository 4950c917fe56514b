"""What a level's search finds in samples, and the weights with which the model takes it into account."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import ignore
from boomslang.engine.people.features import LAST, RIGHTS
from boomslang.engine.people.file import COMBINED
from boomslang.engine.people.model import (
    RAREST,
    chances_of,
    columns_of,
    completed,
    look,
    numbers_of,
    powers_of,
    soften,
)

_ROOKS: Final = (chess.H1, chess.A1, chess.H8, chess.A8)
_PROMOTED: Final = (chess.QUEEN, chess.KNIGHT, chess.ROOK, chess.BISHOP)  # as `generate` has them
_STEPS: Final = 50
_RIDGE: Final = 1e-3  # keeps the weights of rare numbers small

Doubles = npt.NDArray[np.float64]


class Searched(NamedTuple):
    """A sample that was searched."""

    scores: Doubles  # logarithms of the chances by the policy, for each move
    numbers: Doubles  # of a search, see `numbers_of`
    played: int
    rating: float
    worth: Doubles  # of each move: the expected result, 0 to 1


def board_of(
    words: npt.NDArray[np.uint16], inputs: int, moves: int
) -> tuple[chess.Board, list[chess.Move]]:
    """The position that words describe, with White to move, and its moves in their order."""
    board, last = chess.Board(None), [64] * 6
    for word in words[:inputs].tolist():
        if word < 768:
            piece, square = divmod(word, 64)
            board.set_piece_at(square, chess.Piece(piece % 6 + 1, piece < 6))
        elif LAST <= word < RIGHTS:
            last[(word - LAST) // 64] = (word - LAST) % 64
        elif word >= RIGHTS:
            board.castling_rights |= chess.BB_SQUARES[_ROOKS[word - RIGHTS]]
    if last[0] - last[1] == 16 and board.piece_type_at(last[1]) == chess.PAWN:
        board.ep_square = last[1] + 8
    found = list[chess.Move]()
    for word in words[inputs : inputs + moves].tolist():
        origin, target, piece = word & 63, word >> 6 & 63, word >> 12
        promotion = None
        if piece == 0 and target >= chess.A8:
            earlier = (
                move for move in found if (move.from_square, move.to_square) == (origin, target)
            )
            promotion = _PROMOTED[len(list(earlier))]
        own = board.piece_at(target)
        if own and own.color:  # castling
            target = chess.G1 if target > origin else chess.C1
        found.append(chess.Move(origin, target, promotion))
    return board, found


def search_samples(
    parameters: Any, words: Any, samples: Any, chosen: npt.NDArray[np.int64]
) -> Iterator[Searched]:
    """Search the positions of the chosen samples one by one."""
    searcher = Searcher()
    for number in chosen.tolist():
        sample = samples[number]
        (chances,) = chances_of(parameters, words, [sample])
        start, inputs, moves = int(sample.start), int(sample.inputs), int(sample.moves)
        board, legal = board_of(np.array(words[start : start + inputs + moves]), inputs, moves)
        with searcher.fresh_memory():
            values = completed(legal, look(partial(searcher.search, board, on_info=ignore)))
        scores = np.log(np.maximum(chances, RAREST))
        worth = np.array([value.chance for value in values])
        yield Searched(scores, numbers_of(values), int(sample.played), float(sample.rating), worth)


def no_search() -> Doubles:
    """Weights with which a search says nothing."""
    weights = np.zeros(COMBINED)
    weights[0, 0] = 1.0
    return weights


def fit(rows: list[Searched]) -> Doubles:
    """The weights, of shape COMBINED, for which the moves played are likeliest: Newton's method."""
    start = no_search().ravel()
    best = start.copy()
    for _ in range(_STEPS):
        slope = _RIDGE * len(rows) * (best - start)
        bend = _RIDGE * len(rows) * np.eye(best.size)
        for scores, numbers, played, rating, _ in rows:
            columns = columns_of(scores, numbers)
            powers = powers_of(rating)
            chances = soften(columns @ (best.reshape(COMBINED) @ powers))
            mean = chances @ columns
            slope += np.kron(mean - columns[played], powers)
            spread = (columns * chances[:, None]).T @ columns - np.outer(mean, mean)
            bend += np.kron(spread, np.outer(powers, powers))
        change = np.linalg.solve(bend, slope)
        best -= change
        if np.abs(change).max() < 1e-5:
            break
    return best.reshape(COMBINED)
