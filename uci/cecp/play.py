"""Playing and pondering: moves on the board, and the searches for them."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import chess

from boomslang.engine.boards import copy_board
from boomslang.engine.driver.chances import displayed
from boomslang.engine.driver.draw_offers import WHEN_EQUAL, DrawOffers
from boomslang.engine.driver.search_task import SearchTask
from boomslang.engine.limits import CurrentMove, Info, Limits, Result, Score
from boomslang.uci.cecp import formatting
from boomslang.uci.cecp.clock import Clock, has_enough
from boomslang.uci.cecp.game import CecpGame, outcome, possible_claim
from boomslang.uci.formatting import ponder_move
from boomslang.uci.loop import SearchThread
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine

RESIGN_AFTER: Final = 3  # consecutive moves with a score below the limit


class DrawsAndResigning:
    """Decides by the scores of the engine's own moves."""

    def __init__(self) -> None:
        self.resign_below = 0  # centipawns; 0: play on to the mate
        self.draw_is_offered = False
        self._score: int | None = None  # score of the engine's last move, from its view
        self._hopeless = 0
        self._offers = DrawOffers()

    def new_game(self) -> None:
        """Reset the last score too."""
        self._score = None
        self.start_afresh()

    def start_afresh(self) -> None:
        """The position was changed: reset the counts of consecutive moves.

        The last score is kept; without one, every draw would be claimed.
        """
        self.draw_is_offered = False
        self._hopeless = 0
        self._offers.forget()

    def change_sides(self) -> None:
        """The engine changes sides: invert the last score."""
        self.start_afresh()
        if self._score is not None:
            self._score = -self._score

    def record(self, score: Score) -> None:
        """Record the score of the engine's next move."""
        self._score = formatting.score(score)
        self._offers.record(displayed(score))
        lost = self.resign_below > 0 and self._score <= -self.resign_below
        self._hopeless = self._hopeless + 1 if lost else 0

    def resigns(self) -> bool:
        """True if the scores have been lost for some moves."""
        return self._hopeless >= RESIGN_AFTER

    def wants_draw(self) -> bool:
        """True if a draw that can be claimed is at least as good as the score."""
        return self._score is None or self._score <= WHEN_EQUAL

    def accepts_draw(self, board: chess.Board) -> bool:
        """True if a draw offer is to be accepted."""
        return self.draw_is_offered and self._offers.accepts(board)


class SearchPurpose(enum.Enum):
    """The purpose of a search."""

    MOVE = enum.auto()
    PONDER = enum.auto()
    ANALYSIS = enum.auto()


@dataclass
class CecpSearch:
    """A search and its state."""

    purpose: SearchPurpose
    board: chess.Board
    task: SearchTask
    expected: chess.Move | None = None  # the opponent's move, when pondering
    result: Result | None = None


class Play:
    """The game and its searches; a thread of their own calls `_run` and `_inform`, the session all else.

    `search` is the current one, also after its end, until it is halted or its answer is taken; `answered` is
    called with every finished search.
    """

    def __init__(
        self, output: Output, engine: ProtocolEngine, answered: Callable[[CecpSearch], None]
    ) -> None:
        self.game = CecpGame()
        self.clock = Clock()
        self.offers = DrawsAndResigning()
        self.search: CecpSearch | None = None
        self.is_analysing = False
        self.shows_thinking = False
        self._may_ponder = False
        self.is_under_way = False  # clocks may be running: the engine has searched for a move
        self._output = output
        self._engine = engine
        self._answered = answered
        self._thread = SearchThread(output)
        self._side: chess.Color | None = chess.BLACK  # the engine's side; None: neither
        self._played = chess.BLACK  # the engine's side, or its last one
        self._ponders = False  # the opponent is to move, and pondering is due
        self._expected: chess.Move | None = None
        self._excluded: set[chess.Move] = set()  # from the analysis of the current position
        self._end_reported = False  # the end of the game was reported in analysis

    @property
    def is_thinking(self) -> bool:
        """True if a move of the engine is pending."""
        return self._is_for(SearchPurpose.MOVE)

    # Beginning and ending

    def interrupt(self) -> None:
        """End the current search, if any, and discard its answer."""
        self.halt()
        self._ponders, self._expected = False, None

    def halt(self) -> None:
        """The same, but what is to be done after it remains due."""
        search, self.search = self.search, None
        if search:
            search.task.stop()
            search.task.finished.wait()

    def new_game(self) -> None:
        """`new`: the start position; the engine plays Black."""
        self.game.new()
        self.clock.new_game()
        self.offers.new_game()
        self.position_changed()
        self.is_under_way = False
        self._side = self._played = chess.BLACK

    def position_changed(self) -> None:
        """The board was changed otherwise than by a move."""
        self.clock.restart(self.game.plies)
        self.offers.start_afresh()
        self.forget_excluded()

    def take_side(self, colour: chess.Color | None) -> None:
        """Play that colour from now on, or none."""
        if colour is not None and colour != self._played:
            self.offers.change_sides()
            self._played = colour
        self._side = colour

    def allow_pondering(self, wanted: bool) -> None:
        """`hard`, `easy`."""
        self._may_ponder = wanted
        if not wanted:
            self._ponders = False
            if self._is_for(SearchPurpose.PONDER):
                self.halt()

    def move_now(self) -> None:
        """`?`."""
        if self.search and self.is_thinking:
            self.search.task.stop()

    def think_if_due(self, started: float) -> None:
        """Begin to think about a move if it is our turn."""
        board = self.game.board
        if board.turn != self._side:
            return
        self.is_under_way = True
        if end := self._end(board):
            self._output.line(end)
        if any(board.legal_moves):
            self._begin(SearchPurpose.MOVE, copy_board(board), self._limits(board), started)

    # Moves

    def play_opponent_move(self, move: chess.Move, started: float) -> None:
        """A move of the opponent, perhaps the expected one."""
        search, board = self.search, self.game.board
        is_expected = self._is_for(SearchPurpose.PONDER) and self._expected == move
        board.push(move)
        enough = search and has_enough(search.task.limits, self._limits(board), board.turn)
        if search and is_expected and enough:
            self._hit(search)
            return
        self.interrupt()
        self.forget_excluded()
        if not self.is_analysing:
            self.think_if_due(started)

    def take(self, search: CecpSearch) -> None:
        """Handle the end of a search."""
        if search is self.search and search.result and self.is_thinking:
            self.search = None
            self._move(search, search.result)

    def consider_draw(self) -> None:
        """`draw`: accept at once, or keep the offer until the engine's next move."""
        self.offers.draw_is_offered = True
        if not self.game.is_sound or self.is_thinking:
            return
        if self.offers.accepts_draw(self.game.board):
            self.offers.draw_is_offered = False
            self._output.line("offer draw")

    def _hit(self, search: CecpSearch) -> None:
        self._ponders, self._expected = False, None
        search.purpose = SearchPurpose.MOVE
        search.task.ponderhit()
        if end := self._end(self.game.board):
            self._output.line(end)
        if search.result:
            self.take(search)

    def _move(self, search: CecpSearch, result: Result) -> None:
        board = self.game.board
        if result.info and not result.info.bound:
            self.offers.record(result.info.score)
        if self.offers.resigns():
            self._output.line("resign")
            return
        if result.best is None:
            return
        spelled = f"move {board.xboard(result.best)}"
        reply = ponder_move(board, result)
        agreed = self.offers.accepts_draw(board)
        board.push(result.best)
        self.offers.draw_is_offered = False
        self.clock.record_move(search.task.rest(0) * 1000, self.game.plies)
        end = self._end(board)
        claimed = end is not None and any(board.legal_moves)
        lines = [*["offer draw"] * (agreed or claimed), spelled, *([end] if end else [])]
        if self._may_ponder and not end:
            self._ponders, self._expected = True, reply
            if reply:
                lines.append(f"Hint: {board.xboard(reply)}")
        self._output.line("\n".join(lines))

    # Pondering and analysis

    def go_on(self) -> None:
        """Ponder or analyse, if enabled, when there is nothing else to do."""
        if self.search or not self.game.is_sound:
            return
        if self.is_analysing:
            self._analyse()
        elif self._ponders and self._engine.is_compiled():  # the compiler needs the processor first
            self._ponder()

    def _ponder(self) -> None:
        board = copy_board(self.game.board)
        limits = Limits(infinite=True)  # without an expected move it at least fills the table
        if self._expected:
            board.push(self._expected)
            limits = replace(self._limits(board), ponder=True)
        if any(board.legal_moves):
            self._begin(SearchPurpose.PONDER, board, limits, expected=self._expected)

    def forget_excluded(self) -> None:
        """The excluded moves belong to the last position."""
        self._excluded.clear()
        self._end_reported = False

    def exclude(self, word: str, wanted: bool) -> None:
        """`exclude MOVE` or `exclude all`, or else `include`; raises CommandError."""
        moves = set(self.game.board.legal_moves) if word == "all" else {self.game.read(word)}
        self._excluded = self._excluded | moves if wanted else self._excluded - moves
        if self._is_for(SearchPurpose.ANALYSIS):
            self.halt()

    def _analyse(self) -> None:
        board = copy_board(self.game.board)
        legal = set(board.legal_moves)
        moves = legal - self._excluded
        if not legal and not self._end_reported:
            self._end_reported = True
            self._output.line(formatting.over_line(board))
        if moves:
            names = tuple(sorted(move.uci() for move in moves)) if moves != legal else None
            limits = Limits(infinite=True, search_moves=names)
            self._begin(SearchPurpose.ANALYSIS, board, limits)

    # How

    def _is_for(self, purpose: SearchPurpose) -> bool:
        return self.search is not None and self.search.purpose is purpose

    def _begin(
        self,
        purpose: SearchPurpose,
        board: chess.Board,
        limits: Limits,
        started: float | None = None,
        expected: chess.Move | None = None,
    ) -> None:
        """Search a board with a legal move; it must not be changed any more."""
        task = SearchTask(limits, time.monotonic() if started is None else started)
        self.search = search = CecpSearch(purpose, board, task, expected)
        self._thread.post(lambda: self._run(search))

    def _run(self, search: CecpSearch) -> None:
        try:
            self._engine.set_position(search.board)
            on_info = partial(self._inform, search)
            with self._output.stream(on_info, search.task.current) as stream:
                search.result = self._engine.go(search.task, stream.line)
        except Exception as problem:
            self._engine.report_failure(problem)
            search.result = Result(next(iter(search.board.legal_moves)), None)
        if search.purpose is not SearchPurpose.MOVE:  # whose lines are sent with the move
            self._output.flush()
        search.task.finished.set()
        self._answered(search)

    def _end(self, board: chess.Board) -> str | None:
        """The result of the game, or the draw that the engine claims; None if it continues."""
        if end := outcome(board):
            return end
        return possible_claim(board) if self.offers.wants_draw() else None

    def _limits(self, board: chess.Board) -> Limits:
        overhead = int(self._engine.value_of("Move Overhead"))
        return self.clock.limits(board.turn, len(board.move_stack), overhead)

    def _inform(self, search: CecpSearch, info: Info | CurrentMove) -> None:
        is_shown = search.purpose is SearchPurpose.ANALYSIS or self.shows_thinking
        is_for_nothing = search.purpose is SearchPurpose.PONDER and not search.expected
        if is_shown and not is_for_nothing and isinstance(info, Info):
            self._output.news(formatting.thinking_line(info, search.board))
