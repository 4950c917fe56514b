"""The network of people's moves: its parameters, and the chance of each legal move.

The inputs of a position (`features`) and of the context (CONTEXT: rating, speed, time left) add up to HIDDEN
numbers h = relu(.). With the traits and the squares of a move UNITS numbers of its own are made:

    z = relu(mix h + trait rows + row of (piece, to) + rows of the context)
    score = h . line[from, to] + h . place[piece, to] + out . z + biases

and the softmax of the scores over the legal moves is the chance of each. The parameters are one float32
vector, whose parts follow each other in the order of PARTS.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types, void
from boomslang.engine.people.features import INPUTS, TRAIT_WORDS, TRAITS, words_t

HIDDEN: Final = 512
UNITS: Final = 32
MAX_LEGAL: Final = 220
PLACES: Final = 384  # piece type * 64 + square

# Speeds on Lichess, the last one not known; then games elsewhere, with other scales of ratings.
SPEEDS: Final = ("bullet", "blitz", "rapid", "classical", "", "chesscom", "fics", "otb")
UNKNOWN_SPEED: Final = SPEEDS.index("")
SPEED_BOUNDS: Final = (
    180,
    480,
    1500,
)  # seconds of base + 40 * increment from which the next one begins
TIMES: Final = (10, 30, 60, 180)  # seconds left: bounds of classes; behind them more, and not known
RATINGS: Final = (600, 2600)  # every rating is brought within
RATING_STEP: Final = 200
RATING_ROWS: Final = (RATINGS[1] - RATINGS[0]) // RATING_STEP + 1
TIME_ROW: Final = len(SPEEDS)
RATING_ROW: Final = TIME_ROW + len(TIMES) + 2
CONTEXT: Final = RATING_ROW + RATING_ROWS


def _squares_in_line() -> npt.NDArray[np.uint64]:
    """The number of each pair (from | to << 6) that a queen or a knight can go, 0 for others."""
    numbers = np.zeros(4096, dtype=np.uint64)
    count = 0
    for pair in range(4096):
        files, ranks = abs((pair & 7) - (pair >> 6 & 7)), abs((pair >> 3 & 7) - (pair >> 9))
        if pair & 63 != pair >> 6 and (files * ranks == 0 or files == ranks or files * ranks == 2):
            numbers[pair] = count
            count += 1
    return numbers


def speed_number(speed: str) -> int:
    """The number of a speed class; raises ValueError for one that there is none of."""
    if speed not in SPEEDS:
        raise ValueError(f"{speed!r} is no speed: {', '.join(filter(None, SPEEDS))}, or empty")
    return SPEEDS.index(speed)


def time_number(seconds: float | None) -> int:
    """The number of the class of the time left; None or NaN: not known."""
    if seconds is None or np.isnan(seconds):
        return len(TIMES) + 1
    return int(np.searchsorted(TIMES, seconds, side="right"))


_LINE_OF: Final = _squares_in_line()
LINES: Final = int(_LINE_OF.max()) + 1

PARTS: Final[dict[str, tuple[int, int]]] = {  # rows, columns
    "input": (INPUTS + CONTEXT, HIDDEN),
    "line": (LINES, HIDDEN),
    "place": (PLACES, HIDDEN),
    "mix": (UNITS, HIDDEN),
    "bias": (1, HIDDEN),
    "trait": (TRAITS, UNITS),
    "landing": (PLACES, UNITS),
    "context": (CONTEXT, UNITS),
    "out": (1, UNITS),
    "line_bias": (1, LINES),
    "place_bias": (1, PLACES),
}


def _starts() -> dict[str, int]:
    starts, place = {}, 0
    for name, (rows, columns) in PARTS.items():
        starts[name] = place
        place += -(-rows * columns // 16) * 16
    return starts | {"end": place}


STARTS: Final = _starts()
SIZE: Final = STARTS["end"]

WORKSPACE: Final = np.dtype(
    [
        ("hidden", "f4", (HIDDEN,)),  # before the rectifier
        ("active", "f4", (HIDDEN,)),
        ("slopes", "f4", (HIDDEN,)),
        ("mixed", "f4", (UNITS,)),
        ("unit_slopes", "f4", (UNITS,)),
        ("units", "f4", (MAX_LEGAL, UNITS)),
        ("scores", "f4", (MAX_LEGAL,)),
        ("rows", "u8", (4,)),  # of the context
        ("shares", "f4", (4,)),
    ],
    align=True,
)
workspace_t: Any = record_type(WORKSPACE)
floats_t: Any = types.float32[::1]
doubles_t: Any = types.float64[:, ::1]
PeopleWorkspace: TypeAlias = Any  # a record of WORKSPACE

F = np.float32
NONE: Final = F(0.0)
FULL: Final = F(1.0)
LINE_OF = _LINE_OF
H: Final = U(HIDDEN)
K: Final = U(UNITS)
INPUT: Final = U(STARTS["input"])
LINE: Final = U(STARTS["line"])
PLACE: Final = U(STARTS["place"])
MIX: Final = U(STARTS["mix"])
BIAS: Final = U(STARTS["bias"])
TRAIT: Final = U(STARTS["trait"])
LANDING: Final = U(STARTS["landing"])
CONTEXTS: Final = U(STARTS["context"])
OUT: Final = U(STARTS["out"])
LINE_BIAS: Final = U(STARTS["line_bias"])
PLACE_BIAS: Final = U(STARTS["place_bias"])
FIRST_CONTEXT: Final = U(INPUTS)
_LOWEST, _HIGHEST = I(RATINGS[0]), I(RATINGS[1])
_STEP: Final = I(RATING_STEP)
_KNOTS: Final = I(RATING_ROWS - 2)


@jit
def find_context(
    workspace: PeopleWorkspace, rating: np.int64, speed: np.uint64, time: np.uint64
) -> None:
    """Write rows and shares of the context, in place: two of the rating, then speed and time."""
    above = min(max(rating, _LOWEST), _HIGHEST) - _LOWEST
    knot = min(above // _STEP, _KNOTS)
    share = F(above - knot * _STEP) / F(_STEP)
    workspace.rows[ZERO] = U(RATING_ROW) + U(knot)
    workspace.rows[ONE] = U(RATING_ROW) + U(knot) + ONE
    workspace.shares[ZERO] = FULL - share
    workspace.shares[ONE] = share
    workspace.rows[U(2)] = speed
    workspace.rows[U(3)] = U(TIME_ROW) + time
    workspace.shares[U(2)] = FULL
    workspace.shares[U(3)] = FULL


@jit
def add_up(
    parameters: Any, words: Any, start: np.uint64, inputs: np.uint64, workspace: PeopleWorkspace
) -> None:
    """Fill `hidden` and `active`, in place; `find_context` comes before."""
    to = workspace.hidden
    for index in range(HIDDEN):
        to[U(index)] = parameters[BIAS + U(index)]
    for number in range(4):
        row = INPUT + (FIRST_CONTEXT + workspace.rows[U(number)]) * H
        share = workspace.shares[U(number)]
        for index in range(HIDDEN):
            to[U(index)] += share * parameters[row + U(index)]
    last = start + inputs
    place = start
    while place + U(4) <= last:
        # Four rows at once: the sum is read and written a quarter as often.
        a = INPUT + U(words[place]) * H
        b = INPUT + U(words[place + ONE]) * H
        c = INPUT + U(words[place + U(2)]) * H
        d = INPUT + U(words[place + U(3)]) * H
        for index in range(HIDDEN):
            i = U(index)
            more = (parameters[a + i] + parameters[b + i]) + (parameters[c + i] + parameters[d + i])
            to[i] += more
        place += U(4)
    while place < last:
        a = INPUT + U(words[place]) * H
        for index in range(HIDDEN):
            to[U(index)] += parameters[a + U(index)]
        place += ONE
    for index in range(HIDDEN):
        value = to[U(index)]
        workspace.active[U(index)] = value if value > NONE else NONE


@jit
def _mix(parameters: Any, workspace: PeopleWorkspace) -> None:
    """Fill `mixed`, what all moves' units have in common, in place."""
    for unit in range(UNITS):
        total = NONE
        row = MIX + U(unit) * H
        for index in range(HIDDEN):
            total += workspace.active[U(index)] * parameters[row + U(index)]
        for number in range(4):
            context = CONTEXTS + workspace.rows[U(number)] * K
            total += workspace.shares[U(number)] * parameters[context + U(unit)]
        workspace.mixed[U(unit)] = total


@jit
def traits_of(words: Any, first: np.uint64) -> np.uint64:
    """The traits that stand from index `first` of `words` on."""
    return (
        U(words[first])
        | U(words[first + ONE]) << U(16)
        | U(words[first + U(2)]) << U(32)
        | U(words[first + U(3)]) << U(48)
    )


@jit
def score_moves(
    parameters: Any, words: Any, begin: np.uint64, moves: np.uint64, workspace: PeopleWorkspace
) -> None:
    """Fill `scores` of the moves from index `begin` of `words` on, in place; `add_up` comes before."""
    _mix(parameters, workspace)
    active = workspace.active
    for number in range(moves):
        move = U(words[begin + U(number)])
        line = LINE_OF[move & U(4095)]
        landing = (move >> U(12)) * U(64) + (move >> U(6) & U(63))
        a, b = LINE + line * H, PLACE + landing * H
        total = parameters[LINE_BIAS + line] + parameters[PLACE_BIAS + landing]
        for index in range(HIDDEN):
            i = U(index)
            total += active[i] * (parameters[a + i] + parameters[b + i])
        units = workspace.units[U(number)]
        row = LANDING + landing * K
        for unit in range(UNITS):
            units[U(unit)] = workspace.mixed[U(unit)] + parameters[row + U(unit)]
        left = traits_of(words, begin + moves + U(number) * U(TRAIT_WORDS))
        while left:
            row = TRAIT + lsb(left) * K
            for unit in range(UNITS):
                units[U(unit)] += parameters[row + U(unit)]
            left &= left - ONE
        for unit in range(UNITS):
            value = units[U(unit)]
            value = value if value > NONE else NONE
            total += value * parameters[OUT + U(unit)]
        workspace.scores[U(number)] = total


@kernel(void(floats_t, words_t, i64, i64, i64, i64, i64, workspace_t, floats_t), relaxed=True)
def score(
    parameters: Any,
    words: Any,
    inputs: int,
    moves: int,
    rating: int,
    speed: int,
    time: int,
    workspace: PeopleWorkspace,
    scores: Any,
) -> None:
    """Write the score of each legal move of a position (`features.describe`) into `scores`, in place."""
    find_context(workspace, I(rating), U(speed), U(time))
    add_up(parameters, words, ZERO, U(inputs), workspace)
    score_moves(parameters, words, U(inputs), U(moves), workspace)
    for number in range(moves):
        scores[U(number)] = workspace.scores[U(number)]
