"""What a position of an ending is worth, and how it is played on: by tablebases, or else by the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.engine.analysis.exercises.verdict import new_search
from boomslang.engine.analyst import NO_WDL, AnalysedPosition
from boomslang.engine.driver.root_ranking import BLESSED, CURSED, LOSS, WIN, Grade
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.limits import Info
from boomslang.engine.user_game import outcome_on

if TYPE_CHECKING:
    from boomslang.engine.analysis.exercises.verdict import Search
    from boomslang.engine.analyst import Evaluation

_MIN_DECISIVE: Final = 700  # per mille: such a chance to win, by a search, is a win
_MAX_LINE: Final = 8  # plies of a line
_MAX_TRAPS: Final = 8  # moves of a draw that are compared, for each takes a probe of all replies
_MAX_JUDGEMENTS: Final = 64  # positions whose judgement is kept, for one move asks several times


@dataclass(frozen=True, slots=True)
class MoveJudgement:
    """What a move is worth for who plays it: 1 wins, 0 draws, -1 loses."""

    value: int
    # To the next capture, pawn move or mate on the way to the result, for this and for the best move.
    plies: int | None  # None: not known
    quickest: int | None
    best: chess.Move | None  # None: not known
    is_cursed: bool = False  # the fifty-move rule makes it a draw


class EndingJudge:
    """Judges with clock and repetitions, and plays; a table that fails leaves the position to the engine."""

    def __init__(
        self, tables: str, say: Callable[[str], None], search: Search | None = None
    ) -> None:
        """`tables` are the folders of tablebases; `search` judges without, by default one of this engine."""
        self._tables: Tablebase | None = None
        self._search = search
        self._grades = lru_cache(_MAX_JUDGEMENTS)(self._rank)
        self._evaluation = lru_cache(_MAX_JUDGEMENTS)(self._evaluate)
        if tables:
            from boomslang.engine import bridge

            self._tables = Tablebase(say, repeats=True)
            if problem := self._tables.open(tables):
                say(problem)
            self._tables.load()
            self._state: Any = bridge.new_search()

    def grades(self, board: chess.Board) -> Mapping[chess.Move, Grade] | None:
        """All legal moves by the tables, the best first; None if they do not know the position."""
        return self._grades(AnalysedPosition.of(board)) if self._tables else None

    def value(self, board: chess.Board) -> int:
        """1, 0 or -1 for the side to move, as a game in which draws need no claim."""
        if (over := value_at_end(board)) is not None:
            return over
        grades = self.grades(board)
        if grades:
            return _value(next(iter(grades.values())))
        return _searched(self._evaluation(AnalysedPosition.of(board)).best)

    def judge(self, board: chess.Board, move: chess.Move) -> MoveJudgement:
        """A legal move of a position that goes on."""
        if grades := self.grades(board):
            best, quickest = next(iter(grades.items()))
            grade = grades[move]
            is_cursed = grade.result in (CURSED, BLESSED)
            return MoveJudgement(_value(grade), grade.plies, quickest.plies, best, is_cursed)
        after = board.copy()
        after.push(move)
        return MoveJudgement(-self.value(after), None, None, None)

    def reply(self, board: chess.Board) -> chess.Move:
        """The best move: it keeps the result, then wins soonest, resists longest or sets a trap in a draw."""
        grades = self.grades(board)
        if not grades:
            return self._searched_line(board)[0]
        best, grade = next(iter(grades.items()))
        if _value(grade):
            return best
        draws = [move for move, grade in grades.items() if not _value(grade)]
        tried = random.sample(draws, min(len(draws), _MAX_TRAPS))
        return max(tried, key=lambda move: self._trap(board, move))

    def line(self, board: chess.Board) -> list[chess.Move]:
        """How it goes on with best play, some plies."""
        if self.grades(board) is None:
            if value_at_end(board) is not None:
                return []
            return self._searched_line(board)
        after = board.copy()
        moves: list[chess.Move] = []
        while len(moves) < _MAX_LINE and value_at_end(after) is None and self.grades(after):
            moves.append(self.reply(after))
            after.push(moves[-1])
        return moves

    def is_demanding(self, board: chess.Board, value: int, plies: int) -> bool:
        """True if tables know that the way is long, or at most half of the moves keep the value."""
        grades = self.grades(board)
        if not grades:
            return False
        if value > 0 and not board.pawns:
            return (next(iter(grades.values())).plies or 0) >= plies
        return 2 * sum(_value(grade) >= value for grade in grades.values()) <= len(grades)

    def _trap(self, board: chess.Board, move: chess.Move) -> tuple[bool, float]:
        """Higher for a drawing move that lets the game go on and after which more replies lose."""
        after = board.copy()
        after.push(move)
        if value_at_end(after) is not None:
            return False, 0
        replies = self.grades(after) or {}
        losing = sum(_value(grade) < 0 for grade in replies.values())
        return not after.is_repetition(2), losing / max(len(replies), 1)

    def _searched_line(self, board: chess.Board) -> list[chess.Move]:
        return list(self._evaluation(AnalysedPosition.of(board)).best.pv[:_MAX_LINE])

    def _rank(self, position: AnalysedPosition) -> Mapping[chess.Move, Grade] | None:
        assert self._tables  # noqa: S101 - for the type checker
        ranked = self._tables.rank(position.board(), None, 1, self._state)
        return ranked.grades if ranked else None

    def _evaluate(self, position: AnalysedPosition) -> Evaluation:
        self._search = self._search or new_search()  # most games with tables never need it
        return self._search(position)


def value_at_end(board: chess.Board) -> int | None:
    """The value of a game that is over for the side to move; None if it goes on."""
    outcome = outcome_on(board)
    if outcome is None:
        return None
    return 0 if outcome.winner is None else -1


def _value(grade: Grade) -> int:
    return (grade.result == WIN) - (grade.result == LOSS)


def _searched(line: Info) -> int:
    if line.score.mate is not None:
        return 1 if line.score.mate > 0 else -1
    wins, _, losses = line.wdl or NO_WDL
    return (wins >= _MIN_DECISIVE) - (losses >= _MIN_DECISIVE)
