"""The engine: options and a position in, moves and their reasons out.

    from boomslang import Engine, Limits

    with Engine(Hash=64) as engine:
        engine.set_position(moves=["e2e4", "e7e5"])
        print(engine.go(Limits(movetime=500)).best)

The protocols, the commands and programs of others all play through this class. Around the search lies what
a game needs: an opening book, endgame tables, limited strength, and plain Python until the kernels are there.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import chess

from boomslang.engine.boards import copy_board
from boomslang.engine.books.opening_book import OpeningBook
from boomslang.engine.driver.loading import KernelLoader, LateKernels, log_remark
from boomslang.engine.driver.people_loader import PeopleLoader
from boomslang.engine.driver.precompiling import EXPLANATIONS
from boomslang.engine.driver.protocol import SearcherProtocol
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.errors import CommandError, check_listener, reporting_refusal, sparing
from boomslang.engine.levels.handicap import Handicap
from boomslang.engine.limits import Info, Limits, Listener, Result, Score, ignore, spell_moves
from boomslang.engine.notation.position_setup import PositionSetup, check_kind, read_search_moves
from boomslang.engine.options import ALGORITHM, OPTIONS, Given, Option, Value, find
from boomslang.engine.textbook.fallback import TextbookSearcher

if TYPE_CHECKING:
    from boomslang.eval.classical.trace import Trace
    from boomslang.eval.network.trace import NetworkTrace

_TABLES_TIMEOUT: Final = 2.0  # more seconds that `get_ready` waits for their kernels
_ERROR: Final = "error: "  # begins messages about failures
_POLL_INTERVAL: Final = 0.02  # seconds between looks at whether the search was stopped


class Engine:
    """One engine. One thread at a time works with it; any other may call `stop`, `ponderhit` and `close`.

    What else other threads ask of it waits for the end of a search; in its `on_info` it raises CommandError.

    `options` are those of UCI by name, with underscores for blanks: `Engine(Move_Overhead=50)`.
    `on_remark` receives lines for the user, of which failures begin with `error: `; without it they go to
    the logger `boomslang`. Without `kernels` the constructor waits until they are loaded, or compiled, which
    takes half a minute at the first start on a computer; with them, plain Python answers until then.

    Raises CommandError for unknown options, invalid values and after `close`, RuntimeError without kernels.
    """

    def __init__(
        self,
        on_remark: Callable[[str], None] | None = None,
        kernels: KernelLoader | None = None,
        **options: Given,
    ) -> None:
        check_listener(on_remark, "on_remark")
        self.values: dict[str, Value] = {}  # options that were set
        self._early: list[tuple[Option, Value]] = []  # of the search, set before its kernels came
        self._is_closed = False
        self.book = OpeningBook()
        self.handicap = Handicap(self._say)
        self._on_remark = on_remark or log_remark
        self.tablebase = Tablebase(self._say)
        self._kernels = kernels or KernelLoader(self._say, is_own_process=False, has_clock=False)
        mcts = "boomslang.engine.driver.mcts"
        self.people = PeopleLoader(self._kernels, self.handicap, self._say)
        self._mcts = LateKernels("Monte Carlo tree search", self._kernels, mcts)
        self._explanation = LateKernels("explanations", self._kernels, *EXPLANATIONS)
        self._textbook = TextbookSearcher()
        self._searcher: SearcherProtocol = self._textbook
        self._positions = PositionSetup()
        self._board: chess.Board | None = chess.Board()  # None: the last position was refused
        self._given: tuple[str | chess.Board | None, tuple[str, ...]] = None, ()
        self._task: SearchTask | None = None
        self._at_work = threading.Lock()  # held by a search, and by what must not meet one
        self._worker = 0, 0  # the process and thread that hold it
        self._game_seed = ""  # seed of weak play and book moves
        self._warning = threading.Semaphore()  # acquired by who says that there are no kernels
        self._has_waited = False  # for the kernels in this game, in vain
        self.change_seed()
        if kernels is None:
            self.wait_for_kernels()
        for name, value in options.items():
            self.set_option(name, value)

    def __enter__(self) -> Engine:
        self._refuse_if_closed()
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop searching, wait for the end of the search, and close the endgame tables.

        In `on_info` this does not wait; the search ends, and lets go of its tables, when that has returned.
        """
        self._is_closed = True
        if self._is_worker():
            self.stop()
            self.tablebase.open("")
            return
        while not self._at_work.acquire(timeout=_POLL_INTERVAL):
            if self._is_stranded():
                return
            self.stop()  # again, for the search may only be about to begin
        try:
            self.tablebase.open("")
        finally:
            self._at_work.release()

    @contextmanager
    def _hold_searches(self, what: str) -> Iterator[None]:
        """Keep searches of other threads away; raises CommandError in a search of this thread."""
        if self._is_worker():
            raise CommandError(f"cannot {what} in on_info, for the search goes on")
        with self._at_work:
            self._refuse_if_closed()
            self._worker = os.getpid(), threading.get_ident()
            try:
                yield
            finally:
                self._worker = 0, 0

    def _is_worker(self) -> bool:
        return self._worker == (os.getpid(), threading.get_ident())

    def _is_stranded(self) -> bool:  # forked from a search, whose thread this process lacks
        return self._worker[0] not in (0, os.getpid())

    def __repr__(self) -> str:
        values = (f"{name.replace(' ', '_')}={value!r}" for name, value in self.values.items())
        position = "no position" if self._board is None else self._board.fen()
        return f"<Engine({', '.join(values)}): {'closed' if self._is_closed else position}>"

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise CommandError("the engine is closed; a new Engine is needed")
        if self._is_stranded():
            raise CommandError("this process was forked during a search; a new Engine is needed")

    # Options

    @property
    def options(self) -> dict[str, Option]:
        """All options by name, with `kind` (of UCI), `default`, and `lowest`, `highest` or `choices`."""
        return {option.name: option for option in OPTIONS}

    def set_option(self, name: str, value: Given = "") -> Option:
        """Set an option between two searches; a number outside its bounds is clipped.

        It waits for the end of a search of another thread. Raises CommandError in `on_info`, and, with the
        accepted values, for one that cannot be used; it keeps its value.
        """
        self._refuse_if_closed()
        try:
            option = find(name)
        except CommandError as problem:
            raise CommandError(f"{problem} (options: {', '.join(self.options)})") from None
        read = option.read(value)
        with self._hold_searches("set an option"):
            return self._set(option, read)

    def _set(self, option: Option, read: Value) -> Option:
        before = self.values.copy()
        if option.kind != "button":
            self.values[option.name] = read
        try:
            message = self._apply(option, read)
            if message and message.startswith(_ERROR):
                raise CommandError(message.removeprefix(_ERROR))
        except CommandError:
            self.values = before
            raise
        if message:
            self._say(message)
        return option

    def _apply(self, option: Option, value: Value) -> str | None:
        if option.setter:
            return option.setter(self, value)
        searcher = self._kernels.searcher
        if option.search_setter and searcher and searcher is self._searcher:
            is_mcts = option.name == ALGORITHM and value == "mcts"
            if is_mcts and (refusal := self._mcts.refusal()):
                return refusal
            return option.search_setter(searcher, value)
        if option.search_setter:
            self._early.append((option, value))
        return None

    def value_of(self, name: str) -> Value:
        """The value of an option, or its default; raises CommandError."""
        return self.values.get(find(name).name, find(name).default)

    def open_tables(self, path: str) -> str | None:
        """Use the endgame tables in these folders; returns a message, or None if they can be used."""
        if not (message := self.tablebase.open(path)) and self.tablebase.files:
            self._kernels.call_at_end(partial(self.tablebase.load, aside=self._kernels.has_clock))
        return message

    def repeat_position(self) -> None:
        """Set up the position again, by the present value of UCI_Chess960; one of Chess960 alone stays."""
        if board := self._board:
            try:
                self.set_position(*self._given)
            except CommandError:
                self._board = board

    # The position

    def new_game(self) -> None:
        """Forget everything about the last game. Waits as `set_option` does, and raises CommandError."""
        self._refuse_if_closed()
        with self._hold_searches("begin a new game"):
            self._has_waited = False
            self._adopt_kernels()
            self.change_seed()
            self._searcher.new_game()

    def set_position(
        self, position: str | chess.Board | None = None, moves: Iterable[str | chess.Move] = ()
    ) -> None:
        """Set up a FEN, a board with its history, or None for the start position, and play moves.

        Moves are UCI strings or those of python-chess. Raises CommandError; there is no position then until
        a good one. Raises TypeError for anything else.
        """
        self._refuse_if_closed()
        check_kind(position)
        names = spell_moves(moves, "moves")
        self._board = None
        chess960 = bool(self.value_of("UCI_Chess960"))
        try:
            self._board = self._positions.set_up(position, names, chess960)
        except CommandError as problem:
            raise CommandError(f"position refused: {problem}") from None
        self._given = copy_board(position) if isinstance(position, chess.Board) else position, names

    @property
    def board(self) -> chess.Board:
        """A copy of the position with its history; raises CommandError if there is none."""
        if self._board is None:
            raise CommandError("there is no position, for the last one was refused")
        return copy_board(self._board)

    # Searching

    def get_ready(self) -> None:
        """Wait some seconds for the kernels, also those of endgame tables."""
        self._refuse_if_closed()
        if self._kernels.wait_until_ready():
            longest = self._kernels.remaining_wait() + _TABLES_TIMEOUT
            self.tablebase.wait(longest, lambda: self._kernels.is_waiting_stopped)
        with self._hold_searches("get ready"):
            self._adopt_kernels()
            self._settle_algorithm(waits=True)
            self.people.get_ready()

    def is_compiled(self) -> bool:
        """True once the kernels are loaded."""
        return self._kernels.wait(0) and self._kernels.searcher is not None

    def wait_for_kernels(self) -> None:
        """Wait for the kernels without a limit; raises RuntimeError if they cannot be loaded."""
        self._refuse_if_closed()
        self._kernels.wait()
        with self._hold_searches("wait for kernels"):
            self._adopt_kernels()
        if self._kernels.searcher is None:
            raise RuntimeError(f"no kernels: {self._kernels.problem}")

    def evaluate(self, classical: bool = False) -> Trace | NetworkTrace | None:
        """The `rows` (`name`, `score`) and sum (`score`) of the static evaluation, centipawns, White's view.

        None in check. Raises CommandError without a position, RuntimeError without kernels.
        """
        board = self.board
        self.wait_for_kernels()
        self._explanation.wait()
        with self._hold_searches("evaluate"):
            searcher = self._kernels.searcher
            return searcher.explain(board, classical) if searcher else None

    def go(
        self, limits: Limits | SearchTask | None = None, on_info: Listener | None = None
    ) -> Result:
        """Search the position until a limit is reached or `stop` is called.

        Without limits it ends at the greatest depth. `on_info` receives each line of thinking, before the
        answer. Other threads may stop a SearchTask before it is searched. A result without a move means
        that the game has ended. Raises CommandError without a position, for limits that do not fit it and in
        `on_info`, and whatever the search or `on_info` raise.
        """
        self._refuse_if_closed()
        if not isinstance(limits, SearchTask | Limits | None):
            raise TypeError(f"go takes Limits, not {type(limits).__name__}")
        check_listener(on_info, "on_info")
        with self._hold_searches("search"):
            return self._go(limits, on_info or ignore)

    def analyse(self, limits: Limits | None = None, multipv: int | None = None) -> list[Info]:
        """Search the position at full strength, without the opening book.

        Returns the last line of thinking for each of the `multipv` best moves, the best first; none if the
        game has ended. Raises as `go`.
        """
        limits = limits or Limits(infinite=True)
        if not isinstance(limits, Limits):
            raise TypeError(f"analyse takes Limits, not {type(limits).__name__}")
        multipv = limits.multipv if multipv is None else multipv
        return list(self.go(replace(limits, multipv=multipv, analysing=True)).lines)

    def _go(self, limits: Limits | SearchTask | None, on_info: Listener) -> Result:
        if not isinstance(limits, SearchTask):
            limits = SearchTask(limits or Limits(infinite=True), time.monotonic())
        self._task = task = limits
        board = self.board
        task.at_stop = self._kernels.wake
        task.limits.check(board.turn == chess.WHITE)
        task.limits = self._with_options(task.limits, board)
        if not any(board.legal_moves):
            return Result(None, None)
        if self._searcher is self._textbook or self.tablebase.files:
            self._wait_on_the_clock(task, board.turn)
            self._adopt_kernels()
        self._settle_algorithm()
        result = self._search(self._searcher, task, board, on_info)
        if task.preempted and not task.stopped:
            # The kernels have come meanwhile, and the rest of the time is theirs.
            self._adopt_kernels()
            result = self._search(self._searcher, task, board, on_info)
        if not result.lines and result.best:  # GUIs want to see a score before every move
            on_info(Info(1, 1, 1, Score(centipawns=0), "", 1, 1, 0, 0, 0, (result.best,)))
        return result

    def _with_options(self, limits: Limits, board: chess.Board) -> Limits:
        """The limits with the values of the options that they override, and their moves as spelled here."""
        moves, overhead = limits.search_moves, limits.overhead
        return replace(
            limits,
            search_moves=None if moves is None else read_search_moves(board, moves),
            analysing=limits.analysing or bool(self.value_of("UCI_AnalyseMode")),
            multipv=limits.multipv or int(self.value_of("MultiPV")),
            overhead=int(self.value_of("Move Overhead")) if overhead is None else overhead,
        )

    def stop(self) -> None:
        """End the search; it answers with the best move so far."""
        if self._task:
            self._task.stop()

    def ponderhit(self) -> None:
        """The opponent has played the expected move: go on by the clock."""
        if self._task:
            self._task.ponderhit()

    def _say(self, remark: str) -> None:
        """Tell the user; a listener that raises hears nothing more, and the logger gets it."""

        def log_instead() -> None:
            self._on_remark = log_remark
            log_remark(remark)

        with sparing("the listener for remarks", log_instead, log_remark):
            self._on_remark(remark)

    def _search(
        self, searcher: SearcherProtocol, task: SearchTask, board: chess.Board, on_info: Listener
    ) -> Result:
        """The answer of a searcher. If it fails, or answers with an illegal move, see `_rescue`.

        If kernels arrive while there is time for them, they take over from plain Python.
        """
        limits, started = task.attach(searcher)
        if self._searcher is self._textbook:
            self._kernels.call_at_end(partial(self._preempt, task, board.turn))
        try:
            if limits.playing:
                self.people.prepare(task, board.turn)
            result = self._choose(searcher, copy_board(board), limits, on_info, started)
            if result.best is None or not board.is_legal(result.best):
                raise RuntimeError(f"the search answered {result.best}")
            self.handicap.rest(task, searcher, board, result.best)
            return result
        except Exception as problem:
            return self._rescue(problem, searcher, task, board, on_info)
        finally:
            task.detach()

    def _rescue(
        self,
        problem: Exception,
        searcher: SearcherProtocol,
        task: SearchTask,
        board: chess.Board,
        on_info: Listener,
    ) -> Result:
        """What becomes of a search that has failed: it is for the caller."""
        raise problem

    def _choose(
        self,
        searcher: SearcherProtocol,
        board: chess.Board,
        limits: Limits,
        on_info: Listener,
        started: float,
    ) -> Result:
        """The move of the book, of a limited level, or of a search with or without endgame tables."""
        if limits.playing:
            if self.book.is_used and (result := self._book_move(board, limits, on_info)):
                return result
            if self.handicap.level:
                searcher.use_tables(None)
                return self.handicap.search(searcher, board, limits, on_info, started)
        searcher.use_tables(self.tablebase if self.tablebase.files else None)
        return searcher.search(board, limits, on_info, started)

    def _book_move(self, board: chess.Board, limits: Limits, on_info: Listener) -> Result | None:
        reply = None
        with sparing("the opening book", partial(self.book.open, ""), self._say):
            if complaint := self.book.complaint(board):
                self._say(complaint)
            reply = self.book.move(board, self._game_seed)
        if not reply or (limits.search_moves and reply.best.uci() not in limits.search_moves):
            return None
        self._say(f"book move {reply.best.uci()}, weight {reply.weight} of {reply.total}")
        line = (reply.best, reply.ponder) if reply.ponder else (reply.best,)
        info = Info(1, len(line), 1, Score(centipawns=0), "", 1, 1, 0, 0, 0, line)
        on_info(info)
        return Result.of([info])

    # Kernels

    def _preempt(self, task: SearchTask, turn: chess.Color) -> None:
        """End a search by plain Python that would go on for long, as the kernels are loaded."""
        if self._kernels.searcher:
            task.preempt(self._textbook, turn == chess.WHITE)
        else:
            self._adopt_kernels()  # says that there are none

    def _wait_on_the_clock(self, task: SearchTask, turn: chess.Color) -> None:
        """Wait for the kernels as long as that is likely to give a better move.

        Where a clock is running that is tried once a game, and not if they are being compiled.
        """
        longest, kernels = task.limits.longest_wait(turn == chess.WHITE), self._kernels
        is_timed = longest is not None
        if is_timed and self._has_waited:
            return
        left = kernels.remaining_wait() if longest is None else longest
        until = time.monotonic() + left
        if kernels.wait(left, lambda: task.stopped or (is_timed and not kernels.are_near)):
            self.tablebase.wait(until - time.monotonic(), lambda: task.stopped)
        else:
            self._has_waited = self._has_waited or is_timed

    def _adopt_kernels(self) -> None:
        """Change to the compiled search when it is loaded, in `_hold_searches`; say once if there is none."""
        if self._searcher is not self._textbook or not self._kernels.wait(0):
            return
        if self._kernels.searcher is None:
            if self._warning.acquire(blocking=False):
                self._say(f"error: no kernels, plain Python plays on: {self._kernels.problem}")
            return
        self._kernels.tell_compiled()
        if self._kernels.remark:
            self._say(self._kernels.remark)
        self._searcher = self._kernels.searcher
        self.values = {n: value for n, value in self.values.items() if not find(n).search_setter}
        for option, value in self._early:  # in turn: where one is refused, that before it stays
            with reporting_refusal(self._say):
                self._set(option, value)

    def _settle_algorithm(self, waits: bool = False) -> None:
        """Change to the algorithm that was chosen before its kernels were there, if they come in time."""
        if self.value_of(ALGORITHM) == "mcts" and self._mcts.is_due(waits):
            with reporting_refusal(self._say):
                self._set(find(ALGORITHM), self.value_of(ALGORITHM))

    def change_seed(self) -> None:
        """Make other random choices than in the last game, unless `Random Seed` is set."""
        self._game_seed = str(self.value_of("Random Seed") or secrets.randbits(64))
        self.handicap.reseed(self._game_seed)
