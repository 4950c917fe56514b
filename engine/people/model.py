"""P(move | position, last moves, rating, speed, time left): what people play, with or without a search.

The policy is the network. With the values that a search has found for the moves, its scores and those numbers
are added up with weights that depend on the rating (a softmax regression, fitted to games of people).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import NO_SQUARE
from boomslang.core.board.position import POSITION, new_record
from boomslang.core.jit.jit import load_kernels
from boomslang.engine.bridge import from_move, new_rules, set_castling, to_move, to_position
from boomslang.engine.limits import Info, Limits, Result, Score
from boomslang.engine.people import file
from boomslang.engine.people.features import LOOK, MAX_WORDS, TRAIT_WORDS, describe, mirror
from boomslang.engine.people.network import (
    MAX_LEGAL,
    RATINGS,
    WORKSPACE,
    PeopleWorkspace,
    score,
    speed_number,
    time_number,
)

Floats = npt.NDArray[np.float32]

LOOKS: Final = (Limits(depth=1, multipv=256), Limits(nodes=10_000, multipv=256))  # as levels search

# Lichess's curve: the expected result of people from a score.
_STEEPNESS: Final = 0.00368208
RAREST: Final = 1e-12  # chance
_UNSEEN, _FAR = (
    1.1,
    0.4,
)  # share for each expected result by which all other moves lose, which counts to 0.4
_NEAREST: Final = 0.002  # to 0 and 1, of an expected result
_ROUNDING: Final = (
    1 << 10
)  # scores are multiples of 1 / this, so that sums in another order hardly matter


class MoveValue(NamedTuple):
    """What a search knows of a move, from the view of its mover."""

    chance: float  # expected result, 0 to 1, by people's curve
    first: float  # the same by a first look at depth 1
    mate: int = 0  # moves to mate, negative: to be mated, 0: none is seen


def values_of(lines: Sequence[Info], first: Sequence[Info]) -> dict[chess.Move, MoveValue]:
    """The values of moves by a search with a line for each of them, and by one of depth 1."""
    looks = {line.pv[0]: _chance(line.score) for line in first if line.pv}
    found = {}
    for line in lines:
        if line.pv:
            move, chance = line.pv[0], _chance(line.score)
            found[move] = MoveValue(chance, looks.get(move, chance), line.score.mate or 0)
    return found


def look(find: Callable[[Limits], Result]) -> dict[chess.Move, MoveValue]:
    """The values of moves as levels search them."""
    first, found = (find(limits).lines for limits in LOOKS)
    return values_of(found, first)


def _chance(score: Score) -> float:
    if score.mate is not None:
        return float(score.mate > 0)
    return 1 / (1 + float(np.exp(-_STEEPNESS * (score.centipawns or 0))))


def numbers_of(values: Sequence[MoveValue]) -> npt.NDArray[np.float64]:
    """The numbers of moves that the combination weighs, [moves, numbers]."""
    table = np.array(values, dtype=np.float64).reshape(-1, 3)
    (lost, look), mate = (table[:, :2].max(0) - table[:, :2]).T, table[:, 2]
    near = np.clip(table[:, :2], _NEAREST, 1 - _NEAREST)
    odds = np.log(near / (1 - near))  # much of a score is left in it where all is won or lost
    odds = odds.max(0) - odds
    columns = [
        lost, np.sqrt(lost), lost <= 0, lost > 0.05, lost > 0.1, lost > 0.2,
        look, np.sqrt(look), look <= 0, look > 0.1,
        mate == 1, mate == 2, mate > 2, (mate < 0) & (mate >= -2),
        *odds.T, *np.sqrt(odds.T),
    ]  # fmt: skip
    return np.stack(columns, 1).astype(np.float64)


def powers_of(rating: float) -> npt.NDArray[np.float64]:
    """1, a rating brought within RATINGS and scaled, and its square."""
    low, high = RATINGS
    part = (min(max(rating, low), high) - 1600) / 500
    return np.array([1.0, part, part * part])


def chances_with(
    weights: npt.NDArray[np.float64],
    chances: npt.NDArray[np.float64],
    numbers: npt.NDArray[np.float64],
    rating: float,
) -> npt.NDArray[np.float64]:
    """Chances of moves, shape (moves,), from the policy's `chances`, of that shape, and a search's `numbers`.

    `numbers` are those of `numbers_of`, of shape (moves, 18), `weights` those of `combine`, of shape
    `file.COMBINED`; `rating` is the mover's. The more the best move stands out, the more people do as if
    there were no search: they have not seen it.
    """
    scores = np.log(np.maximum(chances, RAREST))
    unseen = (
        _UNSEEN * min(float(np.partition(numbers[:, 0], 1)[1]), _FAR) if len(chances) > 1 else 0
    )
    return (1 - unseen) * soften(combine(weights, scores, numbers, rating)) + unseen * chances


def combine(
    weights: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    numbers: npt.NDArray[np.float64],
    rating: float,
) -> npt.NDArray[np.float64]:
    """Scores of moves from those of the policy and from `numbers_of`; weights of shape `file.COMBINED`."""
    return np.asarray(columns_of(scores, numbers) @ (weights @ powers_of(rating)))


def columns_of(
    scores: npt.NDArray[np.float64], numbers: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """What is weighed of each move: the policy's scores and chances, and the numbers of a search."""
    return np.column_stack([scores, soften(scores), numbers])


def completed(
    moves: Sequence[chess.Move], values: Mapping[chess.Move, MoveValue]
) -> list[MoveValue]:
    """The values of all moves; one without is worth as much as the worst that has one."""
    known = [values[move] for move in moves if move in values]
    worst = MoveValue(min(one.chance for one in known), min(one.first for one in known))
    return [values.get(move, worst) for move in moves]


def soften(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The softmax, along the last axis."""
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True))


class PeopleModel:
    """Chances of moves of people; any thread may ask, and waits for the others."""

    def __init__(self, parameters: Floats, combination: npt.NDArray[np.float64]) -> None:
        """`parameters` as in `network`; `combination` has the weights of shape `file.COMBINED`."""
        load_kernels()
        self.parameters = parameters
        self.combination = combination
        self._lock = Lock()
        self._rules = new_rules()
        self._position = new_record(POSITION)
        self._look = new_record(LOOK)
        self._workspace = new_record(WORKSPACE)
        self._words = np.zeros(MAX_WORDS, np.uint16)
        self._scores = np.zeros(MAX_LEGAL, np.float32)

    def chances(
        self,
        board: chess.Board,
        rating: float,
        speed: str = "blitz",
        time_left: float | None = None,
        values: Mapping[chess.Move, MoveValue] | None = None,
    ) -> dict[chess.Move, float]:
        """The chance of each legal move at a rating of Lichess, the likeliest first; the sum is 1.

        `speed` is "bullet", "blitz", "rapid", "classical" or "" (not known), `time_left` is in seconds. The
        moves before come from the board's stack. `values` are those of a search, see `values_of`. Without a
        legal move it is empty. Ratings below 600 and above 2600 count as these. The board must be valid, see
        `engine.notation.validity`. Raises ValueError for another speed.
        """
        moves, table = self.chances_by_rating(board, [rating], speed, time_left, values)
        order = np.argsort(-table[0], kind="stable").tolist() if moves else []
        return {moves[number]: float(table[0, number]) for number in order}

    def chances_by_rating(
        self,
        board: chess.Board,
        ratings: Sequence[float],
        speed: str = "blitz",
        time_left: float | None = None,
        values: Mapping[chess.Move, MoveValue] | None = None,
    ) -> tuple[list[chess.Move], npt.NDArray[np.float64]]:
        """The legal moves, and their chances at several ratings, [ratings, moves]."""
        context = speed_number(speed), time_number(time_left)
        known = [min(max(rating, RATINGS[0]), RATINGS[1]) for rating in ratings]
        with self._lock:
            moves, table = self._look_at(board, [round(rating) for rating in known], *context)
        if moves and values and any(move in values for move in moves):
            numbers = numbers_of(completed(moves, values))
            for row, rating in zip(table, known, strict=True):
                row[:] = chances_with(self.combination, row, numbers, rating)
        return moves, table

    def _look_at(
        self, board: chess.Board, ratings: list[int], speed: int, time: int
    ) -> tuple[list[chess.Move], npt.NDArray[np.float64]]:
        """The legal moves, and their chances by the network, [ratings, moves]."""
        set_castling(self._rules, board)
        to_position(self._rules, board, self._position)
        _fill_last(self._look.last, board)
        inputs = int(describe(self._rules, self._position, self._look, self._words))
        count = int(self._look.moves.count)
        moves = [to_move(move, board) for move in self._look.moves.move[:count].tolist()]
        contexts = [(rating, speed, time) for rating in ratings]
        where = self._workspace, self._scores
        return moves, _score(self.parameters, self._words, inputs, count, contexts, *where)


def _score(
    parameters: Floats,
    words: Any,
    inputs: int,
    count: int,
    contexts: Sequence[tuple[int, int, int]],
    workspace: PeopleWorkspace,
    scores: Floats,
) -> npt.NDArray[np.float64]:
    """The chances of the moves of a position that `words` describe, which are changed, [contexts, moves]."""
    table = np.zeros((len(contexts), count))
    # Left and right are alike where nobody may castle: the mean of both views is better than one.
    for _ in range(2 if count else 0):
        for row, context in zip(table, contexts, strict=True):
            score(parameters, words, inputs, count, *context, workspace, scores)
            row += soften(np.round(scores[:count] * _ROUNDING) / _ROUNDING) / 2
        if not mirror(words, inputs, count):
            return table * 2
    return table


def chances_of(
    parameters: Floats, words: npt.NDArray[np.uint16], samples: Any
) -> Iterator[npt.NDArray[np.float64]]:
    """The chances of the moves of each sample (`gradient.SAMPLE`), by the network alone."""
    where = new_record(WORKSPACE), np.zeros(MAX_LEGAL, np.float32)
    for sample in samples:
        inputs, count = int(sample.inputs), int(sample.moves)
        here = np.array(words[sample.start :][: inputs + count * (1 + TRAIT_WORDS)])
        context = int(sample.rating), int(sample.speed), int(sample.time)
        yield _score(parameters, here, inputs, count, [context], *where)[0]


def _fill_last(last: Any, board: chess.Board) -> None:
    """The last moves of a board's stack, see `features`."""
    last[:] = NO_SQUARE
    last[-1] = 0
    earlier = board.copy(stack=3)
    for number in range(min(3, len(earlier.move_stack))):
        move = earlier.pop()
        if not move:
            return
        bits = from_move(move, earlier)
        last[2 * number : 2 * number + 2] = bits & 63, bits >> 6 & 63
        if not number:
            last[-1] = earlier.is_capture(move)


@cache
def shipped_model() -> PeopleModel:
    """The model that is shipped with the engine. Raises ValueError if the installation is broken."""
    return PeopleModel(*file.read(file.SHIPPED)[:2])
