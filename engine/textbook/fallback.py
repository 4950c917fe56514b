"""A searcher in plain Python, which plays while the kernels are being compiled.

It combines the textbook algorithms: iterative deepening, fail-soft alpha-beta with the previous depth's
best move first, check extension and quiescence search. It starts at once, obeys every limit, and sees a
few moves deep. However short the time is, it finishes two plies and the exchanges behind them, unless
half of the clock is gone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import chess

from boomslang.engine.limits import DEFAULT_OVERHEAD, Info, Limits, Listener, Result, Score
from boomslang.engine.notation.position_setup import legal_names
from boomslang.engine.textbook.chess_game import MATE, MATE_IN_MAX
from boomslang.engine.textbook.game import SearchInterruptedError
from boomslang.engine.textbook.root import RootLine, RootSearch
from boomslang.engine.textbook.watch import FIRST_LOOK, SearchWatch, allow

MAX_DEPTH: Final = 64  # plies
MIN_DEPTH: Final = 2  # plies, for every move


class TextbookSearcher:
    """A searcher in plain Python. A search to a fixed depth always gives the same answer."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._ponderhit = threading.Event()
        self._clock = threading.Lock()  # guards the state shared by `ponderhit` and `search`
        self._pondering: SearchWatch | None = None

    def clear_stop(self) -> None:
        """Reset an earlier `stop` and `ponderhit`."""
        self._stopped.clear()
        self._ponderhit.clear()

    def stop(self) -> None:
        """End the search at the next node, also if it has not begun yet."""
        self._stopped.set()

    def ponderhit(self) -> None:
        """Start the clock of a search that began as pondering."""
        with self._clock:
            self._ponderhit.set()
            if self._pondering is not None:
                self._pondering.start_clock(time.monotonic())

    def current(self) -> None:
        """None: the current move is not reported."""

    def new_game(self) -> None:
        """Nothing to clear: no state is kept between searches."""

    def fresh_memory(self) -> AbstractContextManager[None]:
        """Nothing to put aside: no state is kept between searches."""
        return nullcontext()

    def rest(self, *move: object) -> None:
        """Nothing to do: it has taken its time."""

    def use_tables(self, tables: object) -> None:
        """It does without tablebases, which kernels read."""

    def search(
        self, board: chess.Board, limits: Limits, on_info: Listener, started: float | None = None
    ) -> Result:
        """Search until a limit or `stop`; `on_info` is called with the lines of each finished depth.

        It also gets those of an aborted depth if the best move has changed.
        """
        started = time.monotonic() if started is None else started
        moves = _choose_moves(board, limits.search_moves)
        if not moves:
            return Result(None, None)
        overhead = DEFAULT_OVERHEAD if limits.overhead is None else limits.overhead
        times = allow(board, limits, overhead / 1000, len(moves))
        watch = SearchWatch(self._stopped, limits.nodes, times)
        watch.owes, watch.looks_until = True, time.thread_time() + FIRST_LOOK
        with self._clock:  # when pondering it is left to `ponderhit`
            if limits.ponder and not self._ponderhit.is_set():
                self._pondering = watch
            else:
                watch.start_clock(started)
        root = RootSearch(board, moves, limits.multipv or 1, watch)

        def report() -> Result:
            seconds = time.monotonic() - started
            infos = [
                _info(line, number, watch.nodes, seconds)
                for number, line in enumerate(root.lines, 1)
            ]
            for info in infos:
                on_info(info)
            return Result.of(infos)

        best = Result(root.moves[0], None)  # there is always a move
        wanted_depth = min(MAX_DEPTH, limits.depth or MAX_DEPTH)
        glanced = False
        try:
            root.glance(1)
            watch.looks_until = 0.0
            if wanted_depth > 1:
                best = report()
                root.glance(MIN_DEPTH)
                glanced = True
            watch.owes = False
            for depth in range(min(MIN_DEPTH, wanted_depth), wanted_depth + 1):
                if time.monotonic() >= watch.next_depth:
                    break
                root.search(depth)
                best = report()
                glanced = False
                if _is_enough(depth, root.lines, limits):
                    break
        except SearchInterruptedError:
            pass
        finally:
            with self._clock:
                self._pondering = None
        if root.lines and (glanced or best.info is None or root.lines[0].moves[0] != best.best):
            best = report()
        return best


def _choose_moves(board: chess.Board, moves: Iterable[str | chess.Move] | None) -> list[chess.Move]:
    """The legal ones among `moves`; all legal moves if none is named or none of them is legal."""
    legal = list(board.legal_moves)
    names = legal_names(board, moves)
    return legal if names is None else [move for move in legal if move.uci() in names]


def _is_enough(depth: int, lines: list[RootLine], limits: Limits) -> bool:
    """True if a deeper search cannot change the answer."""
    plies = [MATE - abs(line.value) for line in lines]
    if limits.mate and lines[0].value > 0 and plies[0] <= 2 * limits.mate:
        return True
    return max(plies) <= depth  # these mates are the shortest: all within the depth were searched


def _info(line: RootLine, number: int, nodes: int, seconds: float) -> Info:
    return Info(
        depth=line.depth,
        seldepth=max(line.depth, len(line.moves)),
        multipv=number,
        score=_score(line.value),
        bound="",
        nodes=nodes,
        nps=round(nodes / max(seconds, 1e-3)),
        hashfull=0,
        tbhits=0,
        time=round(1000 * seconds),
        pv=line.moves,
    )


def _score(value: float) -> Score:
    if abs(value) < MATE_IN_MAX:
        return Score(centipawns=round(value))
    moves = (MATE - int(abs(value)) + 1) // 2
    return Score(mate=moves if value > 0 else -moves)
