"""The transposition table: what goes in comes out, and nothing else does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.core.board.constants import MATE, I, U
from boomslang.engine.search import transposition as tt

KEY = st.integers(1, 2**64 - 1)


def look_up(table: Any, key: int) -> Any:
    """The entry's data; compiled functions return Python integers, which need their type again."""
    return U(int(tt.probe(table, U(key))))


@given(
    KEY,
    st.integers(1, 65535),
    st.integers(-32000, 32000),
    st.integers(-32000, 32002),
    st.integers(0, 120),
    st.sampled_from([tt.BOUND_UPPER, tt.BOUND_LOWER, tt.BOUND_EXACT]),
    st.integers(0, 63),
)
def test_round_trip(
    key: int, move: int, score: int, evaluation: int, depth: int, bound: Any, generation: int
) -> None:
    table = tt.new_table(1)
    tt.store(table, U(key), U(generation), U(move), I(score), I(evaluation), I(depth), bound)
    data = look_up(table, key)
    assert tt.move_of(data) == move
    assert tt.score_of(data, I(0)) == score
    assert tt.evaluation_of(data) == evaluation
    assert tt.depth_of(data) == depth
    assert tt.bound_of(data) == bound
    assert tt.generation_of(data) == generation
    assert look_up(table, key ^ 1) == 0
    assert look_up(table, key ^ (1 << 40)) == 0


@given(st.integers(0, 120), st.integers(0, 120))
def test_mate_scores_are_relative_to_the_node(distance: int, ply: int) -> None:
    for score in (MATE - distance - ply, distance + ply - MATE):
        stored = tt.score_to_store(I(score), I(ply))
        data = U(int(stored) & 0xFFFF) << U(16)
        assert tt.score_of(data, I(ply)) == score


@given(st.integers(0, 256), st.integers(0, 100), st.sampled_from([1, -1]))
def test_a_mate_beyond_fifty_moves_says_nothing(distance: int, halfmoves: int, sign: int) -> None:
    table = tt.new_table(1)
    score = I(sign * (MATE - distance))
    tt.store(table, U(3), U(1), U(7), score, I(20), I(9), tt.BOUND_LOWER)
    in_time = distance + halfmoves <= 100
    bound = tt.bound_within(U(look_up(table, 3)), I(halfmoves))
    assert bound == (tt.BOUND_LOWER if in_time else tt.BOUND_NONE)


@given(st.integers(-31743, 31743), st.integers(0, 100))
def test_scores_that_are_no_mates_stay_bounds(score: int, halfmoves: int) -> None:
    table = tt.new_table(1)
    tt.store(table, U(3), U(1), U(7), I(score), I(20), I(9), tt.BOUND_UPPER)
    assert tt.bound_within(U(look_up(table, 3)), I(halfmoves)) == tt.BOUND_UPPER


def test_a_torn_entry_is_not_found() -> None:
    table = tt.new_table(1)
    tt.store(table, U(12345), U(1), U(7), I(50), I(20), I(9), tt.BOUND_EXACT)
    words = np.flatnonzero(table)
    table[words[-1]] ^= np.uint64(1 << 20)
    assert look_up(table, 12345) == 0


def test_a_full_bucket_loses_its_shallowest_entry() -> None:
    table = tt.new_table(1)
    keys = [U(number) for number in range(1, 6)]  # equal high halves: one bucket
    for depth, key in zip((9, 3, 8, 7, 6), keys, strict=True):
        tt.store(table, key, U(1), U(1), I(0), I(0), I(depth), tt.BOUND_LOWER)
    found = [bool(look_up(table, int(key))) for key in keys]
    assert found == [True, False, True, True, True]


def test_the_move_survives_a_store_without_one() -> None:
    table = tt.new_table(1)
    tt.store(table, U(99), U(1), U(77), I(5), I(0), I(4), tt.BOUND_LOWER)
    tt.store(table, U(99), U(1), U(0), I(-5), I(0), I(5), tt.BOUND_UPPER)
    assert tt.move_of(look_up(table, 99)) == 77


@pytest.mark.parametrize("megabytes", [1, 3, 16])
def test_size_and_alignment(megabytes: int) -> None:
    table = tt.new_table(megabytes)
    assert table.nbytes == megabytes << 20
    assert table.ctypes.data % 64 == 0


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("generation", [0, 5])
def test_what_this_search_has_written_is_counted(generation: int) -> None:
    table = tt.new_table(1)
    assert tt.hashfull(table, U(generation)) == 0
    # One is of another search, and the last lies behind the sample.
    for bucket, other in ((0, 0), (1, 0), (2, 0), (3, 1), (300, 0)):
        key = U((bucket << 32) // (table.size // 8) + 1 << 32 | 7)
        written = U((generation + other) % 64)
        tt.store(table, key, written, U(1), I(0), I(0), I(1), tt.BOUND_UPPER)
    assert tt.hashfull(table, U(generation)) == 3
