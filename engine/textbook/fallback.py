"""A player in plain Python: what answers while the kernels of the real engine are being compiled.

It is the textbook put together: iterative deepening, fail-soft alpha-beta with the best move of the
last time first, check extension and quiescence search. It starts at once, obeys every limit, and
sees a few moves deep; that is all it is for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from math import inf
from typing import Final, NamedTuple

import chess

from engine.limits import Info, Limits, Result, Score
from engine.textbook.alphabeta import Plan, iterative_deepening
from engine.textbook.chess_game import MATE, MATE_IN_MAX, ChessGame, captures_first
from engine.textbook.game import Counter, Found, Interrupted
from engine.textbook.quiescence import extend_forced, quiesce

MAX_DEPTH: Final = 64  # plies
MOVES_TO_GO: Final = 30  # the game is thought to last so many moves more
SPENDABLE_INCREMENT: Final = 0.75  # share of the increment added to the time for a move
LARGEST_SHARE: Final = 0.5  # of the time left, at most, goes into one move
NEXT_DEPTH_SHARE: Final = 0.4  # of the time for the move; later than that no further depth is begun
SHORTEST: Final = 0.005  # seconds; less is no search


class Watch(Counter):
    """Counts nodes, and interrupts the search when it is told to stop or a limit is reached."""

    def __init__(self, stopped: threading.Event, nodes: int | None) -> None:
        super().__init__()
        self.deadline = inf  # of time.monotonic(); may be set from another thread
        self.next_depth = inf  # no depth is begun after this
        self._stopped = stopped
        self._limit = inf if nodes is None else nodes

    def visit(self) -> None:
        """Count a node, or raise Interrupted."""
        if self.is_over():
            raise Interrupted
        self.nodes += 1

    def is_over(self) -> bool:
        """True if not one node more may be visited."""
        return (
            self.nodes >= self._limit or self._stopped.is_set() or time.monotonic() >= self.deadline
        )


class Budget(NamedTuple):
    """Seconds from the start of the clock; infinite without one."""

    whole: float = inf  # after this the search is interrupted
    next_depth: float = inf  # after this no further depth is begun


class TextbookPlayer:
    """A `Searcher` in plain Python. A search to a fixed depth always gives the same answer."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._ponderhit = threading.Event()
        self._clock = threading.Lock()  # guards what `ponderhit` and `search` both look at
        self._pondering: tuple[Watch, Budget] | None = None
        self._overhead = 0.03  # seconds that a move costs on its way to the opponent
        self._lines = 1

    def arm(self) -> None:
        """Forget an earlier `stop` and `ponderhit`."""
        self._stopped.clear()
        self._ponderhit.clear()

    def stop(self) -> None:
        """End the search at the next node, also if it has not begun yet."""
        self._stopped.set()

    def ponderhit(self) -> None:
        """Start the clock of a search that was begun while the opponent was thinking."""
        with self._clock:
            self._ponderhit.set()
            if self._pondering is not None:
                _start_clock(time.monotonic(), *self._pondering)

    def current(self) -> None:
        """Nobody knows."""

    def new_game(self) -> None:
        """Nothing is remembered from one search to the next."""

    def configure(self, name: str, value: int | bool | str) -> str | None:
        """Take "MultiPV" (lines) and "Move Overhead" (milliseconds); others do not matter here."""
        if name == "MultiPV":
            self._lines = max(1, int(value))
        elif name == "Move Overhead":
            self._overhead = int(value) / 1000
        return None

    def search(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        started: float | None = None,
    ) -> Result:
        """Search until a limit or `stop`; `on_info` gets one line for each finished depth."""
        started = time.monotonic() if started is None else started
        wanted = _wanted_moves(board, limits.search_moves)
        if not wanted:
            return Result(None, None, None)
        watch = Watch(self._stopped, limits.nodes)
        self._set_clock(watch, _budget(board, limits, self._overhead, len(wanted)), limits, started)
        first = captures_first(ChessGame(board), wanted)[0]
        best = Result(first, None, None)  # so that there is a move whatever happens
        try:
            for depth, lines in enumerate(self._deepen(board, watch, wanted), 1):
                infos = [
                    _info(depth, number, found, watch.nodes, time.monotonic() - started)
                    for number, found in enumerate(lines, 1)
                ]
                for info in infos:
                    on_info(info)
                line = infos[0].pv
                best = Result(line[0], line[1] if len(line) > 1 else None, infos[0])
                if _is_enough(depth, lines, limits) or time.monotonic() >= watch.next_depth:
                    break
        except Interrupted:
            pass
        finally:
            with self._clock:
                self._pondering = None
        return best

    def _set_clock(self, watch: Watch, budget: Budget, limits: Limits, started: float) -> None:
        """Start the clock of a search now or, if it ponders, leave that to `ponderhit`."""
        with self._clock:
            if limits.ponder and not self._ponderhit.is_set():
                self._pondering = watch, budget
            else:
                _start_clock(started, watch, budget)

    def _deepen(
        self, board: chess.Board, watch: Watch, wanted: list[chess.Move]
    ) -> Iterator[list[Found]]:
        """The best lines, best first, at depth 1, 2 ..."""
        plan = Plan(watch, captures_first, extend=extend_forced, settle=quiesce)
        if self._lines == 1:
            for found in iterative_deepening(ChessGame(board, only=wanted), plan):
                yield [found]
        for depth_lines in zip(
            *(
                iterative_deepening(ChessGame(board, only=[move]), plan)
                for move in captures_first(ChessGame(board), wanted)
            ),
            strict=True,
        ):
            yield sorted(depth_lines, key=lambda found: -found.value)[: self._lines]


def _wanted_moves(board: chess.Board, names: tuple[str, ...] | None) -> list[chess.Move]:
    """The legal moves among the named ones; all if there are no names, or none of them is legal."""
    legal = list(board.legal_moves)
    wanted = []
    for name in names or ():
        try:
            wanted.append(board.parse_uci(name))
        except ValueError:
            continue
    return [move for move in legal if move in wanted] or legal


def _budget(board: chess.Board, limits: Limits, overhead: float, moves: int) -> Budget:
    """The time for this move, one of `moves` that may be chosen."""
    if limits.movetime is not None:
        return Budget(limits.movetime / 1000)
    left = limits.white_time if board.turn else limits.black_time
    if left is None or limits.infinite:
        return Budget()
    increment = (limits.white_increment if board.turn else limits.black_increment) or 0
    seconds = max(0.0, left / 1000 - overhead)
    share = seconds / (limits.moves_to_go or MOVES_TO_GO) + SPENDABLE_INCREMENT * increment / 1000
    whole = max(SHORTEST, min(share, LARGEST_SHARE * seconds))
    return Budget(whole, NEXT_DEPTH_SHARE * whole if moves > 1 else 0.0)


def _start_clock(now: float, watch: Watch, budget: Budget) -> None:
    """Set the deadlines of a watch."""
    watch.deadline = now + budget.whole
    watch.next_depth = now + budget.next_depth


def _is_enough(depth: int, lines: list[Found], limits: Limits) -> bool:
    """True if a deeper search is not asked for or cannot change the answer."""
    if depth >= min(MAX_DEPTH, limits.depth or MAX_DEPTH):
        return True
    plies = [MATE - abs(found.value) for found in lines]
    if limits.mate and lines[0].value > 0 and plies[0] <= 2 * limits.mate:
        return True
    return max(plies) <= depth  # all mates within the depth have been seen: these are the shortest


def _info(depth: int, number: int, found: Found, nodes: int, seconds: float) -> Info:
    """A finished depth as the front end wants it."""
    return Info(
        depth=depth,
        seldepth=max(depth, len(found.line)),
        multipv=number,
        score=_score(found.value),
        bound="",
        nodes=nodes,
        nps=round(nodes / max(seconds, 1e-3)),
        hashfull=0,
        tbhits=0,
        time=round(1000 * seconds),
        pv=found.line,
    )


def _score(value: float) -> Score:
    """Centipawns, or moves to the mate."""
    if abs(value) < MATE_IN_MAX:
        return Score(centipawns=round(value))
    moves = (MATE - int(abs(value)) + 1) // 2
    return Score(mate=moves if value > 0 else -moves)
