"""What each step from minimax to the engine saves: positions looked at to reach a depth.

The steps are cumulative: each has all that stands before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

import chess

from boomslang.engine.comparisons.algorithms import AlgorithmBench
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search import params
from boomslang.engine.searcher import Searcher

HASH_MB: Final = 64
_SPAN: Final = 4  # plies over which the branching is measured, where there are so many

# Algorithms of `engine.comparisons.algorithms`, which search to one depth alone.
PLAIN: Final = (
    ("minimax", "minimax"),
    ("alphabeta", "alpha-beta"),
    ("ordering", "+ move ordering"),
)
# Rules of the search that plays, turned on one after the other.
RULES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("+ deepening, table, PVS", ()),
    ("+ quiescence search", ("quiescence", "table_rule50_limit", "correction_weight")),
    ("+ aspiration windows", ("aspiration_depth",)),
    ("+ null move", ("null_move_depth",)),
    ("+ late move reductions", ("reduction_depth",)),
    (
        "+ pruning of late moves",
        (
            "late_move_depth",
            "futility_depth",
            "capture_futility_depth",
            "history_prune_depth",
            "see_prune_depth",
        ),
    ),
    ("+ reverse futility", ("reverse_futility_depth",)),
    ("+ IIR, ProbCut", ("iir_depth", "probcut_depth")),
    ("+ extensions", ("singular_depth", "one_reply_extension")),
)


@dataclass(frozen=True, slots=True)
class Step:
    """Positions that one search looks at, of all its roots together."""

    title: str
    nodes: tuple[int, ...]  # to depth 1, 2, ... as far as every root came

    @property
    def depth(self) -> int:
        """The deepest that was searched."""
        return len(self.nodes)

    @property
    def branching(self) -> float:
        """Effective branching factor: how many times as much one ply more costs, at the end."""
        span = min(_SPAN, self.depth - 1)
        if span < 1:
            return float("nan")
        return float((self.nodes[-1] / max(self.nodes[-1 - span], 1)) ** (1 / span))

    def nodes_to(self, depth: int) -> float:
        """To that depth; beyond the deepest that was searched, by the branching."""
        if depth <= self.depth:
            return self.nodes[depth - 1]
        return float(self.nodes[-1] * self.branching ** (depth - self.depth))


def steps(
    boards: Sequence[chess.Board], depth: int, budget: int, seen: Callable[[], None]
) -> Iterator[Step]:
    """Every step over all boards, to `depth` or until a board has cost about `budget` positions.

    `seen` is called after each board of each step. Kernels must be loaded (`engine.core.system.jit`).
    """
    for algorithm, title in PLAIN:
        yield _sum(title, boards, seen, partial(_plain, algorithm, depth=depth, budget=budget))
    player = Searcher(HASH_MB)
    player.set_option("Exact", True)
    for title, names in RULES:
        player.set_parameters({name: params.BY_NAME[name].default for name in names})
        yield _sum(title, boards, seen, partial(_deepen, player, depth=depth, budget=budget))


def _sum(
    title: str,
    boards: Sequence[chess.Board],
    seen: Callable[[], None],
    search: Callable[[chess.Board], list[int]],
) -> Step:
    """What `search` looked at, to each depth that it reached with all boards."""
    found = []
    for board in boards:
        found.append(search(board))
        seen()
    return Step(title, tuple(sum(column) for column in zip(*found, strict=False)))


def _plain(algorithm: str, board: chess.Board, depth: int, budget: int) -> list[int]:
    """Positions to each depth, as long as the next one will hardly cost more than `budget`."""
    bench = AlgorithmBench(board)
    nodes: list[int] = []
    while len(nodes) < depth:
        nodes.append(bench.run(algorithm, len(nodes) + 1).nodes)
        growth = nodes[-1] / nodes[-2] if len(nodes) > 1 else nodes[-1]
        if nodes[-1] * growth > budget:
            break
    return nodes


def _deepen(player: Searcher, board: chess.Board, depth: int, budget: int) -> list[int]:
    """Positions until each iteration of one search was complete."""
    nodes: dict[int, int] = {}

    def note(info: Info) -> None:
        nodes.setdefault(info.depth, info.nodes)

    player.new_game()
    player.arm()
    result = player.search(board.copy(), Limits(depth=depth, nodes=budget), note)
    if result.info and result.info.nodes < budget:
        nodes.setdefault(depth, 0)  # all was certain, a mate perhaps, before that
    whole = {number: count for number, count in nodes.items() if count < budget}
    reached = [whole.get(number, 0) for number in range(1, max(whole, default=0) + 1)]
    return list(accumulate(reached, max))
