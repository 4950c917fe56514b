"""The evaluation broken down by term, for the `eval` command.

Counts and steps come from the functions that the search uses; this module only formats them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import BLACK, EMPTY, WHITE, U
from boomslang.core.board.position import Position, Rules, position_t, rules_t
from boomslang.core.jit.jit import i64, jit, kernel, void
from boomslang.eval.classical.evaluate import (
    TEMPO,
    blend,
    danger_endgame,
    danger_middlegame,
    danger_to,
    extract,
    fade,
    realise,
    weigh,
)
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.score import MAX_PHASE, endgame_of, game_phase, middlegame_of
from boomslang.eval.classical.terms import NAMES, Evaluator, evaluator_t
from boomslang.eval.classical.weights import MATERIAL_ENDGAME, MATERIAL_MIDDLEGAME, TERMS

Halves: TypeAlias = tuple[int, int]  # middlegame and endgame, centipawns

_WHOLE_PHASE: Final = int(MAX_PHASE)
_VALUES: Final = tuple(zip(MATERIAL_MIDDLEGAME, MATERIAL_ENDGAME, strict=True))
_STEPS: Final = 11  # that `evaluate_in_steps` notes


@dataclass(frozen=True, slots=True)
class Row:
    """One term: its value for each side, the difference, and the difference at this phase.

    `white` and `black` are None for terms that are not counted by side, `total` is None for changes of the
    blended score. `total` and `score` are White's view, centipawns.
    """

    name: str
    white: Halves | None
    black: Halves | None
    total: Halves | None
    score: int


@dataclass(frozen=True, slots=True)
class Trace:
    """An evaluation in parts: the scores of the rows add up to `score`."""

    rows: tuple[Row, ...]
    places: dict[int, int]  # by square: the piece-square value of its piece, its owner's view
    phase: int  # 24 with all pieces on the board, 0 with only kings and pawns
    score: int  # the evaluation in the search, centipawns, White's view


@jit
def _note_danger(evaluator: Evaluator, us: np.uint64, steps: Any, first: np.uint64) -> None:
    """Write the penalty for the danger to a king, middlegame and endgame, into `steps`, in place."""
    total = danger_to(evaluator, us)
    steps[first] = danger_middlegame(total)
    steps[first + U(1)] = danger_endgame(total)


@kernel(void(rules_t, evaluator_t, position_t, i64[::1], i64[:, ::1]))
def evaluate_in_steps(
    rules: Rules, evaluator: Evaluator, position: Position, steps: Any, squares: Any
) -> None:
    """Evaluate a POSITION and record intermediate results, in place. The evaluator must be `tracing`.

    `steps`, in this order: penalty for the danger to the white king and to the black king; the weighted sum;
    the same after endgame scaling (a pair each); the score before and after fading, from the view of the
    side to move; the phase. `squares`, of shape (64, 2): the piece-square values, including material, White's
    view.
    """
    extract(rules, evaluator, position)
    _note_danger(evaluator, WHITE, steps, U(0))
    _note_danger(evaluator, BLACK, steps, U(2))
    middlegame, endgame = weigh(evaluator, position)
    steps[U(4)] = middlegame
    steps[U(5)] = endgame
    middlegame, endgame = realise(evaluator, position, middlegame, endgame)
    steps[U(6)] = middlegame
    steps[U(7)] = endgame
    score = blend(position, middlegame, endgame)
    steps[U(8)] = score
    steps[U(9)] = fade(position, score)
    steps[U(10)] = game_phase(position)
    for number in range(64):
        square = U(number)
        value = rules.psq[U(position.board[square]), square]
        squares[square, U(0)] = middlegame_of(value)
        squares[square, U(1)] = endgame_of(value)


def trace(rules: Rules, position: Position) -> Trace:
    """Break down the evaluation of a POSITION; kernels must be loaded (`core.jit.jit`)."""
    evaluator = new_evaluator()
    evaluator.tracing = 1
    noted = np.zeros(_STEPS, dtype=np.int64)
    squares = np.zeros((64, 2), dtype=np.int64)
    evaluate_in_steps(rules, evaluator, position, noted, squares)
    steps = noted.tolist()
    phase = steps[10]
    mover = -1 if U(position.side) == BLACK else 1
    tempo = mover * int(TEMPO)

    places = dict(_places(position, squares))
    rows = [
        *_piece_rows(position, places, phase),
        *_linear_rows(evaluator, phase),
        _row("king danger", (-steps[0], -steps[1]), (-steps[2], -steps[3]), phase),
        _whole("endgame knowledge", (steps[6] - steps[4], steps[7] - steps[5]), phase),
        _whole("to move", (tempo, tempo), phase),
        Row("fifty-move rule", None, None, None, mover * (steps[9] - steps[8])),
    ]
    score = mover * steps[9]
    rows.append(Row("rounding", None, None, None, score - sum(row.score for row in rows)))
    by_square = {square: _taper(halves, phase) for square, halves in places.items()}
    return Trace(tuple(rows), by_square, phase, score)


def _places(position: Position, squares: Any) -> Iterator[tuple[int, Halves]]:
    """The piece-square value of each piece without material, its owner's view."""
    for square, piece in enumerate(position.board.tolist()):
        if piece < EMPTY:
            sign = -1 if piece >= 6 else 1
            early, late = _VALUES[piece % 6]
            yield (
                square,
                (sign * int(squares[square, 0]) - early, sign * int(squares[square, 1]) - late),
            )


def _piece_rows(position: Position, places: dict[int, Halves], phase: int) -> Iterator[Row]:
    pieces = position.board.tolist()
    owned = [[square for square in places if pieces[square] // 6 == side] for side in (0, 1)]
    material = [_sum(_VALUES[pieces[square] % 6] for square in squares) for squares in owned]
    standing = [_sum(places[square] for square in squares) for squares in owned]
    yield _row("material", material[0], material[1], phase)
    yield _row("piece squares", standing[0], standing[1], phase)


def _linear_rows(evaluator: Evaluator, phase: int) -> Iterator[Row]:
    for name, offset, size in NAMES:
        early, late = (np.broadcast_to(np.asarray(half), size) for half in TERMS[name])
        counts = evaluator.count[:, offset : offset + size]
        white, black = ((int(count @ early), int(count @ late)) for count in counts)
        yield _row(name.replace("_", " "), white, black, phase)


def _row(name: str, white: Halves, black: Halves, phase: int) -> Row:
    total = (white[0] - black[0], white[1] - black[1])
    return Row(name, white, black, total, _taper(total, phase))


def _whole(name: str, total: Halves, phase: int) -> Row:
    return Row(name, None, None, total, _taper(total, phase))


def _taper(halves: Halves, phase: int) -> int:
    """Centipawns at this phase, rounded; only for display, since the search blends the sums."""
    return round((halves[0] * phase + halves[1] * (_WHOLE_PHASE - phase)) / _WHOLE_PHASE)


def _sum(halves: Iterable[Halves]) -> Halves:
    early, late = 0, 0
    for pair in halves:
        early, late = early + pair[0], late + pair[1]
    return early, late
