"""Monte Carlo as a search algorithm: grows the compiled tree in steps and reads its lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import NO_SCORE, I, U
from boomslang.core.board.position import new_record
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.engine.boards import copy_board
from boomslang.engine.limits import Limits
from boomslang.engine.search.deepening import SearchLine
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.mcts import BEST, grow, read_line
from boomslang.engine.search.mcts_tree import DEFAULTS, MAX_VISITS, NODE, TREE, promote
from boomslang.engine.search.state import FIRST_NODES, SearchState
from boomslang.engine.search.transposition import clear

_TABLE_SHARE: Final = 4  # the quiescence search has a quarter of the memory
_FIRST: Final = 2  # visits before any stop, if FIRST_NODES are enough: the root, its likeliest move
_CHUNK: Final = 1024  # visits between two looks at the time by the caller


class MonteCarloSearcher:
    """Yields its best lines again and again; see `engine.driver.protocol.SearchAlgorithm`.

    The tree lies in the memory of a transposition table, which it shares with the quiescence search:
    `table` is what the quiescence search has of it.
    """

    finishes_depths = False
    threads = 1
    helper_nodes = 0
    helper_tb_hits = 0

    def __init__(self, search: SearchState, memory: npt.NDArray[np.uint64]) -> None:
        """`search` is a SEARCH record as `bridge.new_search` makes it, shared with the caller."""
        self._search = search
        self._board: chess.Board | None = None  # at the root
        self._tree: Any = new_record(TREE)
        for name, value in DEFAULTS.items():
            self._tree[name] = value
        self.set_memory(memory)

    def set_memory(self, memory: npt.NDArray[np.uint64]) -> None:
        """Grow a new tree in other memory."""
        self.memory = memory
        start = memory.size // _TABLE_SHARE // 8 * 8  # whole cache lines
        words = NODE.itemsize // memory.itemsize
        count = (memory.size - start) // words
        self.table = memory[:start]
        self._nodes: Any = memory[start : start + count * words].view(NODE)
        if DISABLED:
            self._nodes = self._nodes.view(np.recarray)
        self._forget()

    def set_threads(self, threads: int) -> str | None:
        """One thread is used; returns a message if more are asked for."""
        return None if threads == 1 else "Monte Carlo tree search uses one thread"

    def end(self) -> None:
        """End nothing: there are no other threads."""

    def current(self, board: chess.Board) -> None:
        """None: it searches all root moves at once."""

    def clear(self) -> None:
        """Begin with an empty tree."""
        clear(self.memory)
        self._forget()

    def new_game(self) -> None:
        """Forget everything about the last game."""
        self.clear()
        clear_histories(self._search)

    def hashfull(self) -> int:
        """How much of the memory for the tree is used, per mille."""
        return int(self._tree.used) * 1000 // len(self._nodes)

    def lines(
        self, board: chess.Board, limits: Limits, depth_limit: int, line_count: int
    ) -> Iterator[list[SearchLine]]:
        """Yield the best lines again and again until the search is stopped or the position solved.

        The root and its limits are set. Depth n is reached when the root has been visited 2^n times.
        There is at least one line.
        """
        search = self._search
        self._follow(board, limits)
        search.stoppable_from = FIRST_NODES
        search.selective_depth = 0
        visits = _FIRST
        while True:
            grow(search, self.table, self._tree, self._nodes, I(visits))
            search.stoppable_from = 0
            yield self._read(search, line_count) or [self._static_line(search)]
            reached = int(self._nodes[0]["visits"])
            solved = int(self._nodes[0]["solved"]) != int(NO_SCORE)
            if search.stop or solved or reached >= min(2**depth_limit, MAX_VISITS):
                return
            visits = min(_CHUNK, 2 ** reached.bit_length() - reached)

    def _follow(self, board: chess.Board, limits: Limits) -> None:
        """Keep of the tree what the moves since the last search have led to, if any."""
        moves = bridge.moves_between(self._board, board) if self._board else None
        complete = limits.search_moves is None
        if not moves or not complete or not all(self._promote(move) for move in moves):
            self._forget()
        self._board = copy_board(board) if complete else None

    def _forget(self) -> None:
        self._tree.used = 0
        self._board = None

    def _promote(self, move: int) -> bool:
        """Make the child of the root that a 16-bit move leads to the root; False if it isn't there."""
        root = self._nodes[0]
        first, count = int(root["first"]), int(root["count"])
        played = self._nodes["move"][first : first + count] == move
        if not played.any():
            return False
        promote(self._tree, self._nodes, U(first + int(played.argmax())))
        return bool(self._nodes[0]["count"])

    def _static_line(self, search: SearchState) -> SearchLine:
        """The first root move, where not even the root could be evaluated."""
        return SearchLine(1, 1, 1, 0, int(search.nodes), (int(search.root_move[0]),))

    def _read(self, search: SearchState, line_count: int) -> list[SearchLine]:
        """The best lines; the nodes that the first is worth are left in `search.root_nodes`."""
        self._tree.below = BEST
        visits = max(1, int(self._nodes[0]["visits"]))
        lines: list[SearchLine] = []
        while len(lines) < line_count and read_line(search, self._tree, self._nodes):
            if not lines:
                share = int(self._nodes[int(search.root_best)]["visits"]) / visits
                search.root_nodes[0] = int(share * int(search.nodes))
            length = int(search.pv_length[0])
            lines.append(
                SearchLine(
                    depth=max(1, visits.bit_length() - 1),
                    selective_depth=int(search.selective_depth),
                    rank=len(lines) + 1,
                    score=int(search.root_score),
                    nodes=int(search.nodes),
                    moves=tuple(int(move) for move in search.pv[0][:length]),
                )
            )
        return lines
