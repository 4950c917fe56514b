"""Draws that throw away something better, or would have saved the game: stalemate, checks, repetition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import line_words

_BETTER: Final = (
    60.0  # winning chances in per cent that a draw throws away; what it saves is as far from 50
)
_MAX_PLIES: Final = 9  # plies of a line that is shown


def find_draws(move: MoveReport, history: chess.Board) -> Iterator[Reason]:
    """The draws that the move allows or misses; `history` is the board before it, with the game so far."""
    after = history.copy()
    after.push(move.move)
    if move.chance_before >= _BETTER and move.score_after.score() == 0:
        if after.is_stalemate():
            yield Reason(ReasonKind.STALEMATE, "Stalemate.", (), False, None, _king(after))
        elif after.is_repetition(3):
            yield Reason(ReasonKind.REPETITION, "Threefold repetition.", (), False)
        else:
            yield from _draws_of(after, move.after.best.pv, "Allows")
    if move.chance_after <= 100 - _BETTER and move.score_before.score() == 0:
        yield from _draws_of(history, move.before.best.pv, "Misses")


def _draws_of(board: chess.Board, line: Sequence[chess.Move], verb: str) -> Iterator[Reason]:
    """The draws to which a line leads; `board` has the game so far."""

    def reason(kind: ReasonKind, plies: int, squares: tuple[chess.Square, ...]) -> Reason:
        text = f"{verb} {_NAMES.get(kind, kind)}: {line_words(board, line[:plies])}."
        shown = tuple(step.uci() for step in line[:plies])
        return Reason(kind, text, shown, verb == "Misses", None, squares)

    end = board.copy()
    for number, step in enumerate(line[:_MAX_PLIES], start=1):
        end.push(step)
        if end.is_stalemate():
            yield reason(ReasonKind.STALEMATE, number, _king(end))
        if number == 1 and end.is_repetition(3):
            yield reason(ReasonKind.REPETITION, number, ())
    if length := _checks_until_repetition(board, line, board.turn):
        yield reason(ReasonKind.PERPETUAL, length, _king(board, not board.turn))


def _checks_until_repetition(
    board: chess.Board, line: Sequence[chess.Move], checker: chess.Color
) -> int:
    """Plies until a position of the line comes again, all of `checker` giving check; 0 if none does soon."""
    after = board.copy(stack=False)
    seen = {after.epd(): 0}  # positions without counters
    last_quiet = 0  # plies until after the last move of `checker` without a check
    for number, move in enumerate(line[:_MAX_PLIES], start=1):
        is_his = after.turn == checker
        after.push(move)
        if is_his and not after.is_check():
            last_quiet = number
        first = seen.setdefault(after.epd(), number)
        if first < number:
            return number if first >= last_quiet else 0
    return 0


def _king(board: chess.Board, side: chess.Color | None = None) -> tuple[chess.Square, ...]:
    king = board.king(board.turn if side is None else side)
    return () if king is None else (king,)


_NAMES: Final = {ReasonKind.REPETITION: "threefold repetition"}
