"""Iterative deepening over a search that is told what to find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boomslang.engine.bridge import new_search
from boomslang.engine.search import deepening
from boomslang.engine.search.params import BY_NAME
from boomslang.engine.search.state import FIRST_NODES, fields_of

pytestmark = pytest.mark.usefixtures("kernels")

FIRST, SECOND = 796, 405  # root moves
TABLE = np.zeros(8, dtype=np.uint64)


@pytest.fixture
def search() -> Any:
    record = new_search()
    record.root_move[:2] = FIRST, SECOND
    record.root_count = 2
    record.static[0] = 33
    return record


def find(search: Any, index: int, score: int) -> int:
    """What the root of the search notes when a move turns out to be the best."""
    search.root_best, search.root_score = index, score
    search.pv[0][0], search.pv_length[0] = search.root_move[index], 1
    return score


def test_a_better_move_that_is_broken_off_has_a_bound(
    search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def negamax(*arguments: Any) -> int:
        depth, beta = int(arguments[3]), int(arguments[5])
        if depth < 5:
            return find(search, 0, 10)
        find(search, 1, beta + 7)
        search.stop = 1
        return 0

    monkeypatch.setattr(deepening, "negamax", negamax)
    found = [lines[0] for lines in deepening.deepen(search, TABLE, 9, 1)]
    assert [line.bound for line in found] == [""] * 4 + ["lowerbound"]
    assert found[-1].moves == (SECOND,)
    assert found[-1].score == 10 + BY_NAME["aspiration_delta"].default + 7


@pytest.mark.parametrize("searched", [0, 1, 2])
def test_a_first_depth_without_end_is_broken_off(
    search: Any, monkeypatch: pytest.MonkeyPatch, searched: int
) -> None:
    """With none, one or two of its three lines found there is an answer all the same."""
    ranks: list[int] = []

    def negamax(*arguments: Any) -> int:
        ranks.append(int(search.root_first))
        if ranks[-1] < searched:
            return find(search, ranks[-1], 50)
        search.nodes, search.stop = FIRST_NODES, 1
        return 0

    search.root_count = 3
    monkeypatch.setattr(deepening, "negamax", negamax)
    (lines,) = deepening.deepen(search, TABLE, 9, 3)
    assert [line.moves[0] for line in lines] == [FIRST, SECOND][: max(searched, 1)]
    assert lines[0].score == (50 if searched else 33)
    assert ranks == list(range(searched + 1))


def test_an_early_stop_waits_for_the_first_depth(
    search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def negamax(*arguments: Any) -> int:
        search.nodes, search.stop = FIRST_NODES - 1, 1
        return find(search, 1, 50) if int(arguments[3]) == 1 else 0

    monkeypatch.setattr(deepening, "negamax", negamax)
    found = list(deepening.deepen(search, TABLE, 9, 2))
    assert [len(lines) for lines in found] == [2]  # the second line of depth 1 came after the stop


@pytest.mark.parametrize("first", [0, 2])
@pytest.mark.parametrize("best", [2, 3, 6])
@pytest.mark.parametrize("view", [lambda record: record, fields_of])
def test_the_best_move_precedes_unranked_moves(
    search: Any, first: int, best: int, view: Callable[[Any], Any]
) -> None:
    search.root_move[:8] = moves = list(range(100, 108))
    search.root_nodes[:8] = nodes = list(range(8))
    search.root_first, search.root_best = first, best
    deepening.bring_to_front(view(search))
    for column, before in ((search.root_move, moves), (search.root_nodes, nodes)):
        rest = before[first:best] + before[best + 1 :]
        assert column[:8].tolist() == [*before[:first], before[best], *rest]
