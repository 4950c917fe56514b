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
from boomslang.uci.output import InfoStream, Output
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
        """Reset all scores."""
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
    started: float  # time.monotonic(); after a ponder hit, the time of the hit
    expected: chess.Move | None = None  # the opponent's move, when pondering
    stream: InfoStream | None = None  # once it has begun
    result: Result | None = None

    @property
    def latest(self) -> Info | None:
        """The latest line of thinking, the best if there are several."""
        return self.stream.latest if self.stream else None


class Searches:
    """Runs searches. `current` stays set after its end, until it is halted or its answer is taken.

    `on_info` is called on other threads, but not after the end of its search; `answered` is called with every
    finished search.
    """

    def __init__(
        self,
        engine: ProtocolEngine,
        output: Output,
        on_info: Callable[[CecpSearch, Info | CurrentMove], None],
        answered: Callable[[CecpSearch], None],
    ) -> None:
        self.current: CecpSearch | None = None
        self._engine = engine
        self._output = output
        self._on_info = on_info
        self._answered = answered
        self._thread = SearchThread(output)

    def is_for(self, purpose: SearchPurpose) -> bool:
        """True if the current search has this purpose."""
        return self.current is not None and self.current.purpose is purpose

    def begin(
        self,
        purpose: SearchPurpose,
        board: chess.Board,
        limits: Limits,
        started: float | None = None,
        expected: chess.Move | None = None,
    ) -> None:
        """Search a board with a legal move; it must not be changed any more."""
        begun = time.monotonic() if started is None else started
        search = CecpSearch(purpose, board, SearchTask(limits, begun), begun, expected)
        self.current = search
        self._thread.post(lambda: self._run(search))

    def halt(self) -> None:
        """End the current search, wait for its end, and discard its answer."""
        search, self.current = self.current, None
        if search:
            search.task.stop()
            search.task.finished.wait()

    def _run(self, search: CecpSearch) -> None:
        try:
            search.result = self._search(search)
        except Exception as problem:
            self._engine.report_failure(problem)
            search.result = Result(next(iter(search.board.legal_moves)), None)
        search.task.finished.set()
        self._answered(search)

    def _search(self, search: CecpSearch) -> Result:
        self._engine.set_position(search.board)
        with self._output.stream(partial(self._on_info, search), search.task.current) as stream:
            search.stream = stream
            result = self._engine.go(search.task, stream.line)
        if search.purpose is not SearchPurpose.MOVE:  # whose lines are sent with the move
            self._output.flush()
        return result


class Analysis:
    """Analysis mode, and the excluded moves of the current position."""

    def __init__(self, game: CecpGame, searches: Searches, output: Output) -> None:
        self.is_on = False
        self._game = game
        self._searches = searches
        self._output = output
        self._excluded: set[chess.Move] = set()
        self._end_reported = False  # the end of the game was reported

    def position_changed(self) -> None:
        """Reset the excluded moves; they belong to the last position."""
        self._excluded.clear()
        self._end_reported = False

    def exclude(self, word: str, wanted: bool) -> None:
        """`exclude MOVE` or `exclude all`, or else `include`; raises CommandError."""
        moves = set(self._game.board.legal_moves) if word == "all" else {self._game.read(word)}
        self._excluded = self._excluded | moves if wanted else self._excluded - moves
        if self._searches.is_for(SearchPurpose.ANALYSIS):
            self._searches.halt()

    def begin(self) -> None:
        """Start the search, unless the position has no legal move."""
        board = copy_board(self._game.board)
        legal = set(board.legal_moves)
        moves = legal - self._excluded
        if not legal and not self._end_reported:
            self._end_reported = True
            self._output.line(formatting.over_line(board))
        if not moves:
            return
        names = tuple(sorted(move.uci() for move in moves)) if moves != legal else None
        self._searches.begin(
            SearchPurpose.ANALYSIS, board, Limits(infinite=True, search_moves=names)
        )


class Play:
    """The game. All methods are called by the session, `_inform` by the search thread."""

    def __init__(
        self, output: Output, engine: ProtocolEngine, answered: Callable[[CecpSearch], None]
    ) -> None:
        self.game = CecpGame()
        self.clock = Clock()
        self.offers = DrawsAndResigning()
        self.searches = Searches(engine, output, self._inform, answered)
        self.analysis = Analysis(self.game, self.searches, output)
        self._shows_thinking = False
        self._may_ponder = False
        self.is_under_way = False  # clocks may be running: the engine has searched for a move
        self._output = output
        self._engine = engine
        self._side: chess.Color | None = chess.BLACK  # the engine's side; None: neither
        self._played = chess.BLACK  # the engine's side, or its last one
        self._ponders = False  # the opponent is to move, and pondering is due
        self._expected: chess.Move | None = None

    @property
    def is_thinking(self) -> bool:
        """True if a move of the engine is pending."""
        return self.searches.is_for(SearchPurpose.MOVE)

    # Beginning and ending

    def interrupt(self) -> None:
        """End the current search, if any, and discard its answer."""
        self.searches.halt()
        self._ponders = False
        self._expected = None

    def new_game(self) -> None:
        """`new`: the start position; the engine plays Black."""
        self.game.new()
        self.clock.new_game()
        self.offers.new_game()
        self.analysis.position_changed()
        self.is_under_way = False
        self._side = self._played = chess.BLACK

    def position_changed(self) -> None:
        """The board was changed otherwise than by a move."""
        self.clock.restart(self.game.plies)
        self.offers.start_afresh()
        self.analysis.position_changed()

    def take_side(self, colour: chess.Color | None) -> None:
        """Play that colour from now on, or none."""
        if colour is not None and colour != self._played:
            self.offers.change_sides()
            self._played = colour
        self._side = colour

    def show_thinking(self, wanted: bool) -> None:
        """`post`, `nopost`."""
        self._shows_thinking = wanted

    def allow_pondering(self, wanted: bool) -> None:
        """`hard`, `easy`."""
        self._may_ponder = wanted
        if not wanted:
            self._ponders = False
            if self.searches.is_for(SearchPurpose.PONDER):
                self.searches.halt()

    def move_now(self) -> None:
        """`?`."""
        if self.searches.current and self.is_thinking:
            self.searches.current.task.stop()

    def think_if_due(self, started: float) -> None:
        """Begin to think about a move if it is our turn."""
        board = self.game.board
        if board.turn != self._side:
            return
        self.is_under_way = True
        if end := self._end(board):
            self._output.line(end)
        if any(board.legal_moves):
            self.searches.begin(SearchPurpose.MOVE, copy_board(board), self._limits(board), started)

    # Moves

    def play_opponent_move(self, move: chess.Move, started: float) -> None:
        """A move of the opponent, perhaps the expected one."""
        search, board = self.searches.current, self.game.board
        is_expected = self.searches.is_for(SearchPurpose.PONDER) and self._expected == move
        if not is_expected:
            self.interrupt()
        board.push(move)
        if (
            search
            and is_expected
            and has_enough(search.task.limits, self._limits(board), board.turn)
        ):
            self._hit(search, started)
            return
        self.interrupt()
        self.analysis.position_changed()
        if not self.analysis.is_on:
            self.think_if_due(started)

    def take(self, search: CecpSearch) -> None:
        """Handle the end of a search."""
        if search is not self.searches.current or search.result is None:
            return
        if search.purpose is SearchPurpose.MOVE:
            self.searches.current = None
            self._move(search, search.result)

    def consider_draw(self) -> None:
        """`draw`: accept at once, or keep the offer until the engine's next move."""
        self.offers.draw_is_offered = True
        if not self.game.is_sound or self.is_thinking:
            return
        if self.offers.accepts_draw(self.game.board):
            self.offers.draw_is_offered = False
            self._output.line("offer draw")

    def _hit(self, search: CecpSearch, started: float) -> None:
        self._ponders = False
        self._expected = None
        search.purpose = SearchPurpose.MOVE
        search.started = started
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
        spelled = f"move {formatting.spell(result.best, board)}"
        reply = ponder_move(board, result)
        agreed = self.offers.accepts_draw(board)
        self.game.board.push(result.best)
        self.offers.draw_is_offered = False
        self.clock.record_move((time.monotonic() - search.started) * 1000, self.game.plies)
        end = self._end(self.game.board)
        claimed = end is not None and any(self.game.board.legal_moves)
        lines = [*["offer draw"] * (agreed or claimed), spelled, *([end] if end else [])]
        if self._may_ponder and not end:
            self._ponders, self._expected = True, reply
            if reply:
                lines.append(f"Hint: {formatting.spell(reply, self.game.board)}")
        self._output.line("\n".join(lines))

    # Pondering and analysis

    def go_on(self) -> None:
        """Ponder or analyse, if enabled, when there is nothing else to do."""
        if self.searches.current or not self.game.is_sound:
            return
        if self.analysis.is_on:
            self.analysis.begin()
        elif self._ponders and self._engine.is_compiled():  # the compiler needs the processor first
            self._ponder()

    def _ponder(self) -> None:
        board = copy_board(self.game.board)
        limits = Limits(infinite=True)  # without an expected move it at least fills the table
        if self._expected:
            board.push(self._expected)
            limits = replace(self._limits(board), ponder=True)
        if any(board.legal_moves):
            self.searches.begin(SearchPurpose.PONDER, board, limits, expected=self._expected)

    # How

    def _end(self, board: chess.Board) -> str | None:
        """The result of the game, or the draw that the engine claims; None if it continues."""
        if end := outcome(board):
            return end
        return possible_claim(board) if self.offers.wants_draw() else None

    def _limits(self, board: chess.Board) -> Limits:
        overhead = int(self._engine.value_of("Move Overhead"))
        return self.clock.limits(board.turn, len(board.move_stack), overhead)

    def _inform(self, search: CecpSearch, info: Info | CurrentMove) -> None:
        is_shown = {
            SearchPurpose.MOVE: self._shows_thinking,
            SearchPurpose.PONDER: self._shows_thinking and search.expected is not None,
            SearchPurpose.ANALYSIS: True,
        }[search.purpose]
        if is_shown and isinstance(info, Info):
            self._output.news(formatting.thinking_line(info, search.board))
