"""Playing and pondering: what is done on the board, and when we think about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import chess

from engine.limits import Info, Limits, Result
from uci.cecp import words
from uci.cecp.analysis import Analysis
from uci.cecp.brain import Brain, Kind, Thought
from uci.cecp.clock import Clock, has_enough
from uci.cecp.manners import Manners
from uci.cecp.record import Record, outcome, possible_claim
from uci.options import find
from uci.output import Output
from uci.report import ponder_move
from uci.thinker import Thinker

HINT_TIME: Final = 300  # milliseconds to find a hint
OVERHEAD: Final = "Move Overhead"


class Play:
    """The game. All methods are called by the session, `_inform` by the searching thread."""

    def __init__(
        self, output: Output, thinker: Thinker, answered: Callable[[Thought], None]
    ) -> None:
        self.record = Record()
        self.clock = Clock()
        self.manners = Manners()
        self.brain = Brain(thinker, self._inform, output.flush, answered)
        self.analysis = Analysis(self.record, self.brain, output)
        self.shows_thinking = False  # `post`
        self.may_ponder = False  # `hard`
        self.is_under_way = False  # clocks may be running: we have thought about a move
        self._output = output
        self._thinker = thinker
        self._side: chess.Color | None = chess.BLACK  # ours; None: neither
        self._played = chess.BLACK  # ours, or the last that was
        self._ponders = False  # it is the opponent's turn, and we would think
        self._expected: chess.Move | None = None

    @property
    def is_thinking(self) -> bool:
        """True if a move of ours is due."""
        return self.brain.is_at(Kind.MOVE)

    @property
    def owes_answer(self) -> bool:
        """True if a move or a hint is due."""
        return self.is_thinking or self.brain.is_at(Kind.HINT)

    # Beginning and ending

    def interrupt(self) -> None:
        """End whatever search there is; nobody wants its answer."""
        self.brain.halt()
        self._ponders = False
        self._expected = None

    def new_game(self) -> None:
        """`new`: the usual position; we are Black."""
        self.record.new()
        self.clock.new_game()
        self.manners.new_game()
        self.analysis.position_changed()
        self.is_under_way = False
        self._side = self._played = chess.BLACK

    def position_changed(self) -> None:
        """Something else than a move was done to the board."""
        self.clock.restart(self.record.plies)
        self.manners.start_afresh()
        self.analysis.position_changed()

    def take_side(self, colour: chess.Color | None) -> None:
        """Play that colour from now on, or none."""
        if colour is not None and colour != self._played:
            self.manners.change_sides()
            self._played = colour
        self._side = colour

    def stop_pondering(self) -> None:
        """`easy`."""
        self._ponders = False
        if self.brain.is_at(Kind.PONDER):
            self.brain.halt()

    def move_now(self) -> None:
        """`?`."""
        if self.brain.current and self.is_thinking:
            self.brain.current.search.stop()

    def think_if_due(self, started: float) -> None:
        """Begin to think about a move if it is our turn."""
        board = self.record.board
        if board.turn != self._side:
            return
        self.is_under_way = True
        if end := self._end(board):
            self._output.line(end)
        if any(board.legal_moves):
            self.brain.begin(Kind.MOVE, board.copy(), self._limits(board), started)

    # Moves

    def opponent_moves(self, move: chess.Move, started: float) -> None:
        """A move was played; perhaps the expected one."""
        thought = self.brain.current
        if thought and thought.kind is Kind.PONDER and thought.expected == move:
            self.record.push(move)
            if has_enough(thought.search.limits, self._limits(self.record.board), bool(self._side)):
                self._hit(thought, started)
                return
            self.interrupt()
        else:
            self.interrupt()
            self.record.push(move)
        self.analysis.position_changed()
        if not self.analysis.is_on:
            self.think_if_due(started)

    def take(self, thought: Thought) -> None:
        """A search has ended."""
        if thought is not self.brain.current or thought.result is None:
            return
        if thought.kind is Kind.MOVE:
            self.brain.current = None
            self._move(thought, thought.result)
        elif thought.kind is Kind.HINT:
            self.brain.current = None
            if thought.result.best:
                self._hint(thought.result.best, thought.board)

    def consider_draw(self) -> None:
        """`draw`: agree at once, or remember it until our next move."""
        self.manners.draw_is_offered = True
        if not self.record.is_sound or self.is_thinking:
            return
        if self.manners.accepts_draw(self.record.board):
            self.manners.draw_is_offered = False
            self._output.line("offer draw")

    def _hit(self, thought: Thought, started: float) -> None:
        self._ponders = False
        self._expected = None
        thought.kind = Kind.MOVE
        thought.started = started
        thought.search.ponderhit()
        if end := self._end(self.record.board):
            self._output.line(end)
        if thought.result:
            self.take(thought)

    def _move(self, thought: Thought, result: Result) -> None:
        """Play the move that was found, and say what follows from it."""
        board = self.record.board
        if result.info:
            self.manners.note(result.info.score)
        if self.manners.resigns():
            self._output.line("resign")
            return
        if result.best is None:
            return
        spelled = f"move {words.spell(result.best, board)}"
        reply = ponder_move(board, result)
        agreed = self.manners.accepts_draw(board)
        self.record.push(result.best)
        self.manners.draw_is_offered = False
        self.clock.moved((time.monotonic() - thought.started) * 1000, self.record.plies)
        end = self._end(self.record.board)
        claimed = end is not None and any(self.record.board.legal_moves)
        lines = [*["offer draw"] * (agreed or claimed), spelled, *([end] if end else [])]
        if self.may_ponder and not end:
            self._ponders, self._expected = True, reply
            if reply:
                lines.append(f"Hint: {words.spell(reply, self.record.board)}")
        self._output.line("\n".join(lines))

    # Thinking while nobody waits

    def go_on(self) -> None:
        """Nothing else is to be done: ponder or analyse, if that is wanted."""
        if self.brain.current or not self.record.is_sound:
            return
        if self.analysis.is_on:
            self.analysis.begin()
        elif self._ponders and self._thinker.is_compiled():  # else leave it the processor
            self._ponder()

    def _ponder(self) -> None:
        board = self.record.board.copy()
        if self._expected is None:  # then at least the memory is filled
            if any(board.legal_moves):
                self.brain.begin(Kind.PONDER, board, Limits(infinite=True))
            return
        board.push(self._expected)
        if any(board.legal_moves):
            limits = replace(self._limits(board), ponder=True)
            self.brain.begin(Kind.PONDER, board, limits, expected=self._expected)

    def give_hint(self) -> None:
        """`hint`: what the side to move could play, if it is not us."""
        thought = self.brain.current
        if thought is None:
            board = self.record.board.copy()
            if any(board.legal_moves):
                self.brain.begin(Kind.HINT, board, Limits(movetime=HINT_TIME))
        elif thought.kind is Kind.PONDER and thought.expected:
            self._hint(thought.expected, self.record.board)
        elif thought.kind is not Kind.MOVE and thought.latest and thought.latest.pv:
            self._hint(thought.latest.pv[0], thought.board)

    def _hint(self, move: chess.Move, board: chess.Board) -> None:
        self._output.line(f"Hint: {words.spell(move, board)}")

    # How

    def _end(self, board: chess.Board) -> str | None:
        """The end of the game, or the draw that we want to claim."""
        if end := outcome(board):
            return end
        return possible_claim(board) if self.manners.wants_draw() else None

    def _limits(self, board: chess.Board) -> Limits:
        overhead = int(self._thinker.values.get(OVERHEAD, find(OVERHEAD).default))
        return self.clock.limits(board.turn, len(board.move_stack), overhead)

    def _inform(self, thought: Thought, info: Info) -> None:
        """A line of thinking; nothing is told about what we do only to fill the memory."""
        is_aside = thought.kind is Kind.PONDER and thought.expected is None
        shown = self.shows_thinking and thought.kind is not Kind.HINT and not is_aside
        if shown or thought.kind is Kind.ANALYSIS:
            spent = thought.processor_centiseconds if self.clock.counts_nodes else None
            self._output.news(words.thinking_line(info, thought.board, spent))
