"""Counting from Python: perft of a `chess.Board`, split by root move, on one or more threads."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import chess
import numpy as np

from boomslang.core.board.constants import ZERO, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import MOVE_LIST, POSITION, Position, Rules, new_record
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.threads import in_threads
from boomslang.engine import bridge
from boomslang.engine.errors import CommandError
from boomslang.engine.notation.position_setup import check_board
from boomslang.perft.count import MAX_DEPTH, PERFT_STACK, PerftStack, new_table, perft, perft_hashed

# Threads help only where there is work for them: below this depth they cost more than they save.
_THREADS_FROM_DEPTH = 4  # at least 3: two plies are played to make the jobs
_UNSTOPPABLE = 4  # plies counted without polling; some milliseconds


class PerftStoppedError(Exception):
    """The count was stopped."""


class PerftCounter:
    """Counts positions one after the other, keeping its tables; not for use by two threads at once.

    `hash_mb` is the size of the table of sub-counts in MiB; 0 counts every move anew. `stopped` is polled;
    if it returns True the count raises PerftStoppedError. Kernels that are not loaded yet are loaded, or
    compiled, here.
    """

    def __init__(
        self, hash_mb: int = 0, threads: int = 1, stopped: Callable[[], bool] | None = None
    ) -> None:
        load_kernels()
        self.rules = bridge.new_rules()
        self.threads = max(1, threads)
        self.table = new_table(hash_mb) if hash_mb else None
        self._stacks = [new_record(PERFT_STACK) for _ in range(self.threads)]
        self._castling: bytes | None = None
        self._stopped = stopped

    def count(self, board: chess.Board, depth: int) -> int:
        """Number of legal move sequences of `depth` plies; 1 for depth 0."""
        _check_depth(depth)
        if depth == 0:
            return 1
        if self.threads > 1 and depth >= _THREADS_FROM_DEPTH:
            return sum(number for _, number in self.divide(board, depth))
        self._prepare(board)
        bridge.to_position(self.rules, board, self._stacks[0].position[0])
        return self._below(self._stacks[0], depth)

    def divide(self, board: chess.Board, depth: int) -> list[tuple[chess.Move, int]]:
        """The count below each legal move, in the order of generation; empty for depth 0."""
        _check_depth(depth)
        if depth == 0:
            return []
        self._prepare(board)
        root = new_record(POSITION)
        bridge.to_position(self.rules, board, root)
        moves = list(_children(self.rules, root))
        if depth == 1:
            numbers = [1] * len(moves)
        elif self.threads == 1 or depth < _THREADS_FROM_DEPTH:
            numbers = [self._position(self._stacks[0], child, depth - 1) for _, child in moves]
        else:
            numbers = self._in_threads([child for _, child in moves], depth - 1)
        return [
            (bridge.to_move(move, board), number)
            for (move, _), number in zip(moves, numbers, strict=True)
        ]

    def _prepare(self, board: chess.Board) -> None:
        """Set this board's castling squares; keys of another board's table would not match them."""
        bridge.set_castling(self.rules, board)
        castling = bytes(self.rules.castling_rook) + bytes(self.rules.castling_keep)
        if self.table is not None and castling != self._castling:
            self.table.fill(0)
        self._castling = castling

    def _position(self, stack: PerftStack, position: Position, depth: int) -> int:
        if self._stopped:
            if self._stopped():
                raise PerftStoppedError
            if depth > _UNSTOPPABLE:
                children = _children(self.rules, position)
                return sum(self._position(stack, child, depth - 1) for _, child in children)
        stack.position[0] = position
        return self._below(stack, depth)

    def _below(self, stack: PerftStack, depth: int) -> int:
        if self.table is None:
            return int(perft(self.rules, stack, ZERO, I(depth)))
        return int(perft_hashed(self.rules, stack, self.table, ZERO, I(depth)))

    def _in_threads(self, positions: list[Any], depth: int) -> list[int]:
        """Count below each position, sharing out the positions one ply further down.

        Root moves alone are too few and too unequal to keep several threads busy to the end.
        """
        jobs = [
            _Job(index, child)
            for index, position in enumerate(positions)
            for _, child in _children(self.rules, position)
        ]
        totals = [0] * len(positions)
        ticket = count()  # next() on it is atomic, so it hands out the jobs

        def work(stack: PerftStack) -> None:
            while (number := next(ticket)) < len(jobs):
                job = jobs[number]
                job.nodes = self._position(stack, job.position, depth - 1)

        in_threads(work, self._stacks)
        for job in jobs:
            totals[job.root_index] += job.nodes
        return totals


@dataclass(slots=True)
class _Job:
    """One position to count and the root move that it belongs to."""

    root_index: int
    position: Position
    nodes: int = field(default=0)


def _children(rules: Rules, position: Position) -> Iterator[tuple[int, Any]]:
    """Each legal move with the POSITION record after it."""
    moves = new_record(MOVE_LIST)
    generate(rules, position, moves)
    children = np.zeros(int(moves.count), POSITION).view(np.recarray)
    for index, move in enumerate(moves.move[: len(children)]):
        children[index] = position
        child = children[index]
        make_move(rules, child, U(move))
        yield int(move), child


def _check_depth(depth: int) -> None:
    if not 0 <= operator.index(depth) <= MAX_DEPTH:
        raise CommandError(f"depth must be between 0 and {MAX_DEPTH}, not {depth}")


def divide(
    board: chess.Board, depth: int, threads: int = 1, stopped: Callable[[], bool] | None = None
) -> list[tuple[chess.Move, int]]:
    """The perft count of `depth` plies below each legal move of `board`; see `PerftCounter`.

    Raises TypeError for what is no board, and CommandError for one that chess does not know.
    """
    is_left = threading.Event()

    def polled() -> bool:  # always, or Ctrl-C would wait for long kernels
        return is_left.is_set() or bool(stopped and stopped())

    try:
        return PerftCounter(threads=threads, stopped=polled).divide(check_board(board), depth)
    finally:
        is_left.set()  # after Ctrl-C the other threads would count on


def divide_lines(counts: Iterable[tuple[chess.Move, int]]) -> list[str]:
    """The answer to `go perft` as Stockfish prints it: a line per move, then the total."""
    pairs = list(counts)
    lines = [f"{move.uci()}: {number}" for move, number in pairs]
    return [*lines, "", f"Nodes searched: {sum(number for _, number in pairs)}"]
