"""`analyze`: thinking without an end about whatever is on the board."""

from __future__ import annotations

import time

import chess

from engine.limits import Limits
from uci.cecp import words
from uci.cecp.brain import Brain, Kind
from uci.cecp.record import Record
from uci.output import Output


class Analysis:
    """The mode, and the moves that shall be left out in the position on the board."""

    def __init__(self, record: Record, brain: Brain, output: Output) -> None:
        self.is_on = False
        self._record = record
        self._brain = brain
        self._output = output
        self._excluded: set[chess.Move] = set()
        self._told_end = False  # that there is nothing to analyse

    def position_changed(self) -> None:
        """What was said about the last position does not hold any more."""
        self._excluded.clear()
        self._told_end = False

    def exclude(self, word: str) -> None:
        """`exclude MOVE` or `exclude all`; raises Refused."""
        self._excluded |= self._named(word)
        self._again()

    def include(self, word: str) -> None:
        """`include MOVE` or `include all`; raises Refused."""
        self._excluded -= self._named(word)
        self._again()

    def begin(self) -> None:
        """Start the search, unless there is nothing to search."""
        board = self._record.board.copy()
        legal = set(board.legal_moves)
        wanted = legal - self._excluded
        if not legal and not self._told_end:
            self._told_end = True
            self._output.line(words.over_line(board))
        if not wanted:
            return
        names = tuple(sorted(move.uci() for move in wanted)) if wanted != legal else None
        self._brain.begin(Kind.ANALYSIS, board, Limits(infinite=True, search_moves=names))

    def tell_state(self) -> None:
        """`.`: how far we are."""
        thought = self._brain.current
        if thought is None or thought.kind is not Kind.ANALYSIS:
            return
        moves = len(set(thought.board.legal_moves) - self._excluded)
        seconds = time.monotonic() - thought.started
        line = words.stat_line(thought.latest, seconds, thought.search.current(), moves)
        self._output.line(line)

    def _named(self, word: str) -> set[chess.Move]:
        return set(self._record.board.legal_moves) if word == "all" else {self._record.read(word)}

    def _again(self) -> None:
        if self._brain.is_at(Kind.ANALYSIS):
            self._brain.halt()
