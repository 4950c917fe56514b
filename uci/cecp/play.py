"""Playing and pondering: moves on the board, and the searches for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import chess

from boomslang.engine.limits import Info, Limits, Result
from boomslang.uci.cecp import formatting
from boomslang.uci.cecp.clock import Clock, has_enough
from boomslang.uci.cecp.draws_and_resigning import DrawsAndResigning
from boomslang.uci.cecp.game import CecpGame, outcome, possible_claim
from boomslang.uci.cecp.searches import Analysis, CecpSearch, Searches, SearchPurpose
from boomslang.uci.formatting import ponder_move
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine

HINT_TIME: Final = 300  # milliseconds to find a hint


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
        self.shows_thinking = False  # `post`
        self.may_ponder = False  # `hard`
        self.is_under_way = False  # clocks may be running: the engine has searched for a move
        self._output = output
        self._engine = engine
        self._side: chess.Color | None = chess.BLACK  # of the engine; None: neither
        self._played = chess.BLACK  # the engine's side, or its last one
        self._ponders = False  # the opponent is to move, and pondering is due
        self._expected: chess.Move | None = None

    @property
    def is_thinking(self) -> bool:
        """True if a move of the engine is pending."""
        return self.searches.is_for(SearchPurpose.MOVE)

    @property
    def owes_answer(self) -> bool:
        """True if a move or a hint is pending."""
        return self.is_thinking or self.searches.is_for(SearchPurpose.HINT)

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

    def stop_pondering(self) -> None:
        """`easy`."""
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
            self.searches.begin(SearchPurpose.MOVE, board.copy(), self._limits(board), started)

    # Moves

    def opponent_moves(self, move: chess.Move, started: float) -> None:
        """A move of the opponent, perhaps the expected one."""
        search = self.searches.current
        if search and search.purpose is SearchPurpose.PONDER and search.expected == move:
            self.game.push(move)
            if has_enough(search.task.limits, self._limits(self.game.board), bool(self._side)):
                self._hit(search, started)
                return
            self.interrupt()
        else:
            self.interrupt()
            self.game.push(move)
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
        elif search.purpose is SearchPurpose.HINT:
            self.searches.current = None
            if search.result.best:
                self._hint(search.result.best, search.board)

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
        """Play the move of a search and report its consequences: result, resignation, draw."""
        board = self.game.board
        if result.info:
            self.offers.note(result.info.score)
        if self.offers.resigns():
            self._output.line("resign")
            return
        if result.best is None:
            return
        spelled = f"move {formatting.spell(result.best, board)}"
        reply = ponder_move(board, result)
        agreed = self.offers.accepts_draw(board)
        self.game.push(result.best)
        self.offers.draw_is_offered = False
        self.clock.moved((time.monotonic() - search.started) * 1000, self.game.plies)
        end = self._end(self.game.board)
        claimed = end is not None and any(self.game.board.legal_moves)
        lines = [*["offer draw"] * (agreed or claimed), spelled, *([end] if end else [])]
        if self.may_ponder and not end:
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
        board = self.game.board.copy()
        if self._expected is None:  # then a search at least fills the table
            if any(board.legal_moves):
                self.searches.begin(SearchPurpose.PONDER, board, Limits(infinite=True))
            return
        board.push(self._expected)
        if any(board.legal_moves):
            limits = replace(self._limits(board), ponder=True)
            self.searches.begin(SearchPurpose.PONDER, board, limits, expected=self._expected)

    def give_hint(self) -> None:
        """`hint`: a move for the side to move, if it is not the engine."""
        search = self.searches.current
        if search is None:
            board = self.game.board.copy()
            if any(board.legal_moves):
                self.searches.begin(SearchPurpose.HINT, board, Limits(movetime=HINT_TIME))
        elif search.purpose is SearchPurpose.PONDER and search.expected:
            self._hint(search.expected, self.game.board)
        elif search.purpose is not SearchPurpose.MOVE and search.latest and search.latest.pv:
            self._hint(search.latest.pv[0], search.board)

    def _hint(self, move: chess.Move, board: chess.Board) -> None:
        self._output.line(f"Hint: {formatting.spell(move, board)}")

    # How

    def _end(self, board: chess.Board) -> str | None:
        """The result of the game, or the draw that the engine claims; None if it continues."""
        if end := outcome(board):
            return end
        return possible_claim(board) if self.offers.wants_draw() else None

    def _limits(self, board: chess.Board) -> Limits:
        overhead = int(self._engine.value_of("Move Overhead"))
        return self.clock.limits(board.turn, len(board.move_stack), overhead)

    def _inform(self, search: CecpSearch, info: Info) -> None:
        """Output a thinking line; a search that only fills the table is silent."""
        is_only_for_memory = search.purpose is SearchPurpose.PONDER and search.expected is None
        shown = (
            self.shows_thinking
            and search.purpose is not SearchPurpose.HINT
            and not is_only_for_memory
        )
        if shown or search.purpose is SearchPurpose.ANALYSIS:
            spent = search.processor_centiseconds if self.clock.counts_nodes else None
            self._output.news(formatting.thinking_line(info, search.board, spent))
