"""The features of a position, which the classical evaluation multiplies by its weights.

A position becomes a sparse row of (feature, count) from White's view: first the pieces on their squares,
six types of 32 squares (own first rank first, the right half of the board mirrored onto the left), then
the linear terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import BLACK, ONE, WHITE, ZERO, I, U
from boomslang.core.board.position import POSITION, Position, Rules, new_record, position_t, rules_t
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import i64, jit, kernel, record_type, types, u64
from boomslang.engine.learning.data.records import DataRecords, record_t, unpack
from boomslang.eval.classical.endgame import FULL_SCALE, mop_up, scale
from boomslang.eval.classical.evaluate import TEMPO, extract
from boomslang.eval.classical.new_evaluator import new_evaluator
from boomslang.eval.classical.score import MAX_PHASE, endgame_of, game_phase
from boomslang.eval.classical.terms import COUNT, DANGER_COUNT, Evaluator, evaluator_t

PIECE_SQUARES: Final = 6 * 32
FEATURES: Final = PIECE_SQUARES + COUNT

_FIRST_TERM: Final = U(PIECE_SQUARES)
_MAX_FEATURES: Final = 32 + COUNT  # features of one position
_CHUNK: Final = 1 << 14  # positions
_FADING: Final = I(256)  # see `evaluate`: halfmoves take away from every score

# One position; its features are the `count` ones from `start` on.
ROW: Final = np.dtype(
    [
        ("start", "i8"),
        ("count", "i8"),
        ("early", "f8"),  # factor of the middlegame score
        ("late", "f8"),  # factor of the endgame score
        ("offset", "f8"),  # centipawns independent of the weights, White's view
        ("label", "f8"),  # target win probability of White
    ],
    align=True,
)
rows_t: Any = types.Array(record_type(ROW), 1, "C")
records_t: Any = types.Array(record_t, 1, "C")
names_t: Any = types.uint16[::1]
counts_t: Any = types.int8[::1]
dangers_t: Any = types.int8[:, :, ::1]


@dataclass(frozen=True, slots=True)
class Features:
    """The rows of many positions."""

    rows: npt.NDArray[np.void]  # dtype ROW
    names: npt.NDArray[np.uint16]  # feature numbers of all rows, one after the other
    counts: npt.NDArray[np.int8]
    dangers: npt.NDArray[np.int8]  # by position, colour of the king, and source of danger


@jit
def square_feature(piece: np.uint64, square: np.uint64) -> np.uint64:
    """Feature number of a piece on a square; mirror images of White and Black share one."""
    own = square ^ U(56) if piece >= U(6) else square
    file = own & U(7)
    return (piece % U(6)) * U(32) + (own >> U(3)) * U(4) + min(file, U(7) - file)


@jit
def _count_pieces(
    position: Position, sums: Any, names: Any, counts: Any, place: np.uint64
) -> np.uint64:
    """Write the pieces' features from index `place` on; returns the index behind them.

    `sums` is i8[::1] of zeros, one for each feature of a piece; it is zeroed again at the end.
    """
    everything = position.by_colour[ZERO] | position.by_colour[ONE]
    left = everything
    while left:
        square = lsb(left)
        piece = U(position.board[square])
        sums[square_feature(piece, square)] += I(-1) if piece >= U(6) else I(1)
        left &= left - ONE
    left = everything
    while left:
        square = lsb(left)
        feature = square_feature(U(position.board[square]), square)
        if sums[feature] != 0:
            names[place] = feature
            counts[place] = sums[feature]
            sums[feature] = 0
            place += ONE
        left &= left - ONE
    return place


@jit
def _count_terms(evaluator: Evaluator, names: Any, counts: Any, place: np.uint64) -> np.uint64:
    """Write the linear terms from index `place` on; returns the index behind them."""
    for term in range(COUNT):
        more = evaluator.count[WHITE, U(term)] - evaluator.count[BLACK, U(term)]
        if more != 0:
            names[place] = _FIRST_TERM + U(term)
            counts[place] = more
            place += ONE
    return place


@jit
def _weigh_row(rules: Rules, evaluator: Evaluator, position: Position, row: Any) -> None:
    """Set the factors of middlegame and endgame, in place; the present weights determine the leading side."""
    endgame = endgame_of(position.psq + evaluator.score[WHITE] - evaluator.score[BLACK])
    strong = WHITE if endgame > 0 else BLACK
    won = mop_up(position)
    part = scale(evaluator, position, strong) if won == I(0) else I(0)
    phase = game_phase(position)
    fading = (_FADING - min(I(position.halfmoves), I(100))) / _FADING
    row.early = fading * phase / MAX_PHASE if part > 0 else 0.0
    row.late = fading * (MAX_PHASE - phase) / MAX_PHASE * part / FULL_SCALE
    tempo = -TEMPO if U(position.side) == BLACK else TEMPO
    row.offset = fading * (tempo + won)


@kernel(
    u64(rules_t, evaluator_t, position_t, records_t, i64[::1], rows_t, names_t, counts_t, dangers_t)
)
def extract_rows(
    rules: Rules,
    evaluator: Evaluator,
    position: Position,
    records: DataRecords,
    sums: Any,
    rows: Any,
    names: Any,
    counts: Any,
    dangers: Any,
) -> np.uint64:
    """Fill `rows` with their `names`, `counts` and `dangers` from RECORDs, in place.

    Returns the number of features. `position` and `sums` are workspaces. Labels are not changed.
    """
    place = ZERO
    for index in range(records.size):
        number = U(index)
        unpack(rules, records[number], position)
        extract(rules, evaluator, position)
        row = rows[number]
        row.start = I(place)
        place = _count_pieces(position, sums, names, counts, place)
        place = _count_terms(evaluator, names, counts, place)
        row.count = I(place) - row.start
        _weigh_row(rules, evaluator, position, row)
        for source in range(DANGER_COUNT):
            dangers[number, WHITE, U(source)] = evaluator.danger[WHITE, U(source)]
            dangers[number, BLACK, U(source)] = evaluator.danger[BLACK, U(source)]
    return place


def extract_features(
    rules: Rules,
    records: npt.NDArray[np.void],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Features:
    """The features of all RECORDs; `rules` must have PIECE_SQUARE. `progress(done, total)` is called."""
    position = new_record(POSITION)
    evaluator = new_evaluator()
    evaluator.tracing = 1
    sums = np.zeros(PIECE_SQUARES, dtype=np.int64)
    rows = np.zeros(len(records), dtype=ROW)
    dangers = np.zeros((len(records), 2, DANGER_COUNT), dtype=np.int8)
    names: list[npt.NDArray[np.uint16]] = []
    counts: list[npt.NDArray[np.int8]] = []
    buffers = (
        np.empty(_CHUNK * _MAX_FEATURES, np.uint16),
        np.empty(_CHUNK * _MAX_FEATURES, np.int8),
    )
    before = 0
    for first in range(0, len(records), _CHUNK):
        part = slice(first, first + _CHUNK)
        some = np.ascontiguousarray(records[part]).view(np.recarray)
        found = int(
            extract_rows(
                rules,
                evaluator,
                position,
                some,
                sums,
                rows[part].view(np.recarray),
                *buffers,
                dangers[part],
            )
        )
        rows["start"][part] += before
        before += found
        names.append(buffers[0][:found].copy())
        counts.append(buffers[1][:found].copy())
        progress(min(first + _CHUNK, len(records)), len(records))
    return Features(rows, np.concatenate(names), np.concatenate(counts), dangers)
