"""Draws that throw away something better: stalemate, perpetual check, repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import line_words

_BETTER: Final = 60.0  # winning chances in per cent that a draw throws away
_MAX_PLIES: Final = 9  # plies of a line that is shown


def stalemate(move: MoveReport) -> Reason | None:
    """Stalemate on the board, or at the end of the line."""
    if move.chance_before < _BETTER or move.score_after.score() != 0:
        return None
    board = move.board.copy(stack=False)
    board.push(move.move)
    if board.is_stalemate():
        return Reason(ReasonKind.STALEMATE, "Stalemate.", (), False, None, _king(board))
    line = list(move.after.best.pv)
    end = board.copy(stack=False)
    for number, reply in enumerate(line[:_MAX_PLIES], start=1):
        end.push(reply)
        if end.is_stalemate() and end.turn != move.board.turn:
            words = line_words(board, line[:number])
            shown_line = tuple(step.uci() for step in line[:number])
            text = f"Allows stalemate: {words}."
            return Reason(ReasonKind.STALEMATE, text, shown_line, False, None, _king(end))
    return None


def perpetual_check(move: MoveReport) -> Reason | None:
    """Checks by the opponent without an end, shown by a repeated position."""
    if move.chance_before < _BETTER or move.score_after.score() != 0:
        return None
    board = move.board.copy(stack=False)
    board.push(move.move)
    line = list(move.after.best.pv)
    length = _checks_until_repetition(board, line, not move.board.turn)
    if not length:
        return None
    words = line_words(board, line[:length])
    shown_line = tuple(step.uci() for step in line[:length])
    text = f"Allows perpetual check: {words}."
    return Reason(
        ReasonKind.PERPETUAL, text, shown_line, False, None, _king(board, move.board.turn)
    )


def _checks_until_repetition(
    board: chess.Board, line: Sequence[chess.Move], checker: chess.Color
) -> int:
    """Plies until a position of the line comes again, all of `checker` giving check; 0 if none does soon."""
    after = board.copy(stack=False)
    seen = {_key(after): 0}
    last_quiet = 0  # plies until after the last move of `checker` without a check
    for number, move in enumerate(line[:_MAX_PLIES], start=1):
        is_his = after.turn == checker
        after.push(move)
        if is_his and not after.is_check():
            last_quiet = number
        first = seen.setdefault(_key(after), number)
        if first < number:
            return number if first >= last_quiet else 0
    return 0


def repetition(move: MoveReport, history: chess.Board) -> Reason | None:
    """The same position for the third time, by this move or by the reply."""
    if move.chance_before < _BETTER or move.score_after.score() != 0:
        return None
    after = history.copy()
    after.push(move.move)
    if after.is_repetition(3):
        return Reason(ReasonKind.REPETITION, "Threefold repetition.", (), False)
    for reply in list(move.after.best.pv[:1]):
        words = line_words(after, [reply])
        after.push(reply)
        if after.is_repetition(3):
            text = f"Allows threefold repetition: {words}."
            return Reason(ReasonKind.REPETITION, text, (reply.uci(),), False)
    return None


def _key(board: chess.Board) -> str:
    """The position without its counters."""
    return board.epd()


def _king(board: chess.Board, side: chess.Color | None = None) -> tuple[chess.Square, ...]:
    king = board.king(board.turn if side is None else side)
    return () if king is None else (king,)
