"""Reasons of material: what a move loses, or could have won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import ProofQuestion, ReasonCandidate, line_words
from boomslang.engine.analysis.reasons.exchange import LineStep, captured_piece, steps
from boomslang.engine.analysis.reasons.material import (
    MaterialGain,
    find_gain,
    holds,
    join_words,
    list_pieces,
    outcome,
    prize_words,
)
from boomslang.engine.analysis.reasons.motifs import FoundMotif, find_motif
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import clip_score, win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

_MARGIN: Final = 8.0  # winning chances in per cent between a line's beginning and its end
_SHARE: Final = 0.35  # share of the loss in centipawns that the material must explain
_OTHERWISE: Final = 0.6  # share of the material by which the better line must be better
_LATER: Final = 8  # plies after its line in which the prize is not given back
_GIVEN_BACK: Final = 0.4  # largest share of the prize, and never the last pawn of it
_VERBS: Final = {Motif.FORK: "forks", Motif.SKEWER: "skewers"}


def find_lost_material(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """What the best reply wins; `history` is the board before the move, with the game so far."""
    mover = move.board.turn
    line = [move.move, *list(move.after.best.pv)]
    line_steps = steps(move.board, line, mover)
    prize = find_gain(line_steps, not mover, -1)
    if prize is None or not _explains(prize, move):
        return None
    other = outcome(steps(move.board, list(move.before.best.pv), mover), 1)
    if other is None or other + prize.points < _OTHERWISE * prize.points:
        return None
    after = line_steps[1].board
    words, means, squares = _words(line_steps, prize, shift=1)
    line_text = line_words(after, line[1 : prize.end + 1], words)
    reason = Reason(
        ReasonKind.LOSES_MATERIAL,
        f"Loses {_prize_words(line_steps, prize, means)}: {line_text}."
        if not _only_promotes(prize)
        else f"Lets a pawn promote: {line_text}.",
        tuple(step.uci() for step in line[1 : prize.end + 1]),
        False,
        means.means if means else None,
        squares,
    )
    shown_moves = line[: prize.end + 1]
    return _candidate(reason, history, shown_moves, not mover, prize, 100 - move.chance_after)


def find_missed_material(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """What the best move would have won; `history` as in `find_lost_material`."""
    mover = move.board.turn
    line = list(move.before.best.pv)
    line_steps = steps(move.board, line, mover)
    prize = find_gain(line_steps, mover, 1)
    if prize is None or not _explains(prize, move) or _takes(move, prize):
        return None
    played = [move.move, *list(move.after.best.pv)]
    other = outcome(steps(move.board, played, mover), 1)
    if other is None or prize.points - other < _OTHERWISE * prize.points:
        return None
    words, means, squares = _words(line_steps, prize, shift=0)
    line_text = line_words(move.board, line[: prize.end + 1], words)
    reason = Reason(
        ReasonKind.MISSES_MATERIAL,
        f"Misses the win of {_prize_words(line_steps, prize, means)}: {line_text}."
        if not _only_promotes(prize)
        else f"Misses a promotion: {line_text}.",
        tuple(step.uci() for step in line[: prize.end + 1]),
        True,
        means.means if means else None,
        squares,
    )
    return _candidate(reason, history, line[: prize.end + 1], mover, prize, move.chance_before)


def _explains(prize: MaterialGain, move: MoveReport) -> bool:
    """True if the material is a good part of what the move costs."""
    cost = clip_score(move.score_before) - clip_score(move.score_after)
    return 100 * prize.points >= _SHARE * cost


def _takes(move: MoveReport, prize: MaterialGain) -> bool:
    """True if the move itself takes a piece of the prize, and is not retaken."""
    retaking = {reply.to_square for reply in list(move.after.best.pv[:1])}
    is_kept = move.move.to_square not in retaking
    return is_kept and captured_piece(move.board, move.move) in prize.victims


def _candidate(
    reason: Reason,
    history: chess.Board,
    line: Sequence[chess.Move],
    winner: chess.Color,
    prize: MaterialGain,
    chance: float,
) -> ReasonCandidate | None:
    """The reason holds if a search at the end of its line sees the winner's chances as they were.

    And the line that it finds must not give the prize back.
    """
    end = history.copy()
    for move in line:
        end.push(move)
    if end.is_game_over():
        return None

    def fits(found: Evaluation) -> bool:
        there = win_chance(found.best.score.to_chess())
        drift = abs((there if end.turn == winner else 100 - there) - chance)
        line_steps = steps(end, list(found.best.pv[:_LATER]), winner)
        least = -max(prize.points - 1, 0) * _GIVEN_BACK
        return drift <= _MARGIN and holds(line_steps, least, winner, 1)

    return ReasonCandidate(reason, (ProofQuestion(Segment(AnalysedPosition.of(end)), fits),))


def _only_promotes(prize: MaterialGain) -> bool:
    """True if the new queen is the gain, as the pieces taken are worth no more than those given."""
    taken, paid = (sum(one.points for one in pieces) for pieces in (prize.victims, prize.price))
    return prize.promotes and taken <= paid


def _words(
    line_steps: Sequence[LineStep], prize: MaterialGain, shift: int
) -> tuple[dict[int, str], FoundMotif | None, tuple[chess.Square, ...]]:
    """The means in words, by index of the move in a line that begins `shift` moves later."""
    motif = find_motif(line_steps, prize.capture)
    squares = tuple(victim.square for victim in prize.victims)
    if motif is None:
        return {}, None, squares
    if motif.step == prize.capture:  # said of the piece that is taken, and only of one
        is_plain = prize.untouched and not prize.price
        is_plain = is_plain and (motif.means == Motif.PIN or prize.capture == shift)
        return {}, motif if is_plain else None, squares
    if motif.step < shift:
        return {}, None, squares
    board = line_steps[motif.step + 1].board
    kinds = [board.piece_type_at(square) or chess.KING for square in motif.squares]
    names = [chess.piece_name(kind) for kind in kinds]
    if motif.means in _VERBS:
        remark = f"{_VERBS[motif.means]} {_targets(kinds)}"
    elif motif.means == Motif.PIN:
        remark = f"pins the {names[0]} to the king"
    elif names[0] == "king":
        remark = "with a discovered check"
    else:
        remark = f"with a discovered attack on the {names[0]}"
    return {motif.step - shift: remark}, motif, tuple(dict.fromkeys((*squares, *motif.squares)))


def _targets(kinds: Sequence[chess.PieceType]) -> str:
    """Attacked pieces in words: "king and rook", "queen and two pawns"."""
    words = [
        chess.piece_name(kind)
        if kinds.count(kind) == 1
        else list_pieces([kind] * kinds.count(kind))
        for kind in dict.fromkeys(kinds)
    ]
    return join_words(words)


def _prize_words(
    line_steps: Sequence[LineStep], prize: MaterialGain, found: FoundMotif | None
) -> str:
    """The prize, with what made the capture possible."""
    words = prize_words(prize)
    if found is None or found.step != prize.capture:
        return words
    if found.means == Motif.UNDEFENDED:
        return words.replace("the ", "the undefended ", 1)
    (victim,) = prize.victims
    if victim.square in found.squares:
        return words.replace("the ", "the pinned ", 1)
    places = join_words([chess.square_name(square) for square in found.squares[:-1]])
    return f"{words}, whose defender on {places} is pinned"
