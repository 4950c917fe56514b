"""Transposition table: what was found out about positions met before.

A bucket is one cache line of four entries; an entry is two words, the data and the full key
exclusive-or the data. Two threads may write at once: a torn entry no longer fits its key and is not
found (Hyatt and Mann, "A lock-less transposition table implementation", 2002).

Data, low to high: move 16 bits, score 16, static evaluation 16, depth 8, bound 2, generation 6.
"""

from __future__ import annotations

import threading
from typing import Any, Final, TypeAlias

import numpy as np

from boomslang.core.board.constants import DECISIVE, MATE, MATE_IN_MAX, ONE, TABLE_WIN, ZERO, I, U
from boomslang.core.board.draws import FIFTY_MOVES
from boomslang.core.jit.instructions import prefetch
from boomslang.core.jit.jit import i64, jit, kernel, u64
from boomslang.core.jit.memory import new_memory
from boomslang.core.system.threads import usable_processors

BYTES_PER_BUCKET: Final = 64

BOUND_NONE: Final = U(0)
BOUND_UPPER: Final = U(1)  # fail low: the score is at most this
BOUND_LOWER: Final = U(2)  # fail high: the score is at least this
BOUND_EXACT: Final = U(3)

TranspositionTable: TypeAlias = Any  # uint64, see `new_table`

_LARGE: Final = 64 << 20  # bytes from which on threads are worth it
_MOVE_MASK = U(0xFFFF)
_SIGN = I(0x8000)
_LOW16 = I(0xFFFF)
_GENERATIONS = U(64)


def new_table(megabytes: int) -> np.ndarray:
    """An empty table: uint64, eight words a bucket, aligned to cache lines. Raises MemoryError."""
    buckets = max(1, megabytes * 1024 * 1024 // BYTES_PER_BUCKET)
    return new_memory(buckets * BYTES_PER_BUCKET).view(np.uint64)


def clear(table: np.ndarray) -> None:
    """Empty the table, in place, with all processors: memory that was never touched comes slowly."""
    if table.nbytes < _LARGE:
        table.fill(0)
        return
    parts = np.array_split(table, usable_processors())
    fills = [threading.Thread(target=part.fill, args=(0,)) for part in parts]
    for fill in fills:
        fill.start()
    for fill in fills:
        fill.join()


@jit
def bucket_of(table: TranspositionTable, key: np.uint64) -> np.uint64:
    """Index of the first word of the bucket for `key`; the high key bits choose it."""
    buckets = U(table.size) >> U(3)
    return (((key >> U(32)) * buckets) >> U(32)) << U(3)


@jit
def prefetch_bucket(table: TranspositionTable, key: np.uint64) -> None:
    """Ask the memory for the bucket of a position that is about to be searched."""
    prefetch(table, bucket_of(table, key))


@jit
def probe(table: TranspositionTable, key: np.uint64) -> np.uint64:
    """Data of the entry for `key`, or 0."""
    first = bucket_of(table, key)
    for slot in range(4):
        index = first + U(2 * slot)
        data = table[index + ONE]
        if table[index] ^ data == key:
            return data
    return ZERO


@jit
def store(
    table: TranspositionTable,
    key: np.uint64,
    generation: np.uint64,
    move: np.uint64,
    score: np.int64,
    evaluation: np.int64,
    depth: np.int64,
    bound: np.uint64,
) -> None:
    """Write an entry, over the same position's or else the least valuable of its bucket.

    An old or shallow entry is worth least. The move of an old entry survives when the new one has
    none, and a much deeper entry of this search survives an inexact shallow one.
    """
    first = bucket_of(table, key)
    victim = first
    worst = I(1 << 30)
    for slot in range(4):
        index = first + U(2 * slot)
        data = table[index + ONE]
        if table[index] ^ data == key:
            if move == ZERO:
                move = data & _MOVE_MASK
            same_age = generation_of(data) == generation
            if bound != BOUND_EXACT and same_age and depth + I(4) <= depth_of(data):
                return
            victim = index
            break
        age = (generation - generation_of(data)) & (_GENERATIONS - ONE)
        worth = depth_of(data) - I(8) * I(age)
        if worth < worst:
            worst = worth
            victim = index
    data = (
        move
        | (U(score & _LOW16) << U(16))
        | (U(evaluation & _LOW16) << U(32))
        | (U(depth & I(0xFF)) << U(48))
        | (bound << U(56))
        | (generation << U(58))
    )
    table[victim] = key ^ data
    table[victim + ONE] = data


@jit
def move_of(data: np.uint64) -> np.uint64:
    """Best or refuting move, or NO_MOVE."""
    return data & _MOVE_MASK


@jit
def _signed16(word: np.uint64) -> np.int64:
    """The low 16 bits as a signed number."""
    return ((I(word) & _LOW16) ^ _SIGN) - _SIGN


@jit
def score_of(data: np.uint64, ply: np.int64) -> np.int64:
    """Score as seen from `ply` plies below the root: decisive ones are stored relative to their position."""
    score = _signed16(data >> U(16))
    if score >= DECISIVE:
        return score - ply
    if score <= -DECISIVE:
        return score + ply
    return score


@jit
def score_to_store(score: np.int64, ply: np.int64) -> np.int64:
    """The inverse of `score_of`."""
    if score >= DECISIVE:
        return score + ply
    if score <= -DECISIVE:
        return score - ply
    return score


@jit
def evaluation_of(data: np.uint64) -> np.int64:
    """Static evaluation, centipawns from the side to move's view."""
    return _signed16(data >> U(32))


@jit
def depth_of(data: np.uint64) -> np.int64:
    """Remaining depth of the search that wrote the entry; 0 for quiescence."""
    return I((data >> U(48)) & U(0xFF))


@jit
def bound_of(data: np.uint64) -> np.uint64:
    """BOUND_NONE for an empty entry."""
    return (data >> U(56)) & U(3)


@jit
def bound_within(data: np.uint64, halfmoves: np.int64) -> np.uint64:
    """`bound_of`, but BOUND_NONE for a mate that may come too late after `halfmoves` reversible plies.

    Such mates are strung together from lines of the past and grow longer with each search; whether a capture
    or a pawn's move comes in between is not known, so a few that would be in time are lost too. Likewise for
    wins by the tablebases, which hold where the count of fifty moves has just begun: there, or at the
    distance that the score says.
    """
    score = abs(_signed16(data >> U(16)))
    distance = MATE - score
    if score > TABLE_WIN:
        if distance <= MATE - MATE_IN_MAX and distance + halfmoves > I(FIFTY_MOVES):
            return BOUND_NONE
    elif score >= DECISIVE and halfmoves > I(0):
        distance = TABLE_WIN - score
        if distance == I(0) or distance + halfmoves > I(FIFTY_MOVES):
            return BOUND_NONE
    return bound_of(data)


@jit
def is_cutoff(bound: np.uint64, score: np.int64, alpha: np.int64, beta: np.int64) -> bool:
    """True if a score with this bound (BOUND_NONE: no score) lies outside the window."""
    if score >= beta:
        return bool(bound & BOUND_LOWER)
    return bool(score <= alpha and bound & BOUND_UPPER)


@jit
def generation_of(data: np.uint64) -> np.uint64:
    """Number of the search that wrote the entry, modulo 64."""
    return data >> U(58)


@kernel(i64(u64[::1], u64))
def hashfull(table: TranspositionTable, generation: np.uint64) -> np.int64:
    """Share of the first 1000 entries that this search has written, per mille."""
    entries = min(I(1000), I(table.size) // I(2))
    written = I(0)
    for number in range(entries):
        data = table[U(2 * number + 1)]
        if data != ZERO and generation_of(data) == generation:
            written += I(1)
    return written * I(1000) // entries
