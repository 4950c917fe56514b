"""Random order: nothing is lost, every order comes equally often, the same seed gives the same."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.learning.data.shuffle import exchange, mix_up, state_of

SIZE = 60


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    load_kernels()


def rows(number: int, first: int = 0) -> np.ndarray:
    """Rows of three words that know each other."""
    numbers = np.arange(first, first + number, dtype=np.uint64)
    return np.stack([numbers, numbers * 3, numbers ^ 5], axis=1)


def test_every_order_is_as_likely() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(2400):
        few = rows(4)
        mix_up(few, state_of(seed))
        seen[tuple(few[:, 0].tolist())] += 1
    assert set(seen) == set(permutations(range(4)))
    assert min(seen.values()) > 60 and max(seen.values()) < 150  # 100 each, give or take 10


def test_rows_stay_together_and_none_is_lost() -> None:
    many, again = rows(SIZE), rows(SIZE)
    state = mix_up(many, state_of(1, 2))
    assert sorted(many.tolist()) == rows(SIZE).tolist() != many.tolist()
    assert mix_up(again, state_of(1, 2)) == state and (again == many).all()
    mix_up(again, state_of(1, 3))
    assert (again != many).any()


def test_what_goes_into_the_pool_comes_out_of_it_later() -> None:
    pool, state = rows(SIZE), state_of("pool")
    came = []
    for turn in range(1, 40):
        some = rows(10, first=SIZE + 10 * turn)
        before = pool[:, 0].copy()
        state = exchange(pool, some, state)
        came += some.tolist()
        assert set(some[:, 0].tolist()) <= set(before.tolist()) | set(
            range(SIZE + 10 * turn, SIZE + 10 * turn + 10)
        )
    both = sorted([*came, *pool.tolist()])
    assert both == sorted([*rows(SIZE).tolist(), *rows(390, first=SIZE + 10).tolist()])


def test_small_pools() -> None:
    empty, one = rows(0), rows(1)
    mix_up(empty, state_of(0))
    mix_up(one, state_of(0))
    some = rows(3, first=1)
    exchange(one, some, state_of(0))
    assert [*some[:, 0], *one[:, 0]] == [0, 1, 2, 3]
