"""Mates that a move allows or misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.reasons.motifs import is_back_rank_mate

_MAX_PLIES: Final = 9  # plies of a mate that is shown to its end


def find_allowed_mate(move: MoveReport) -> Reason | None:
    """The mate by the opponent that only this move has made possible."""
    board = move.board.copy(stack=False)
    board.push(move.move)
    return _mate(board, move.after.best.pv, move.allowed_mate, ReasonKind.ALLOWS_MATE)


def find_missed_mate(move: MoveReport) -> Reason | None:
    """The mate that this move misses."""
    return _mate(move.board, move.before.best.pv, move.missed_mate, ReasonKind.MISSES_MATE)


def _mate(
    board: chess.Board, moves: Sequence[chess.Move], mate: int | None, kind: ReasonKind
) -> Reason | None:
    """The reason, if the line really ends in a mate in that number of moves."""
    if mate is None or len(moves) != 2 * mate - 1:
        return None
    end = board.copy(stack=False)
    for move in moves:
        end.push(move)
    if not end.is_checkmate():
        return None
    by_back_rank = is_back_rank_mate(end)
    verb = "Allows" if kind == ReasonKind.ALLOWS_MATE else "Misses"
    line_text = line_words(board, moves[:_MAX_PLIES]) + (" ..." if len(moves) > _MAX_PLIES else ".")
    where = " on the back rank" if by_back_rank else ""
    king = end.king(end.turn)
    return Reason(
        kind,
        f"{verb} mate in {mate}{where}: {line_text}",
        tuple(map(chess.Move.uci, moves)),
        kind == ReasonKind.MISSES_MATE,
        Motif.BACK_RANK if by_back_rank else None,
        () if king is None else (king,),
    )
