"""The compiled search with its clock: a `chess.Board` and limits in, a move and its reasons out.

    from boomslang.engine.driver import searcher
    searcher.load()
    lines = searcher.Searcher().analyse(chess.Board(), Limits(movetime=1000))

Whole games need more than that: see `engine.engine`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.core.board.constants import MATE, MATE_IN_MAX, MAX_PLY
from boomslang.core.jit.instructions import KERNELS_TELL_TIME
from boomslang.core.jit.jit import load_kernels
from boomslang.core.jit.memory import largest_table
from boomslang.core.system.threads import interruptible
from boomslang.engine import bridge
from boomslang.engine.driver.alphabeta import AlphaBetaSearcher
from boomslang.engine.driver.clock import LagEstimator, NodeClock, TimeBudget, TimeScaling, allot
from boomslang.engine.driver.evaluation_options import EvaluationOptions
from boomslang.engine.driver.protocol import SearchAlgorithm
from boomslang.engine.driver.pv import complete, is_deeper_line, is_new_line, read, to_score
from boomslang.engine.limits import (
    DEFAULT_OVERHEAD,
    CurrentMove,
    Info,
    Limits,
    Listener,
    Result,
    ignore,
)
from boomslang.engine.search import params
from boomslang.engine.search.deepening import SearchLine
from boomslang.engine.search.history import clear_histories
from boomslang.engine.search.reductions import fill_reductions
from boomslang.engine.search.state import NO_DEADLINE, fields_of
from boomslang.engine.search.transposition import new_table

if TYPE_CHECKING:
    from boomslang.engine.driver.root_ranking import RankedMoves
    from boomslang.engine.driver.tablebase import Tablebase
    from boomslang.eval.classical.trace import Trace
    from boomslang.eval.network.trace import NetworkTrace

MAX_DEPTH: Final = MAX_PLY - 8
_GENERATIONS: Final = 64
_FRESH_MB: Final = 16


def load(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile all kernels of play or load them from the cache; `progress(done, total)` as it goes."""
    load_kernels(progress)


@dataclass(slots=True)
class _Request:
    """A move that was asked for; for a level several searches answer it."""

    at: float  # as `time.monotonic()` says
    first_line_at: float = 0.0  # 0: there is none yet
    is_charged: bool = False  # the node clock has paid for one of the searches


class Searcher:
    """A search with its memory: transposition table, histories, options. Call `load` first.

    Its algorithm, alpha-beta or Monte Carlo, decides which moves it searches; this class decides when to
    stop and what to report.
    """

    def __init__(self, hash_mb: int = 16) -> None:
        self._search: Any = bridge.new_search()
        self._fields = fields_of(self._search)
        self._evaluation = EvaluationOptions(self._search)
        self._hash_mb = hash_mb
        self._algorithm: SearchAlgorithm = AlphaBetaSearcher(self._search, new_table(hash_mb))
        self._algorithm_name = "alphabeta"
        self._threads = self._asked_threads = 1  # as set, and of the last search
        self._lag = LagEstimator()
        self._node_clock = NodeClock()
        self._tables: Tablebase | None = None
        self._ranked: RankedMoves | None = None  # what the tables know of the root
        self._lock = threading.Lock()  # guards the deadline against ponderhit
        self._pondering = self._stopping = False  # stopping: by `stop`, not by a limit
        self._timer: threading.Timer | None = None  # stops where kernels cannot read the clock
        self._hit: float | None = None  # when the move pondered on was played
        self._budget = TimeBudget(None, None)
        self._board = chess.Board()  # at the root
        self._request = _Request(0.0)
        self._clock_started_at = 0.0
        self._generation = self._nodes_before = 0  # nodes: before the clock started

    # The interface to the engine

    def analyse(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Listener = ignore,
        is_new_game: bool = True,
    ) -> list[Info]:
        """The last line of thinking for each variation, the best first; none if there is no legal move.

        Memory and histories are emptied before, unless it is no new game.
        """
        if is_new_game:
            self.new_game()
        try:
            return list(self.search(board, limits, on_info).lines)
        finally:
            self.clear_stop()

    def new_game(self) -> None:
        """Forget everything about the last game."""
        self._algorithm.new_game()
        self._generation = 0
        self._node_clock.reset()
        self._lag.forget_move()

    @contextmanager
    def fresh_memory(self) -> Iterator[None]:
        """Search with a memory and histories that begin empty; the usual memory is as before afterwards."""
        usual = memory = self._algorithm.memory
        try:
            memory = new_table(_FRESH_MB)
        except MemoryError:  # then the usual memory begins empty, and is not as before
            self._algorithm.clear()
        self._algorithm.set_memory(memory)
        clear_histories(self._search)
        try:
            yield
        finally:
            self._algorithm.set_memory(usual)

    def clear_stop(self) -> None:
        """Forget an earlier `stop`; called before a search is handed to its thread."""
        self._fields.stop = 0
        self._stopping, self._hit = False, None

    def stop(self) -> None:
        """End the search soon; not lost if `search` has not really begun yet."""
        self._stopping = True
        self._fields.stop = 1

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now."""
        with self._lock:
            self._pondering = False
            self._clock_started_at = self._hit = time.monotonic()
            self._nodes_before = self._nodes()
            self._set_deadline()

    def current(self) -> CurrentMove | None:
        """What the search is looking at; Monte Carlo tree search looks everywhere at once."""
        return self._algorithm.current(self._board)

    def search(
        self, board: chess.Board, limits: Limits, on_info: Listener, started: float | None = None
    ) -> Result:
        """Search until a limit or `stop`; `started` is the `time.monotonic()` of the request."""
        begun = time.monotonic() if started is None else started
        if begun != self._request.at:
            self._request = _Request(begun)
        tables = self._tables
        if not tables:
            return self._search_moves(board, limits, on_info)
        try:
            self._ranked = ranked = tables.attach(board, limits, self._search)
            if not ranked:
                return self._search_moves(board, limits, on_info)
            result = self._search_moves(board, ranked.restrict(limits), on_info)
        finally:
            self._ranked = None
            tables.detach(self._search)
        settled = ranked.settle(result) if limits.playing else result
        if settled is not result and settled.info:
            on_info(settled.info)
        return settled

    def _search_moves(self, board: chess.Board, limits: Limits, on_info: Listener) -> Result:
        """Search the moves that `limits` name."""
        request = self._request
        limits = self._node_clock.read(limits, board.turn, request.is_charged)
        self._set_up(board, limits)
        if not self._fields.root_count:
            return Result(None, None)
        self._start_clock(limits)
        depth_limit = MAX_DEPTH if limits.depth is None else min(max(limits.depth, 1), MAX_DEPTH)
        count = limits.multipv or 1
        lines, infos = list[SearchLine](), list[Info]()  # the best ones, and as they were reported
        scaling = TimeScaling()
        try:
            found = self._algorithm.lines(board, limits, depth_limit, count)
            for deeper in interruptible(found, self._expire):
                request.first_line_at = request.first_line_at or time.monotonic()
                best, last = deeper[0], lines[0] if lines else None
                if not last or not self._is_unfinished(
                    best, last, limits
                ):  # else the last score is exact
                    lines, infos = deeper, []
                    if not last or is_new_line(best, last):
                        scaling.record(best.moves[0], best.score)
                        if on_info is not ignore:  # many lines cost as much as their search
                            infos = self._report(lines, on_info)
                if self._tables:
                    self._tables.refresh(self._search, self._fields.deadline)
                if self._fields.stop or self._is_enough(lines[0], limits, scaling):
                    break
        finally:
            ahead = self._end(limits)
        if ahead and count == 1 and lines and is_deeper_line(ahead, lines[0]):
            lines, infos = [ahead], []
        if not infos or self._nodes() != infos[0].nodes:
            infos = self._report(lines, on_info)  # also what the last attempt has cost
        if not infos or not infos[0].pv:
            raise RuntimeError("the search found no line")  # depth 1 always yields one
        return Result.of(infos, self._timing())

    def _end(self, limits: Limits) -> SearchLine | None:
        """End all threads and the clock; returns the line of a thread that is ahead of the first."""
        ended = time.monotonic()
        try:
            ahead = self._algorithm.end()
        finally:
            self._algorithm.end()  # a second Ctrl-C may have broken off the first
        self._cancel_timer()
        board, request = self._board, self._request
        thought = ended - max(request.first_line_at, self._clock_started_at)
        self._lag.record(limits, board.turn, board.ply(), max(0.0, thought) * 1000)
        if not self._pondering:  # on the opponent's time
            nodes = self._nodes() - self._nodes_before
            self._node_clock.spend(nodes, limits, board.turn, request.is_charged)
            request.is_charged = True
        return ahead

    def rest(
        self, board: chess.Board, limits: Limits, seconds: float, wait: Callable[[float], float]
    ) -> None:
        """Let a move take so many seconds in all, as far as its clock allows, after its search.

        Each move to come is taken to cost as much as this one's search; a clock of nodes allows no rest.
        """
        if self._node_clock.rate:
            return
        self._board = board
        hard = self._allot(limits, wait(0.0) * 1000).hard or 0.0
        thought = wait(min(seconds, hard / 1000))
        self._lag.record(limits, board.turn, board.ply(), thought * 1000)

    def use_tables(self, tables: Tablebase | None) -> None:
        """Use these tablebases from the next search on, or none."""
        self._tables, self._fields.tb_pieces, self._fields.tb_hits = tables, 0, 0

    def explain(self, board: chess.Board, classical: bool = False) -> Trace | NetworkTrace | None:
        """The evaluation in use, or the `classical` one, in parts; None in check, where there is none."""
        if board.is_check():
            return None
        self._set_root(board, Limits())
        return self._evaluation.explain(classical)

    @property
    def remark(self) -> str:
        """One line for the user about the network that ships; empty if it can be used."""
        return self._evaluation.remark

    def _timing(self) -> str:
        """What the time manager allotted to the search, and what it used since the clock started."""
        limits = ((self._budget.soft, "soft"), (self._budget.hard, "hard"))
        allotted = [f"{name} limit {value:.0f} ms" for value, name in limits if value is not None]
        used = (time.monotonic() - self._clock_started_at) * 1000
        lag = f"lag {self._lag.usual:.0f} ms, at worst {self._lag.worst:.0f} ms"
        return ", ".join([f"time: {used:.0f} ms", *(allotted or ["no limit of time"]), lag])

    # The options

    def set_hash(self, megabytes: int) -> str | None:
        """A new table of the wanted size, as far as the memory goes; else the old one stays."""
        size = min(megabytes, largest_table())
        if size != self._hash_mb:
            try:
                table = new_table(size)
            except MemoryError:
                return (
                    f"cannot get {megabytes} MB for the hash table, it stays at {self._hash_mb} MB"
                )
            self._hash_mb = size
            self._algorithm.set_memory(table)
        if size < megabytes:
            return f"cannot take more than half of the memory: hash table of {size} MB"
        return None

    def set_algorithm(self, algorithm: str) -> str | None:
        """Search by "alphabeta" or by "mcts" from now on."""
        if algorithm == self._algorithm_name:
            return None
        memory = self._algorithm.memory
        if algorithm == "mcts":
            from boomslang.engine.driver.mcts import MonteCarloSearcher

            load_kernels()  # most games never need these
            self._algorithm = MonteCarloSearcher(self._search, memory)
        else:
            self._algorithm = AlphaBetaSearcher(self._search, memory)
        self._algorithm_name = algorithm
        self.new_game()
        return self.set_threads(self._threads)

    def set_threads(self, threads: int) -> str | None:
        """Search with that many threads, as far as possible; returns a message or None."""
        self._threads = self._asked_threads = threads
        return self._algorithm.set_threads(threads)

    def clear(self) -> None:
        """Empty the memory."""
        self._algorithm.clear()

    def set_node_clock(self, nodes: int) -> None:
        """Count that many nodes as a millisecond; 0: use the clock."""
        self._node_clock.rate = nodes

    def set_network(self, path: str) -> str | None:
        """Evaluate with the network in a file, or with that which ships if there is no name."""
        return self._begin_afresh(*self._evaluation.take(path))

    def set_evaluation(self, kind: str) -> str | None:
        """Evaluate with the "network" or by the "classical" terms."""
        return self._begin_afresh(*self._evaluation.choose(kind))

    def evaluate_like(self, other: Searcher) -> None:
        """Evaluate from now on as another searcher does."""
        self._begin_afresh(self._evaluation.follow(other._evaluation), None)

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Set search parameters of `engine.search.params` between searches; raises ValueError."""
        for name, value in values.items():
            self._search.params[name] = value
        fill_reductions(self._search)

    def _begin_afresh(self, changes: bool, message: str | None) -> str | None:
        """Scores of two evaluations must not meet in one memory."""
        if changes:
            self.new_game()
        return message

    def set_exact(self, exact: bool) -> None:
        """All parameters anew: for the minimax value without any selectivity, or for play."""
        (params.set_exact if exact else params.set_defaults)(self._search.params)
        fill_reductions(self._search)
        self.new_game()  # what the one has found out is not good enough for the other

    # Setting up

    def _use_threads(self, threads: int) -> None:
        if threads != self._asked_threads:
            self._asked_threads = threads
            self._algorithm.set_threads(threads)

    def _set_up(self, board: chess.Board, limits: Limits) -> None:
        """All that the kernels read, but the clock."""
        self._board = board
        self._generation = (self._generation + 1) % _GENERATIONS
        self._fields.generation = self._generation  # what is in the table grows older
        self._use_threads(min(limits.threads or self._threads, self._threads))
        self._set_root(board, limits)
        self._fields.stop = 0  # by a limit of the last search
        if self._stopping:  # asked afterwards, so that a `stop` in between is not lost
            self._fields.stop = 1

    def _set_root(self, board: chess.Board, limits: Limits) -> None:
        bridge.set_root(self._search, board, limits, limits.multipv or 1, self._algorithm.threads)

    def _start_clock(self, limits: Limits) -> None:
        with self._lock:
            self._clock_started_at = self._request.at if self._hit is None else self._hit
            self._pondering = limits.ponder and self._hit is None
            self._nodes_before = 0
            self._budget = self._allot(limits)
            self._set_deadline()

    def _allot(self, limits: Limits, cost: float = 0.0) -> TimeBudget:
        """The time for this move; each costs so many milliseconds. A clock of nodes loses none on the way."""
        white, ply = self._board.turn, self._board.ply()
        if self._node_clock.rate:
            return allot(limits, white, 0, ply=ply)
        self._lag.read(limits, white, ply)
        overhead = DEFAULT_OVERHEAD if limits.overhead is None else limits.overhead
        return allot(limits, white, max(overhead, self._lag.worst), self._lag.usual + cost, ply)

    def _set_deadline(self) -> None:
        """Write the hard limit of the budget where the kernels look for it."""
        hard = None if self._pondering else self._budget.hard
        self._cancel_timer()
        self._fields.deadline = int(NO_DEADLINE)
        if hard is None:
            return
        if self._node_clock.rate:
            last = self._nodes_before + int(hard * self._node_clock.rate)
            share = max(1, last // self._algorithm.threads)
            self._fields.node_limit = min(self._fields.node_limit, share)
            return
        deadline = self._clock_started_at + hard / 1000
        self._fields.deadline = min(int(deadline * 1e9), int(NO_DEADLINE))
        if not KERNELS_TELL_TIME:
            self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _expire(self) -> None:
        self._fields.stop = 1

    def _cancel_timer(self) -> None:
        """Keep the timer of this search from stopping the next one."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # Reading out

    def _is_enough(self, line: SearchLine, limits: Limits, scaling: TimeScaling) -> bool:
        """True if another iteration is not wanted, or would hardly end in time."""
        mate_distance = int(MATE) - abs(line.score)  # in plies; a deeper search can't shorten it
        is_mate = abs(line.score) > MATE_IN_MAX
        if limits.mate is not None and is_mate and mate_distance <= 2 * limits.mate:
            return True  # for either side
        if self._pondering:
            return False
        elapsed = (time.monotonic() - self._clock_started_at) * 1000
        if self._node_clock.rate:
            elapsed = (self._nodes() - self._nodes_before) / self._node_clock.rate
        soft, hard = self._budget.soft, self._budget.hard
        if hard is not None and elapsed >= hard:
            return True  # iterations of a few nodes end before the kernels look at the clock
        if soft is None or limits.infinite:
            return False
        # With nothing to choose, or a mate that is proven, save the time.
        settled = self._fields.root_count == 1 or (is_mate and line.depth > 2 * mate_distance)
        effort = self._fields.root_nodes[0] / max(line.nodes, 1)
        return (settled and not limits.analysing) or elapsed >= soft * scaling.factor(effort)

    def _is_unfinished(self, line: SearchLine, shown: SearchLine, limits: Limits) -> bool:
        """True if an iteration was broken off, without another move or, analysing, without its score."""
        cut = bool(self._fields.stop) and self._algorithm.finishes_depths
        return cut and (line.moves[0] == shown.moves[0] or (limits.analysing and bool(line.bound)))

    def _report(self, lines: list[SearchLine], on_info: Listener) -> list[Info]:
        infos = [self._info(line) for line in lines]
        if self._ranked:
            infos = self._ranked.order_lines(infos)
        for info in infos:
            on_info(info)
        return infos

    def _info(self, line: SearchLine) -> Info:
        seconds, nodes = time.monotonic() - self._request.at, self._nodes()
        moves = complete(line.moves, line.score, self._search, self._algorithm.table)
        return Info(
            depth=line.depth,
            seldepth=line.selective_depth,
            multipv=line.rank,
            score=to_score(line.score),
            bound=line.bound,
            nodes=nodes,
            nps=int(nodes / max(seconds, 1e-6)),
            hashfull=self._algorithm.hashfull(),
            tbhits=int(self._fields.tb_hits) + self._algorithm.helper_tb_hits,
            time=int(seconds * 1000),
            pv=read(self._fields, moves, self._board),
        )

    def _nodes(self) -> int:
        return int(self._fields.nodes) + self._algorithm.helper_nodes
