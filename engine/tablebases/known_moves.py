"""What to do with a position that the tablebases know: which moves to search, what to show, what to play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import chess

from boomslang.engine.limits import Info, Result, Score
from boomslang.engine.tablebases.tablebase import BLESSED, CURSED, WIN, Grade, Knowledge

Listener: TypeAlias = Callable[[Info], None]

_KNOWN_WIN: Final = 20_000  # centipawns; less the plies to the next capture or pawn move
_NEAR_DRAW: Final = 1  # centipawns for a win or loss that the 50-move rule turns into a draw


class KnownMoves:
    """The legal moves of `board` in the light of the tables; `wanted` are those that may be played.

    `moves` are to be searched: those that keep what the position is worth, and as many others, the
    best first, as it takes to show `lines` lines.
    """

    def __init__(
        self, board: chess.Board, knowledge: Knowledge, wanted: Sequence[chess.Move], lines: int
    ) -> None:
        self._grades = knowledge.grades
        self._hits = knowledge.hits
        ranked = sorted(wanted, key=lambda move: _rank(self._grades[move]), reverse=True)
        self._worth = self._grades[ranked[0]].result
        best = [move for move in ranked if self._grades[move].result == self._worth]
        if self._worth == WIN:
            best = self._safe(board, best)
        others = [move for move in ranked if move not in best]
        self.moves = best + others[: max(0, lines - len(best))]
        self._quickest = best[0]
        self._mixed = len({self._grades[move].result for move in self.moves}) > 1

    def _safe(self, board: chess.Board, winning: list[chess.Move]) -> list[chess.Move]:
        """Of winning moves, quickest first, those with which the win cannot slip away."""
        new = [move for move in winning if not _repeats(board, move)] or winning
        return [move for move in new if self._grades[move].sure] or new[:1]

    def tell(self, on_info: Listener) -> Listener:
        """What hears the lines of the search, and tells them with what the tables know."""
        if not self._mixed:
            return lambda info: on_info(self._known(info))
        held: list[Info] = []

        def listen(info: Info) -> None:
            if info.multipv == 1:
                held.clear()
            held.append(self._known(info))
            if len(held) == len(self.moves):  # the search knows less than the tables: sort again
                held.sort(key=lambda line: self._grades[line.pv[0]].result, reverse=True)
                for number, line in enumerate(held, 1):
                    on_info(replace(line, multipv=number))

        return listen

    def settle(self, result: Result, on_info: Listener) -> Result:
        """The move to play: where a win is known and the search sees no mate, the one that gets on."""
        if result.info is None or result.best is None:
            return result
        info = self._known(result.info)
        found, quickest = self._grades[result.best], self._grades[self._quickest]
        gets_on = found.result == self._worth and (
            self._worth != WIN or info.score.mate is not None or found.plies == quickest.plies
        )
        if gets_on:
            return replace(result, info=info)
        info = replace(info, score=_score(quickest, info.score), bound="", pv=(self._quickest,))
        on_info(info)
        return Result(self._quickest, None, info)

    def _known(self, info: Info) -> Info:
        """A line with the score that its first move deserves."""
        if not info.pv:
            return replace(info, tbhits=self._hits)
        return replace(info, tbhits=self._hits, score=_score(self._grades[info.pv[0]], info.score))


def _rank(grade: Grade) -> tuple[int, int]:
    """A higher one is better: quick wins and slow losses."""
    plies = grade.plies or 0
    return grade.result, plies if grade.result < 0 else -plies


def _score(grade: Grade, searched: Score) -> Score:
    """The score to show: that of the search only if it is a mate for the right side."""
    sign = (grade.result > 0) - (grade.result < 0)
    if not sign:
        return Score(centipawns=0)
    if grade.result in (CURSED, BLESSED):
        return Score(centipawns=sign * _NEAR_DRAW)
    if searched.mate is not None and searched.mate * sign > 0:
        return searched
    return Score(centipawns=sign * (_KNOWN_WIN - (grade.plies or 0)))


def _repeats(board: chess.Board, move: chess.Move) -> bool:
    """True if a move leads to a position that the game has seen."""
    board.push(move)
    try:
        return board.is_repetition(2)
    finally:
        board.pop()
