"""Iterative deepening: the order of the root moves from one iteration to the next."""

from __future__ import annotations

import pytest

from engine import bridge
from engine.search.deepening import bring_to_front

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.mark.parametrize("first", [0, 2])
@pytest.mark.parametrize("best", [2, 3, 6])
def test_the_best_move_comes_before_those_that_are_still_to_be_ranked(
    first: int, best: int
) -> None:
    search = bridge.new_search()
    search.root_move[:8] = moves = list(range(100, 108))
    search.root_nodes[:8] = nodes = list(range(8))
    search.root_first, search.root_best = first, best
    bring_to_front(search)
    for column, before in ((search.root_move, moves), (search.root_nodes, nodes)):
        rest = before[first:best] + before[best + 1 :]
        assert column[:8].tolist() == [*before[:first], before[best], *rest]
