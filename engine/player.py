"""The friendly face of the engine: a `chess.Board` and limits in, a move and its reasons out.

from engine import player

player.load()
result = player.Player().search(chess.Board(), Limits(movetime=1000), print)
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import chess

from engine import bridge
from engine.clocks.node_clock import NodeClock
from engine.clocks.time_manager import Budget, Patience, allot
from engine.clocks.toll import Toll
from engine.constants import MATE, MATE_IN_MAX, MAX_PLY
from engine.judge import OPTIONS as OF_JUDGE
from engine.judge import Judge
from engine.limits import Current, Info, Limits, Result
from engine.mate_pv import complete
from engine.pv import LineReader, current_move, is_news, outdoes, to_score
from engine.root import set_root
from engine.search import params
from engine.search.deepening import Line, deepen
from engine.search.history import clear_histories
from engine.search.parallel import Crew
from engine.search.reductions import fill_reductions
from engine.search.state import NO_DEADLINE, fields_of
from engine.search.transposition import clear, hashfull, new_table
from engine.system.instructions import KERNELS_TELL_TIME
from engine.system.jit import load_kernels
from engine.system.memory import largest_table

if TYPE_CHECKING:
    from engine.mcts import MonteCarlo
    from eval.classical.trace import Trace
    from eval.network.trace import NetworkTrace

MAX_DEPTH: Final = MAX_PLY - 8
_GENERATIONS: Final = 64


def load(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile all kernels of play or load them from the cache; `progress(done, total)` as it goes."""
    load_kernels(progress)


class Player:
    """A search with its memory: transposition table, histories, options. Call `load` first."""

    def __init__(self, hash_mb: int = 16) -> None:
        self._search: Any = bridge.new_search()
        self._fields = fields_of(self._search)
        self._judge = Judge(self._search)
        self._hash_mb = hash_mb
        self._table = new_table(hash_mb)
        self._crew = Crew()
        self._threads = 1
        self._monte_carlo: MonteCarlo | None = None  # lives in the table; None: alpha-beta
        self._generation = 0
        self._lines = 1
        self._overhead = 100
        self._toll = Toll()
        self._node_clock = NodeClock()
        self._analysing = False  # nobody's clock is running: think for as long as is allowed
        self._lock = threading.Lock()  # guards the deadline against ponderhit
        self._pondering = False
        self._timer: threading.Timer | None = None  # stops the search where kernels can't tell time
        self._hit: float | None = None  # when the move pondered on was played
        self._budget = Budget(None, None)
        self._board = chess.Board()  # at the root
        self._reader = LineReader(self._board)
        self._started = 0.0
        self._nodes_before = 0  # the clock started

    # What the protocols ask for

    def configure(self, name: str, value: int | bool | str) -> str | None:
        """Set an option between searches; returns a message for the user, or None."""
        if name == "Hash":
            return self._resize(int(value))
        if name == "Search Algorithm":
            return self._choose(str(value))
        if name in OF_JUDGE:
            return self._judge_by(name, str(value))
        if name == "Clear Hash":
            self._clear_table()
        elif name == "MultiPV":
            self._lines = int(value)
        elif name == "Move Overhead":
            self._overhead = int(value)
        elif name == "nodestime":
            self._node_clock.rate = int(value)
        elif name == "UCI_AnalyseMode":
            self._analysing = bool(value)
        elif name == "Exact":
            self._set_exact(bool(value))
        elif name in params.BY_NAME:
            self.set_parameters({name: int(value)})
        elif name == "Threads":
            return self._set_threads(int(value))
        return None

    def set_parameters(self, values: Mapping[str, int]) -> None:
        """Turn some numbers of `engine.search.params` between searches; raises ValueError."""
        for name, value in values.items():
            self._search.params[name] = value
        fill_reductions(self._search)

    def new_game(self) -> None:
        """Forget everything about the last game."""
        self._clear_table()
        clear_histories(self._search)
        self._crew.forget()
        self._node_clock.reset()
        self._toll.forget_move()
        self._generation = 0

    def arm(self) -> None:
        """Forget an earlier `stop`; called before a search is handed to its thread."""
        self._fields.stop = 0
        self._hit = None

    def stop(self) -> None:
        """End the search soon; not lost if `search` has not really begun yet."""
        self._fields.stop = 1

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now."""
        with self._lock:
            self._pondering = False
            self._started = self._hit = time.monotonic()
            self._nodes_before = self._nodes()
            self._set_deadline()

    def current(self) -> Current | None:
        """What the search is looking at; Monte Carlo tree search looks everywhere at once."""
        return None if self._monte_carlo else current_move(self._search, self._board)

    def search(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        started: float | None = None,
    ) -> Result:
        """Search until a limit or `stop`; `started` is the `time.monotonic()` of the request."""
        begun = time.monotonic() if started is None else started
        self._board, self._reader = board, LineReader(board)
        white = board.turn == chess.WHITE
        limits = self._node_clock.read(limits, white)
        self._generation = (self._generation + 1) % _GENERATIONS
        self._fields.generation = self._generation
        self._set_root(board, limits)
        if not self._fields.root_count:
            return Result(None, None, None)
        with self._lock:
            self._started = begun if self._hit is None else self._hit
            self._pondering = limits.ponder and self._hit is None
            self._nodes_before = 0
            self._budget = self._allot(limits, white)
            self._set_deadline()
        depth_limit = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        if self._monte_carlo:
            thinking = self._monte_carlo.think(
                self._search, board, limits, depth_limit, self._lines
            )
        else:
            self._crew.start(self._search, self._table, depth_limit)
            thinking = deepen(self._search, self._table, depth_limit, self._lines)
        last: Info | None = None
        patience = Patience()
        lines = shown = list[Line]()  # none yet
        answered = 0.0  # when the first answer was there
        try:
            for lines in thinking:
                answered = answered or time.monotonic()
                if shown and self._is_unfinished(lines[0], shown[0]):
                    lines = shown  # their score is exact
                elif not shown or is_news(lines[0], shown[0]):
                    last, shown = self._report(lines, begun, on_info), lines
                    patience.note(lines[0].moves[0], lines[0].score)
                if self._fields.stop or self._is_enough(lines[0], limits, patience):
                    break
        finally:
            self._cancel_timer()
            thought = time.monotonic() - max(answered, self._started)
            self._toll.note(limits, white, board.ply(), max(0.0, thought) * 1000)
            ahead = self._crew.stop()
            if not self._pondering:  # on the opponent's time
                self._node_clock.spend(self._nodes() - self._nodes_before, limits, white)
        if ahead and self._lines == 1 and lines and outdoes(ahead, lines[0]):
            lines = [ahead]
        if lines is not shown or (last and self._nodes() != last.nodes):
            last = self._report(lines, begun, on_info)  # also what the last attempt has cost
        if last is None or not last.pv:
            raise RuntimeError("the search found no line")  # depth 1 always yields one
        return Result(last.pv[0], last.pv[1] if len(last.pv) > 1 else None, last)

    def explain(self, board: chess.Board, classical: bool = False) -> Trace | NetworkTrace | None:
        """The static evaluation in parts; None in check, where the search does without it.

        The evaluation that is in use, or the `classical` one.
        """
        if board.is_check():
            return None
        self._set_root(board, Limits())
        return self._judge.explain(classical)

    @property
    def remark(self) -> str:
        """One line for the user about the network that ships; empty if it can be used."""
        return self._judge.remark

    # Setting up

    def _resize(self, megabytes: int) -> str | None:
        """A new table of the wanted size, as far as the memory goes; else the old one stays."""
        wanted = min(megabytes, largest_table())
        if wanted != self._hash_mb:
            try:
                self._table = new_table(wanted)
            except MemoryError:
                return (
                    f"cannot get {megabytes} MB for the hash table, it stays at {self._hash_mb} MB"
                )
            self._hash_mb = wanted
            if self._monte_carlo:
                self._monte_carlo = self._new_monte_carlo()
        if wanted < megabytes:
            return f"cannot take more than half of the memory: hash table of {wanted} MB"
        return None

    def _set_threads(self, threads: int) -> str | None:
        """Search with so many threads, but with no more than there are processors."""
        self._threads = threads
        if self._monte_carlo:
            self._crew.resize(0)
            return None if threads == 1 else "Monte Carlo tree search uses one thread"
        used = min(threads, os.cpu_count() or 1)
        try:
            self._crew.resize(used - 1)
        except MemoryError:
            self._crew.resize(0)
            return f"cannot get the memory for {threads} threads: one is used"
        return None if used == threads else f"{used} threads are used, one for each processor"

    def _judge_by(self, name: str, value: str) -> str | None:
        """Judge by another evaluation from now on; scores of two must not meet in one memory."""
        changes, message = self._judge.configure(name, value)
        if changes:
            self.new_game()
        return message

    def _choose(self, algorithm: str) -> str | None:
        """Search by "alphabeta" or by "mcts" from now on."""
        if (algorithm == "mcts") == (self._monte_carlo is not None):
            return None
        self._monte_carlo = None if self._monte_carlo else self._new_monte_carlo()
        self.new_game()
        return self._set_threads(self._threads)

    def _new_monte_carlo(self) -> MonteCarlo:
        """Monte Carlo tree search in the table's memory; most players never load its kernels."""
        from engine.mcts import MonteCarlo

        load_kernels()
        return MonteCarlo(self._table)

    def _clear_table(self) -> None:
        clear(self._table)
        if self._monte_carlo:
            self._monte_carlo.forget()

    def _set_exact(self, exact: bool) -> None:
        """All parameters anew: for the minimax value without any selectivity, or for play."""
        (params.set_exact if exact else params.set_defaults)(self._search.params)
        fill_reductions(self._search)
        self.new_game()  # what the one has found out is not good enough for the other

    def _set_root(self, board: chess.Board, limits: Limits) -> None:
        set_root(self._search, board, limits, self._lines, 1 + self._crew.helpers)

    def _allot(self, limits: Limits, white: bool) -> Budget:
        """The time for this move; a clock of nodes loses none on the way."""
        ply = self._board.ply()
        if self._node_clock.rate:
            return allot(limits, white, 0, ply=ply)
        self._toll.read(limits, white, ply)
        return allot(limits, white, max(self._overhead, self._toll.worst), self._toll.usual, ply)

    def _set_deadline(self) -> None:
        """Write the hard limit of the budget where the kernels look for it."""
        hard = None if self._pondering else self._budget.hard
        self._cancel_timer()
        self._fields.deadline = int(NO_DEADLINE)
        if hard is None:
            return
        if self._node_clock.rate:
            last = self._nodes_before + int(hard * self._node_clock.rate)
            limit = max(1, last // (1 + self._crew.helpers))
            self._fields.node_limit = min(self._fields.node_limit, limit)
            return
        deadline = self._started + hard / 1000
        self._fields.deadline = min(int(deadline * 1e9), int(NO_DEADLINE))
        if not KERNELS_TELL_TIME:
            self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), self.stop)
            self._timer.daemon = True
            self._timer.start()

    def _cancel_timer(self) -> None:
        """Keep the timer of this search from stopping the next one."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # Reading out

    def _is_enough(self, line: Line, limits: Limits, patience: Patience) -> bool:
        """True if another iteration is not wanted, or would hardly end in time."""
        if limits.mate is not None and line.score >= MATE - 2 * limits.mate + 1:
            return True
        if self._pondering:
            return False
        elapsed = (time.monotonic() - self._started) * 1000
        if self._node_clock.rate:
            elapsed = (self._nodes() - self._nodes_before) / self._node_clock.rate
        soft, hard = self._budget.soft, self._budget.hard
        if hard is not None and elapsed >= hard:
            return True  # iterations of a few nodes end before the kernels look at the clock
        if soft is None or limits.infinite:
            return False
        if self._fields.root_count == 1 and not self._analysing:
            return True  # nothing to choose: save the time
        mate_distance = int(MATE) - abs(line.score)  # in plies; a deeper search can't shorten it
        proven = abs(line.score) > MATE_IN_MAX and line.depth > 2 * mate_distance
        effort = self._fields.root_nodes[0] / max(line.nodes, 1)
        if proven and not self._analysing:
            return True
        return elapsed >= soft * patience.factor(effort)

    def _is_unfinished(self, line: Line, shown: Line) -> bool:
        """True if an iteration was broken off and has not found another move."""
        alpha_beta = self._monte_carlo is None
        return bool(self._fields.stop) and alpha_beta and line.moves[0] == shown.moves[0]

    def _report(self, lines: list[Line], begun: float, on_info: Callable[[Info], None]) -> Info:
        """Tell about all lines; returns what was told about the first."""
        infos = [self._info(line, begun) for line in lines]
        for info in infos:
            on_info(info)
        return infos[0]

    def _info(self, line: Line, begun: float) -> Info:
        """A line of the search in the words of the protocols."""
        seconds = time.monotonic() - begun
        nodes = self._nodes()
        table = self._monte_carlo.table if self._monte_carlo else self._table
        return Info(
            depth=line.depth,
            seldepth=line.selective_depth,
            multipv=line.rank,
            score=to_score(line.score),
            bound=line.bound,
            nodes=nodes,
            nps=int(nodes / max(seconds, 1e-6)),
            hashfull=self._per_mille_full(),
            tbhits=0,
            time=int(seconds * 1000),
            pv=self._reader.read(complete(line.moves, line.score, self._search, table)),
        )

    def _nodes(self) -> int:
        """Positions that all threads have looked at in this search."""
        return int(self._fields.nodes) + self._crew.nodes

    def _per_mille_full(self) -> int:
        if self._monte_carlo:
            return self._monte_carlo.hashfull()
        return hashfull(self._table, self._generation)
