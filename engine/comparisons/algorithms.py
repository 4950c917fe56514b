"""One position, searched by every algorithm from plain minimax to the engine itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import chess

from boomslang.core.board.constants import INFINITE, I
from boomslang.engine import bridge
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from boomslang.engine.search import plain
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.state import NOTHING
from boomslang.engine.search.transposition import new_table
from boomslang.engine.textbook.chess_game import MATE

TABLE_MB: Final = 64
DOUBLINGS: Final = 14  # doublings of the visits of Monte Carlo tree search


@dataclass(frozen=True, slots=True)
class AlgorithmRun:
    """The result of one algorithm at one depth."""

    algorithm: str
    depth: int
    value: int  # centipawns for the side to move; MATE - n for a mate in n plies
    best: chess.Move | None
    nodes: int  # including the root
    seconds: float

    @property
    def branching(self) -> float:
        """Effective branching factor: the width of a uniform tree with the same number of leaves."""
        return float(self.nodes ** (1 / self.depth))


class AlgorithmBench:
    """One position and the memory to search it in. Kernels must be loaded (`core.jit.jit`)."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self._search: Any = bridge.new_search()
        self._table = new_table(TABLE_MB)
        self._searcher = Searcher(TABLE_MB)
        self._set_root(board)
        keys = bridge.history_keys(self._search.rules, board, self._search.position[0])
        self._search.keys[: len(keys)] = keys
        self._search.keys[len(keys)] = self._search.position[0].key
        self._root_index = len(keys)

    def run(self, algorithm: str, depth: int) -> AlgorithmRun:
        """Search with one of ALGORITHMS; no state is kept between calls."""
        begun = time.perf_counter()
        value, best, nodes = ALGORITHMS[algorithm](self, depth)
        return AlgorithmRun(algorithm, depth, value, best, nodes, time.perf_counter() - begun)

    def minimax(self, depth: int) -> _Answer:
        """The first player maximises, the second minimises; every node is visited."""
        self._reset()
        value = plain.minimax(self._search, I(0), I(depth), I(1))
        return self._answer(value)

    def negamax_with(self, depth: int, features: int) -> _Answer:
        """Negamax with these improvements; with the table, by iterative deepening."""
        self._reset()
        value = I(0)
        for iteration in range(1 if features & plain.TRANSPOSITIONS else depth, depth + 1):
            value = plain.negamax_with(
                self._search, self._table, I(0), I(iteration), -INFINITE, INFINITE, I(features)
            )
        return self._answer(value)

    def full_search(self, depth: int) -> _Answer:
        """The engine's search."""
        return self._play("alphabeta", depth)

    def monte_carlo(self, depth: int) -> _Answer:
        """Monte Carlo tree search with 2^DOUBLINGS visits, evaluated by quiescence search; no depth."""
        return self._play("mcts", DOUBLINGS)

    def _play(self, algorithm: str, depth: int) -> _Answer:
        self._searcher.set_algorithm(algorithm)
        lines = self._searcher.analyse(self.board, Limits(depth=depth))
        if not lines:
            raise ValueError("no legal move")
        score = lines[0].score
        value = score.centipawns
        if value is None:
            moves = score.mate or 0
            value = MATE - 2 * moves + 1 if moves > 0 else -MATE - 2 * moves
        return value, lines[0].pv[0], lines[0].nodes

    def _set_root(self, board: chess.Board) -> None:
        bridge.set_castling(self._search.rules, board)
        bridge.to_position(self._search.rules, board, self._search.position[0])

    def _reset(self) -> None:
        self._set_root(self.board)
        self._search.root_index = self._root_index
        clear_histories(self._search)
        self._search.played.fill(NOTHING)
        self._search.nodes = 0
        self._search.root_best = 0
        self._table.fill(0)

    def _answer(self, value: Any) -> _Answer:
        best = int(self._search.root_best)
        move = bridge.to_move(best, self.board) if best else None
        return int(value), move, int(self._search.nodes)


_Answer = tuple[int, chess.Move | None, int]  # value, best move, nodes


def _with(*features: int) -> Callable[[AlgorithmBench, int], _Answer]:
    return lambda bench, depth: bench.negamax_with(depth, sum(features))


ALGORITHMS: Final[dict[str, Callable[[AlgorithmBench, int], _Answer]]] = {
    "minimax": AlgorithmBench.minimax,
    "negamax": _with(),
    "alphabeta": _with(plain.ALPHA_BETA),
    "ordering": _with(plain.ALPHA_BETA, plain.ORDERING),
    "quiescence": _with(plain.ALPHA_BETA, plain.ORDERING, plain.QUIESCENCE),
    "table": _with(plain.ALPHA_BETA, plain.ORDERING, plain.QUIESCENCE, plain.TRANSPOSITIONS),
    "engine": AlgorithmBench.full_search,
    "mcts": AlgorithmBench.monte_carlo,
}
TITLES: Final = {
    "minimax": "minimax",
    "negamax": "negamax",
    "alphabeta": "alpha-beta",
    "ordering": "+ move ordering",
    "quiescence": "+ quiescence search",
    "table": "+ transposition table",
    "engine": "the engine",
    "mcts": "MCTS",
}
# Algorithms that must find the same value at a given depth.
SAME_VALUE: Final = (("minimax", "negamax", "alphabeta", "ordering"), ("quiescence", "table"))


def depths(algorithm: str, depth: int) -> range:
    """The depths to show up to `depth`; only one for MCTS, which has no depth."""
    return range(depth if algorithm == "mcts" else 1, depth + 1)


def disagreements(runs: Sequence[AlgorithmRun]) -> list[tuple[AlgorithmRun, AlgorithmRun]]:
    """Pairs of runs whose values differ although they should be equal."""
    return [
        (one, other)
        for group in SAME_VALUE
        for one in runs
        for other in runs
        if one.algorithm in group
        and other.algorithm in group
        and group.index(one.algorithm) < group.index(other.algorithm)
        and one.depth == other.depth
        and one.value != other.value
    ]
