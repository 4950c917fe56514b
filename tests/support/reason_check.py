"""Checks a reason of a report by a longer search, without the code that has found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess
from chess.engine import Cp

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.analyst import Evaluation, evaluate, new_analyst
from boomslang.engine.limits import Limits
from boomslang.engine.search_settings import AnalysisSettings

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
COST = 5.0  # winning chances in per cent that the move must lose by the longer search too
DRIFT = 15.0  # by which they may change along a line
LEVEL = 40.0, 60.0
SLACK = 8.0  # by which a chance may be outside the bounds of its words
STARTS = {"the win": 80.0, "the advantage": 58.0, "Turns": 58.0, "the balance": 42.0}
ENDS = {
    "is level": (42.0, 58.0),
    "is only better": (58.0, 80.0),
    "is better": (20.0, 42.0),
    "is winning": (0.0, 20.0),
}


@dataclass(frozen=True)
class Case:
    """A move with its reason, and the board before it with the game so far."""

    board: chess.Board
    move: MoveReport

    @property
    def reason(self) -> Reason:
        assert self.move.reason is not None
        return self.move.reason


class Checker:
    """Searches with `nodes`; `why_false` gives the objection to a reason, or nothing."""

    def __init__(self, nodes: int, hash_mb: int = 64, tables: str | None = None) -> None:
        self._limits = Limits(nodes=nodes)
        settings = AnalysisSettings(nodes=nodes, hash_mb=hash_mb, tables=tables)
        self._analyst = new_analyst(settings)
        self._new = True

    def why_false(self, case: Case) -> str:
        """What is wrong with the reason; empty if nothing."""
        self._new = True
        reason, mover = case.reason, case.board.turn
        start = case.board.copy()
        if not reason.instead:
            start.push(case.move.move)
        end = start.copy()
        for name in reason.line:
            move = chess.Move.from_uci(name)
            if not end.is_legal(move):
                return f"the line is illegal at {name}"
            end.push(move)
        if reason.kind in (ReasonKind.ALLOWS_MATE, ReasonKind.MISSES_MATE):
            return "" if end.is_checkmate() else "the line does not end in mate"
        if reason.kind == ReasonKind.STALEMATE:
            return "" if end.is_stalemate() else "no stalemate"
        if reason.kind == ReasonKind.REPETITION and not end.is_repetition(3):
            return "no repetition"
        best, played = self.chance(case.board, mover), self._after(case, mover)
        if best - played < COST:
            return f"the move costs {best - played:.0f} % only"
        if reason.kind == ReasonKind.REPETITION:
            return ""
        return self._why_false(case, end, best, played)

    def _why_false(self, case: Case, end: chess.Board, best: float, played: float) -> str:
        reason, mover = case.reason, case.board.turn
        if reason.kind == ReasonKind.ONLY_MOVE:
            self._new = True  # scores in the table may rest on the move that is left out
            others = self.chance(case.board, mover, avoided=reason.line[0])
            least = next((least for words, least in STARTS.items() if words in reason.text), 100.0)
            if best - others < COST or others >= least:
                return f"another move costs {best - others:.0f} % only"
            return ""
        if reason.kind == ReasonKind.TURN:
            return self._why_no_turn(reason.text, best, self.chance(end, mover))
        if reason.kind == ReasonKind.PERPETUAL:
            return "" if LEVEL[0] <= played <= LEVEL[1] else f"{played:.0f} % after it"
        found = self._search(end)
        at_end = _pov(win_chance(found.best.score.to_chess()), end, mover)
        there = best if reason.instead else played
        if abs(at_end - there) > DRIFT:
            return f"{there:.0f} % at the line's beginning, {at_end:.0f} % at its end"
        return self._why_not_won(case, end, found)

    def _why_no_turn(self, text: str, best: float, end: float) -> str:
        """The words against the mover's chances before the move and after the reply."""
        start = next((least for words, least in STARTS.items() if words in text), 0.0)
        low, high = next(bounds for words, bounds in ENDS.items() if words in text)
        is_right = best >= start - SLACK and low - SLACK <= end <= high + SLACK
        return "" if is_right else f"from {best:.0f} % to {end:.0f} %"

    def _why_not_won(self, case: Case, end: chess.Board, found: Evaluation) -> str:
        """The material after the line, and after what a longer search plays on to."""
        reason, mover = case.reason, case.board.turn
        winner = mover if reason.instead else not mover
        least = _material(end, winner) - _material(case.board, winner)
        if least < 1:
            return f"the line wins {least} pawns"
        after = end.copy()
        quiet = least
        for move in found.best.pv[:8]:
            after.push(move)
            captures = any(after.is_capture(move) for move in after.legal_moves)
            if not (captures or after.is_check()):
                quiet = _material(after, winner) - _material(case.board, winner)
        return "" if quiet >= 1 or self._is_lost(after, winner) else f"{quiet} pawns in the end"

    def _is_lost(self, board: chess.Board, winner: chess.Color) -> bool:
        """True if the winner of the material wins the game anyway."""
        return not board.is_game_over() and self.chance(board, winner) > 85

    def _after(self, case: Case, mover: chess.Color) -> float:
        after = case.board.copy()
        after.push(case.move.move)
        if after.is_repetition(3):
            return win_chance(Cp(0))
        return self.chance(after, mover)

    def chance(self, board: chess.Board, side: chess.Color, avoided: str | None = None) -> float:
        """The winning chances of a side in per cent."""
        if board.is_game_over():
            mated = board.is_checkmate()
            return _pov(0.0 if mated else win_chance(Cp(0)), board, side)
        return _pov(win_chance(self._search(board, avoided).best.score.to_chess()), board, side)

    def _search(self, board: chess.Board, avoided: str | None = None) -> Evaluation:
        limits = self._limits
        if avoided:
            names: Sequence[str] = [move.uci() for move in board.legal_moves]
            limits = replace(limits, search_moves=tuple(name for name in names if name != avoided))
        was_new, self._new = self._new, False
        return evaluate(self._analyst, board, limits, is_new_game=was_new)


def _pov(chance: float, board: chess.Board, side: chess.Color) -> float:
    return chance if board.turn == side else 100 - chance


def _material(board: chess.Board, side: chess.Color) -> int:
    total = 0
    for piece in board.piece_map().values():
        value = VALUES.get(piece.symbol().lower(), 0)
        total += value if piece.color == side else -value
    return total
