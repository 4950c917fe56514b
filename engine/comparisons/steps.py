"""The savings of each step from minimax to the engine: nodes searched to reach a depth.

The steps are cumulative: each includes all steps before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

import chess

from boomslang.engine.comparisons.algorithms import AlgorithmBench
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search import params

HASH_MB: Final = 64
_SPAN: Final = 4  # maximum number of plies over which the branching is measured

# Algorithms of `engine.comparisons.algorithms`, which search to one fixed depth.
PLAIN: Final = (
    ("minimax", "minimax"),
    ("alphabeta", "alpha-beta"),
    ("ordering", "+ move ordering"),
)
# Rules of the engine's search, turned on one after the other.
STEPS: Final = ("+ deepening, table, PVS", *params.STEPS)


@dataclass(frozen=True, slots=True)
class Step:
    """The nodes of one search, summed over all roots."""

    title: str
    nodes: tuple[int, ...]  # to depth 1, 2, ... as far as every root was searched

    @property
    def depth(self) -> int:
        """The largest depth that was searched."""
        return len(self.nodes)

    @property
    def branching(self) -> float:
        """Effective branching factor: the cost ratio of one more ply, over the last plies."""
        span = min(_SPAN, self.depth - 1)
        if span < 1:
            return float("nan")
        return float((self.nodes[-1] / max(self.nodes[-1 - span], 1)) ** (1 / span))

    def nodes_to(self, depth: int) -> float:
        """Nodes to a depth; beyond the largest searched depth extrapolated by the branching factor."""
        if depth <= self.depth:
            return self.nodes[depth - 1]
        return float(self.nodes[-1] * self.branching ** (depth - self.depth))


def steps(
    boards: Sequence[chess.Board], depth: int, budget: int, seen: Callable[[], None]
) -> Iterator[Step]:
    """Every step over all boards, to `depth` or until a board has taken about `budget` nodes.

    `seen` is called after each board of each step. Kernels must be loaded (`core.jit.jit`).
    """
    for algorithm, title in PLAIN:
        yield _sum(title, boards, seen, partial(_plain, algorithm, depth=depth, budget=budget))
    searcher = Searcher(HASH_MB)
    searcher.set_exact(True)
    for title in STEPS:
        rules = (param for param in params.TABLE if param.turned_on == title)
        searcher.set_parameters({param.name: param.default for param in rules})
        yield _sum(title, boards, seen, partial(_deepen, searcher, depth=depth, budget=budget))


def _sum(
    title: str,
    boards: Sequence[chess.Board],
    seen: Callable[[], None],
    search: Callable[[chess.Board], list[int]],
) -> Step:
    """The nodes of `search` to each depth that it reached on all boards."""
    node_counts = []
    for board in boards:
        node_counts.append(search(board))
        seen()
    return Step(title, tuple(sum(column) for column in zip(*node_counts, strict=False)))


def _plain(algorithm: str, board: chess.Board, depth: int, budget: int) -> list[int]:
    """Nodes to each depth, as long as the next one is expected to take at most `budget`."""
    bench = AlgorithmBench(board)
    nodes: list[int] = []
    while len(nodes) < depth:
        nodes.append(bench.run(algorithm, len(nodes) + 1).nodes)
        growth = nodes[-1] / nodes[-2] if len(nodes) > 1 else nodes[-1]
        if nodes[-1] * growth > budget:
            break
    return nodes


def _deepen(searcher: Searcher, board: chess.Board, depth: int, budget: int) -> list[int]:
    """Nodes to the end of each iteration of one search."""
    nodes: dict[int, int] = {}

    def record(info: Info) -> None:
        nodes.setdefault(info.depth, info.nodes)

    lines = searcher.analyse(board.copy(), Limits(depth=depth, nodes=budget), record)
    if lines and lines[0].nodes < budget:
        nodes.setdefault(depth, 0)  # the search had ended before, with a mate perhaps
    whole = {number: count for number, count in nodes.items() if count < budget}
    reached = [whole.get(number, 0) for number in range(1, max(whole, default=0) + 1)]
    return list(accumulate(reached, max))
