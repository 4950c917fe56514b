"""Checks a reason of a report by a longer search, without the code that has found it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import chess
from chess.engine import Cp

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.win_percent import SEVERE, win_chance
from boomslang.engine.analyst import Evaluation, evaluate, new_analyst
from boomslang.engine.limits import Limits
from boomslang.engine.search_settings import AnalysisSettings

VALUES = {"p": 1.0, "n": 3.5, "b": 3.5, "r": 5.5, "q": 10.0}
COST = {
    False: 2.0,
    True: 5.0,
}  # winning chances in per cent that an inaccuracy, a mistake must lose still
SHARE = 0.3  # of the loss that must be gone without what a reason of position names
DRIFT = 15.0  # by which they may change along a line
LEVEL = 40.0, 60.0
SLACK = 8.0  # by which a chance may be outside the bounds of its words
STATES = {"lost": (0.0, 20.0), "level": (42.0, 58.0), "won": (80.0, 100.0)}
STARTS = {"the win": 80.0, "the advantage": 58.0, "the balance": 42.0}


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
        if best - played < COST[case.move.judgement in SEVERE]:
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
            if best - others < COST[True] or others >= least:
                return f"another move costs {best - others:.0f} % only"
            return ""
        if reason.kind == ReasonKind.POSITION:
            return self._why_not_by_position(case, best, played)
        if reason.kind == ReasonKind.PERPETUAL:
            there = best if reason.instead else played
            return "" if LEVEL[0] <= there <= LEVEL[1] else f"{there:.0f} % after it"
        found = self._search(end)
        at_end = _pov(win_chance(found.best.score.to_chess()), end, mover)
        there = best if reason.instead else played
        if abs(at_end - there) > DRIFT:
            return f"{there:.0f} % at the line's beginning, {at_end:.0f} % at its end"
        return self._why_not_won(case, end, found)

    def _why_not_by_position(self, case: Case, best: float, played: float) -> str:
        """The loss without the reply or the move that the reason names."""
        reason, mover = case.reason, case.board.turn
        self._new = True
        after = case.board.copy()
        after.push(case.move.move)
        if reason.means == Motif.TRADE:
            return self._why_no_trade(case, after)
        if reason.means == Motif.MISSED_THREAT:
            others = self.chance(case.board, mover, avoided=reason.line[0])
            is_so = best - others >= SHARE * (best - played)
            return "" if is_so else f"from {best:.0f} to {played:.0f} %, {others:.0f} % by others"
        if reason.means in (Motif.IDLE, Motif.HARM, Motif.THREAT):
            passed = case.board.copy(stack=False)
            passed.push(chess.Move.null())
            chance, least = self.chance(passed, mover), played - 4
        else:
            chance = self.chance(after, mover, avoided=reason.line[0])
            least = played + SHARE * (best - played)
        return (
            "" if chance >= least else f"from {best:.0f} to {played:.0f} %, {chance:.0f} % without"
        )

    def _why_no_trade(self, case: Case, after: chess.Board) -> str:
        """The state of the ending."""
        board = (case.board if case.reason.instead else after).copy()
        for name in case.reason.line:
            board.push_uci(name)
        there = self.chance(board, case.board.turn)
        state = re.search("into a (lost|level|won)", case.reason.text)
        least, most = STATES[state[1]] if state else (100.0, 0.0)
        return "" if least - SLACK <= there <= most + SLACK else f"{there:.0f} % in the ending"

    def _why_not_won(self, case: Case, end: chess.Board, found: Evaluation) -> str:
        """The material after the line, and after what a longer search plays on to."""
        reason, mover = case.reason, case.board.turn
        winner = mover if reason.instead else not mover
        least = _material(end, winner) - _material(case.board, winner)
        if least <= 0:
            return f"the line wins {least} pawns"
        after = end.copy()
        quiet = least
        for move in found.best.pv[:8]:
            after.push(move)
            captures = any(after.is_capture(move) for move in after.legal_moves)
            if not (captures or after.is_check()):
                quiet = _material(after, winner) - _material(case.board, winner)
        return "" if quiet > 0 or self._is_lost(after, winner) else f"{quiet} pawns in the end"

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


def _material(board: chess.Board, side: chess.Color) -> float:
    total = 0.0
    for piece in board.piece_map().values():
        value = VALUES.get(piece.symbol().lower(), 0.0)
        total += value if piece.color == side else -value
    return total
