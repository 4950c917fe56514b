"""Reasons where no material falls: the one reply that is good, an overlooked threat, a wasted move.

Each is proved by ablation: a search of the same position without the reply or the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    MOST,
    SURE,
    ProofQuestion,
    ReasonCandidate,
    is_open,
    line_words,
)
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

# Winning chances in per cent that make no difference, and those by which something is better.
_SAME: Final = 1.0
_IDLE_LOSS: Final = 10.0
_BETTER: Final = 2.5


def find_quiet_reasons(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
    """Candidates, the most telling first; `history` is the board before the move, with the game so far."""
    finders = (_allowed_reply, _overlooked_threat, _harmful_move, _idle_move)
    yield from (found for find in finders if (found := find(move, history)))


def _allowed_reply(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The reply without which the move would cost little; no recapture, and none that is forced."""
    after, reply = _with_reply(move, history)
    if reply is None or after.legal_moves.count() < 2:
        return None
    if move.board.is_capture(move.move) and reply.to_square == move.move.to_square:
        return None
    least = move.chance_after + MOST * move.chance_loss
    position = AnalysedPosition.of(after)
    others = Segment(position, avoided=reply.uci(), effort=SURE, enough=100 - least)
    return ReasonCandidate(
        _reason(f"Allows {line_words(after, [reply])}.", Motif.REPLY, reply),
        (ProofQuestion(others, lambda found: _mover_chance(found) >= least),),
    )


def _overlooked_threat(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A capture or check that is the best answer to a pass as well, and costs as much."""
    after, reply = _with_reply(move, history)
    if reply is None or not (after.is_capture(reply) or after.gives_check(reply)):
        return None
    text = f"Does nothing against {line_words(after, [reply])}."
    return _passed(move, history, _reason(text, Motif.THREAT, reply), -_SAME, reply)


def _harmful_move(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A move that is worse than none at all."""
    reason = _reason("Does harm: to pass would have been better.", Motif.HARM, None)
    return _passed(move, history, reason, _BETTER)


def _idle_move(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A move that is no better than none at all, and costs more than most that are never punished."""
    if move.chance_loss < _IDLE_LOSS:
        return None
    reason = _reason("Achieves nothing: to pass would have been as good.", Motif.IDLE, None)
    return _passed(move, history, reason, -_SAME)


def _passed(
    move: MoveReport,
    history: chess.Board,
    reason: Reason,
    more: float,
    reply: chess.Move | None = None,
) -> ReasonCandidate | None:
    """The reason, if a pass brings so much more winning chances; `reply`, if given, is the answer to it."""
    passed = history.copy(stack=False)
    if passed.is_check():
        return None
    passed.push(chess.Move.null())
    if not is_open(passed):
        return None

    def fits(found: Evaluation) -> bool:
        is_same = reply is None or found.best.pv[:1] == (reply,)
        return is_same and _mover_chance(found) >= move.chance_after + more

    position = AnalysedPosition.of(passed)
    searches = (Segment(position, effort=effort) for effort in (1, SURE))  # most fail at once
    return ReasonCandidate(reason, tuple(ProofQuestion(search, fits) for search in searches))


def _with_reply(move: MoveReport, history: chess.Board) -> tuple[chess.Board, chess.Move | None]:
    """The board after the move, and the best reply."""
    after = history.copy()
    after.push(move.move)
    return after, next(iter(move.after.best.pv), None)


def _reason(text: str, means: Motif, reply: chess.Move | None) -> Reason:
    line, squares = ((reply.uci(),), (reply.to_square,)) if reply else ((), ())
    return Reason(ReasonKind.POSITION, text, line, False, means, squares)


def _mover_chance(found: Evaluation) -> float:
    """The winning chances of the player whose opponent is to move, in per cent."""
    return 100 - win_chance(found.best.score.to_chess())
