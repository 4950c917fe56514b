"""Reasons where no material falls: the one reply that is good, an overlooked threat, a wasted move.

Each is proved by ablation: a search of the same position without the reply or the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    AGAIN,
    MOST,
    NEAR,
    SURE,
    ProofQuestion,
    ReasonCandidate,
    is_open,
    line_words,
)
from boomslang.engine.analysis.reasons.exchange import winnable_on
from boomslang.engine.analysis.reasons.material import join_words
from boomslang.engine.analysis.reasons.motifs import SAFE, find_mate_threat
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import State, state_of, win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

# Winning chances in per cent that make no difference, and those by which something is better.
_SAME: Final = 1.0
_BETTER: Final = 2.5


def find_quiet_reasons(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
    """Candidates, the most telling first; `history` is the board before the move, with the game so far.

    None in a lost position, where little is left to lose.
    """
    if state_of(move.chance_before) == State.LOST:
        return
    finders = (_allowed_reply, _overlooked_threat, _missed_threat, _harmful_move, _idle_move)
    for find in finders:
        if found := find(move, history):
            yield _with_loss_searched_again(found, move, history)


def _with_loss_searched_again(
    candidate: ReasonCandidate, move: MoveReport, history: chess.Board
) -> ReasonCandidate:
    """The candidate, only if a second search of both positions finds most of the loss."""
    pair = Segment(AnalysedPosition.of(history), (move.move.uci(),), effort=AGAIN, is_blamed=True)

    def fits(before: Evaluation, after: Evaluation) -> bool:
        best, played = win_chance(before.best.score.to_chess()), _mover_chance(after)
        rest = (1 - MOST) * move.chance_loss
        return best - played >= _most_of(move) and played <= move.chance_after + rest

    return replace(candidate, questions=(*candidate.questions, ProofQuestion(pair, fits)))


def _allowed_reply(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The reply without which the move would cost little; no recapture, and none that is forced."""
    after, reply = _with_reply(move, history)
    if reply is None or after.legal_moves.count() < 2:
        return None
    if move.board.is_capture(move.move) and reply.to_square == move.move.to_square:
        return None
    least = move.chance_after + _most_of(move)
    position = AnalysedPosition.of(after)
    others = Segment(position, avoided=reply.uci(), effort=SURE, enough=100 - least)
    threat, targets = _threat(after, reply)
    text = f"Allows {line_words(after, [reply])}{threat}."
    return ReasonCandidate(
        _reason(text, Motif.REPLY, reply, targets),
        (ProofQuestion(others, lambda found: _mover_chance(found) >= least),),
    )


def _threat(before: chess.Board, reply: chess.Move) -> tuple[str, tuple[chess.Square, ...]]:
    """What a reply threatens that was safe before, in words, with the squares: mate at once, or pieces."""
    board = before.copy(stack=False)
    board.push(reply)
    can_be_retaken = before.is_capture(reply) and board.is_attacked_by(board.turn, reply.to_square)
    if board.is_check() or can_be_retaken:
        return "", ()
    mate, king = find_mate_threat(board), board.king(board.turn)
    pieces = chess.SquareSet(board.occupied_co[board.turn] & ~board.pawns)
    board.push(chess.Move.null())
    if mate and king is not None:
        return f", which threatens mate by {line_words(board, [mate])}", (king,)
    targets = [
        square
        for square in pieces
        if winnable_on(before, square) < SAFE <= winnable_on(board, square)
    ]
    names = [
        f"the {chess.piece_name(board.piece_type_at(each) or 0)} on {chess.square_name(each)}"
        for each in targets
    ]
    return f", which attacks {join_words(names)}" if names else "", tuple(targets)


def _overlooked_threat(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A capture or check that is the best answer to a pass as well, and costs as much."""
    after, reply = _with_reply(move, history)
    if reply is None or not (after.is_capture(reply) or after.gives_check(reply)):
        return None
    text = f"Does nothing against {line_words(after, [reply])}."
    return _passed(move, history, _reason(text, Motif.THREAT, reply), -_SAME, reply)


def _missed_threat(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The best move, if it threatens what the move does not, and without it the chances are as bad."""
    best = next(iter(move.before.best.pv), None)
    if best is None or best == move.move:
        return None
    threat, targets = _threat(history, best)
    if not threat or targets == _threat(history, move.move)[1]:
        return None
    most = move.chance_before - _most_of(move)
    position = AnalysedPosition.of(history)
    others = Segment(position, avoided=best.uci(), effort=SURE, enough=most)
    text = f"Misses {line_words(history, [best])}{threat}."
    return ReasonCandidate(
        _reason(text, Motif.MISSED_THREAT, best, targets),
        (ProofQuestion(others, lambda found: win_chance(found.best.score.to_chess()) < most),),
    )


def _most_of(move: MoveReport) -> float:
    """Most of what the move loses, in winning chances in per cent."""
    return max(MOST * move.chance_loss, NEAR)


def _harmful_move(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A move that is worse than none at all."""
    file = _opened_file(move, history)
    what = f"Opens the {file}-file to the own king" if file else "Does harm"
    reason = _reason(f"{what}: to pass would have been better.", Motif.HARM)
    return _passed(move, history, reason, _BETTER)


def _opened_file(move: MoveReport, history: chess.Board) -> str:
    """The file at the own king that a capture, or its recapture, opens to a rook or queen; or nothing."""
    before, (after, reply) = move.board, _with_reply(move, history)
    king, mover = after.king(before.turn), before.turn
    if king is None or not before.is_capture(move.move):
        return ""
    if reply and reply.to_square == move.move.to_square:
        after.push(reply)
    near = chess.BB_KING_ATTACKS[king] | chess.BB_SQUARES[king]
    attackers = (after.rooks | after.queens) & after.occupied_co[not mover]
    pawns = before.pawns & before.occupied_co[mover]
    opened = (
        name
        for name, file in zip(chess.FILE_NAMES, chess.BB_FILES, strict=True)
        if file & near and file & attackers and file & pawns and not file & after.pawns
    )
    return next(opened, "")


def _idle_move(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A move that is no better than none at all."""
    reason = _reason("Achieves nothing: to pass would have been as good.", Motif.IDLE)
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

    enough = 100 - move.chance_after + _SAME  # for the opponent: then no such reason holds
    search = Segment(AnalysedPosition.of(passed), effort=AGAIN, enough=enough)
    return ReasonCandidate(reason, (ProofQuestion(search, fits),))


def _with_reply(move: MoveReport, history: chess.Board) -> tuple[chess.Board, chess.Move | None]:
    """The board after the move, and the best reply."""
    after = history.copy()
    after.push(move.move)
    return after, next(iter(move.after.best.pv), None)


def _reason(
    text: str,
    means: Motif,
    reply: chess.Move | None = None,
    targets: tuple[chess.Square, ...] = (),
) -> Reason:
    line, squares = ((reply.uci(),), (reply.to_square,)) if reply else ((), ())
    is_missed = means == Motif.MISSED_THREAT
    return Reason(ReasonKind.POSITION, text, line, is_missed, means, (*squares, *targets))


def _mover_chance(found: Evaluation) -> float:
    """The winning chances of the player whose opponent is to move, in per cent."""
    return 100 - win_chance(found.best.score.to_chess())
