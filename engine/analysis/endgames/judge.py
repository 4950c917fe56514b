"""What a position of an ending is worth, and how it is played on: by tablebases, or else by the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import chess

from boomslang.engine.analysis.endgames.fortress import is_held
from boomslang.engine.analysis.exercises.verdict import new_search
from boomslang.engine.analysis.reasons.exchange import captured_piece, gain, winnable_on
from boomslang.engine.analyst import NO_WDL, AnalysedPosition
from boomslang.engine.driver.root_ranking import BLESSED, CURSED, LOSS, WIN, Grade
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.levels.piece_values import POINTS
from boomslang.engine.limits import Info
from boomslang.engine.user_game import outcome_on

if TYPE_CHECKING:
    from boomslang.engine.analysis.exercises.verdict import Search
    from boomslang.engine.analyst import Evaluation

_MIN_DECISIVE: Final = 700  # per mille: such a chance to win, by a search, is a win
_MAX_LINE: Final = 8  # plies of a line
_MAX_TRAPS: Final = 8  # moves of a draw that are compared, for each takes a probe of all replies
_END: Final = 0.5  # pawns: how much who plays for a win minds that a drawn ending ends
_FEW: Final = 8  # replies that are looked at deeper
_MAX_TRIED: Final = 3  # moves that are searched for one that keeps material
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
    is_proved: bool = True  # False: a search thinks so


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
        return self._valued(board)[0]

    def _valued(self, board: chess.Board) -> tuple[int, bool]:
        """The value, and whether it is proved: by an end, tables, a fortress, or a mate that was found."""
        if (over := value_at_end(board)) is not None:
            return over, True
        if grades := self.grades(board):
            return _value(next(iter(grades.values()))), True
        if is_held(board):
            return 0, True
        best = self._evaluation(AnalysedPosition.of(board)).best
        return _searched(best), best.score.mate is not None

    def judge(self, board: chess.Board, move: chess.Move) -> MoveJudgement:
        """A legal move of a position that goes on."""
        if grades := self.grades(board):
            best, quickest = next(iter(grades.items()))
            grade = grades[move]
            is_cursed = grade.result in (CURSED, BLESSED)
            return MoveJudgement(_value(grade), grade.plies, quickest.plies, best, is_cursed)
        value, is_proved = self._valued(_after(board, move))
        return MoveJudgement(-value, None, None, None, is_proved=is_proved)

    def reply(self, board: chess.Board) -> chess.Move:
        """The best move: it keeps the result, then wins soonest, resists longest or sets a trap in a draw.

        In a draw it also keeps its material, for that may still win.
        """
        grades = self.grades(board)
        if not grades:
            return self._searched_move(board)
        best, grade = next(iter(grades.items()))
        if _value(grade):
            return best
        draws = [move for move, grade in grades.items() if not _value(grade)]
        random.shuffle(draws)
        draws.sort(key=lambda move: _hanging(board, move))
        return max(draws[:_MAX_TRAPS], key=lambda move: self._trap(board, move))

    def line(self, board: chess.Board, plies: int = _MAX_LINE) -> list[chess.Move]:
        """How it goes on with best play, some plies; fewer where a search does not see so far."""
        if self.grades(board) is None:
            if value_at_end(board) is not None:
                return []
            return self._searched_line(board)[:plies]
        after = board.copy()
        moves: list[chess.Move] = []
        while len(moves) < plies and value_at_end(after) is None and self.grades(after):
            moves.append(self.reply(after))
            after.push(moves[-1])
        return moves

    def is_demanding(self, board: chess.Board, value: int) -> bool:
        """True if at most half of the moves keep the value; for wins without pawns and without tables too."""
        grades = self.grades(board)
        if not grades or (value > 0 and not board.pawns):
            return True
        return 2 * sum(_value(grade) >= value for grade in grades.values()) <= len(grades)

    def _trap(
        self, board: chess.Board, move: chess.Move
    ) -> tuple[float, float, bool, float, float]:
        """Higher for a drawing move that keeps material, or for now, goes on, wins some, and traps more."""
        after = _after(board, move)
        if value_at_end(after) is not None:
            return -_END, 0, False, 0, 0
        replies = self.grades(after) or {}
        losing = sum(_value(grade) < 0 for grade in replies.values())
        victims = [
            captured_piece(after, reply) for reply, grade in replies.items() if _value(grade) >= 0
        ]
        at_once = max((victim.points for victim in victims if victim), default=0)
        won = gain(board, move) + _least_loss(after)
        share = losing / max(len(replies), 1)
        return -self._lost(after), -at_once, not after.is_repetition(2), won, share

    def _lost(self, after: chess.Board) -> float:
        """The material that who has moved loses by force in its next moves, in pawns.

        At first only moves that keep their result by the tables take it, later those that win by exchange.
        """
        grades = self.grades(after)
        replies = [move for move in after.legal_moves if not grades or _value(grades[move]) >= 0]
        return _loss(after, replies, int(len(replies) <= _FEW), bool(grades))

    def _searched_move(self, board: chess.Board) -> chess.Move:
        """The move of a search; in a draw another drawing one if it gives material away that others keep.

        A fortress, which a search does not know, is not left.
        """
        best = self._searched_line(board)[0]
        if self.value(board):
            return best
        afters = {move: _after(board, move) for move in board.legal_moves}
        if is_held(board):
            afters = {move: after for move, after in afters.items() if _is_drawn(after)} or afters
            best = best if best in afters else next(iter(afters))
        losses = {
            move: self._lost(after)
            for move, after in afters.items()
            if move == best or (value_at_end(after) is None and not after.is_repetition(2))
        }
        keeping = [move for move, lost in losses.items() if lost < losses[best]]
        for move in random.sample(keeping, min(len(keeping), _MAX_TRIED)):
            if self.judge(board, move).value >= 0:
                return move
        return best

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


def _after(board: chess.Board, move: chess.Move) -> chess.Board:
    after = board.copy()
    after.push(move)
    return after


def _is_drawn(board: chess.Board) -> bool:
    return value_at_end(board) == 0 or is_held(board)


def _hanging(board: chess.Board, move: chess.Move) -> float:
    """The material that a move leaves to captures on one square, in pawns, or that it lets the ending end."""
    after = board.copy(stack=False)
    after.push(move)
    own = chess.scan_forward(after.occupied_co[board.turn] & ~after.kings)
    lost = max((winnable_on(after, square) for square in own), default=0)
    return lost or (0 if any(after.generate_legal_moves()) and not _promotions(after) else _END)


def _promotions(board: chess.Board) -> list[chess.Move]:
    pawns = board.pawns & (chess.BB_RANK_7 if board.turn else chess.BB_RANK_2)
    return [move for move in board.generate_legal_moves(pawns) if move.promotion] if pawns else []


def _loss(
    after: chess.Board, replies: Iterable[chess.Move], depth: int, are_good: bool = False
) -> float:
    """What who has moved loses by a reply and `depth` more; bad exchanges are none unless they `are_good`."""
    worst = 0.0
    for reply in replies:
        victim = captured_piece(after, reply)
        taken = victim.points if victim else _END if reply.promotion else 0
        answered = after.copy(stack=False)
        answered.push(reply)
        is_bad = taken and not are_good and taken < winnable_on(answered, reply.to_square)
        if not is_bad or answered.has_insufficient_material(answered.turn):
            worst = max(worst, taken + _least_loss(answered, depth))
    return worst


def _least_loss(board: chess.Board, depth: int = 0) -> float:
    """The material that the side to move loses at the least after its move, and `depth` more."""
    least = float(POINTS[chess.QUEEN]) if any(board.legal_moves) else _END
    for move in board.legal_moves:
        lost = _hanging(board, move)
        if not lost and depth:
            after = board.copy(stack=False)
            after.push(move)
            lost = _loss(after, after.legal_moves, depth - 1)
        if not (least := min(least, lost)):
            break
    return least


def _value(grade: Grade) -> int:
    return (grade.result == WIN) - (grade.result == LOSS)


def _searched(line: Info) -> int:
    if line.score.mate is not None:
        return 1 if line.score.mate > 0 else -1
    wins, _, losses = line.wdl or NO_WDL
    return (wins >= _MIN_DECISIVE) - (losses >= _MIN_DECISIVE)
