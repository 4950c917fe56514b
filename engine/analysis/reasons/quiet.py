"""Reasons where no material falls: the one reply that is good, a piece on a worse square, a wasted move.

Each is proved by ablation: a search of the same position without the reply, the piece or the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import ProofQuestion, ReasonCandidate, line_words
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import CEILING, clip_score, win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

_MOST: Final = 0.6  # share of the loss that is gone without what the reason names
_BY_SQUARE: Final = 0.75  # the same for the square of a piece, as pieces do more than one thing
_MIN_WORTH: Final = 40  # centipawns by which one square is better than another
# Winning chances in per cent that make no difference, and those by which something is better.
_SAME: Final = 1.0
_BETTER: Final = 2.5


def find_quiet_reasons(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
    """Candidates, the most telling first; `history` is the board before the move, with the game so far."""
    finders = (_allowed_reply, _overlooked_threat, _square_left, _harmful_move)
    yield from (found for find in (*finders, _idle_move) if (found := find(move, history)))


def _allowed_reply(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The reply without which the move would cost little; no recapture, and none that is forced."""
    after, reply = _with_reply(move, history)
    if reply is None or after.legal_moves.count() < 2:
        return None
    if move.board.is_capture(move.move) and reply.to_square == move.move.to_square:
        return None
    least = move.chance_after + _MOST * move.chance_loss
    others = Segment(AnalysedPosition.of(after), avoided=reply.uci(), enough=100 - least)
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
    """A move that is no better than none at all."""
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
    if not _is_open(passed):
        return None

    def fits(found: Evaluation) -> bool:
        is_same = reply is None or found.best.pv[:1] == (reply,)
        return is_same and _mover_chance(found) >= move.chance_after + more

    return ReasonCandidate(reason, (ProofQuestion(Segment(AnalysedPosition.of(passed)), fits),))


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


def _square_left(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The piece that should have moved, if it is worth less where it has stayed.

    Without it the position after the move must be nearly as good as the one after the best move.
    """
    best = next(iter(move.before.best.pv), None)
    if best is None or best.from_square == move.move.from_square or move.board.is_capture(best):
        return None
    squares = best.from_square, best.to_square
    if history.piece_type_at(best.from_square) in (chess.PAWN, chess.KING):
        return None
    boards = []
    for step, square in zip((move.move, best), squares, strict=True):
        board = history.copy(stack=False)
        board.push(step)
        if board.remove_piece_at(square) is None:  # as castling moves a rook
            return None
        board.castling_rights = board.clean_castling_rights()
        if not _is_open(board):
            return None
        boards.append(board)
    cost = clip_score(move.score_before) - clip_score(move.score_after)
    most = (1 - _BY_SQUARE) * cost
    scores: list[int] = []

    def hear(found: Evaluation) -> bool:
        scores[:] = [clip_score(found.best.score.to_chess())]
        return abs(scores[0]) < CEILING

    def fits(found: Evaluation) -> bool:
        score = clip_score(found.best.score.to_chess())
        rest = scores[0] - score  # both are in the opponent's view
        return abs(score) < CEILING and rest <= most and cost - rest >= _MIN_WORTH

    stays, goes = map(chess.square_name, squares)
    text = f"Leaves the {_name(move.board, squares[0])} on {stays}, where it stands worse than on {goes}."
    reason = Reason(ReasonKind.POSITION, text, (), False, Motif.SQUARE, squares)
    first, second = (Segment(AnalysedPosition.of(board)) for board in boards)
    return ReasonCandidate(reason, (ProofQuestion(first, hear), ProofQuestion(second, fits)))


def _is_open(board: chess.Board) -> bool:
    """True if the position can be searched."""
    return board.is_valid() and not board.is_game_over()


def _name(board: chess.Board, square: chess.Square) -> str:
    return chess.piece_name(board.piece_type_at(square) or chess.KING)
