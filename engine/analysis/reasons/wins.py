"""Reasons of material: what a move loses, or could have won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    AGAIN,
    ProofQuestion,
    ReasonCandidate,
    line_words,
)
from boomslang.engine.analysis.reasons.exchange import POINTS, LineStep, captured_piece, steps
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

# Winning chances in per cent that a line may lose to its end, and a short one gain: longer searches see more.
_MARGINS: Final = 6.0, 12.0
_SHARE: Final = 0.3  # share of the loss in centipawns that the material must explain
_PAID_FOR: Final = 2.5  # times the loss: more material is paid for by the position
_OTHERWISE: Final = 0.5  # share of the material by which the better line must be better,
_PIECE: Final = 3.0  # or the pawns
_SHORT: Final = 7  # plies of a line whose end is searched once
_KEPT: Final = 0.6  # share of the best line's material that a move wins which has not missed it
_LATER: Final = 8  # plies after its line in which the prize is not given back
_LATER_FOR_PAWNS: Final = 12  # as a pawn comes back more easily
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")
_REMARKS: Final = {
    Motif.FORK: "forks {all}",
    Motif.SKEWER: "skewers {all}",
    Motif.PIN: "pins the {first} to the king",
    Motif.DISCOVERED: "with a discovered attack on the {first}",
    Motif.TRAPPED: "traps the {first}",
    Motif.DEFENDER: "takes the defender of the {first}",
    Motif.DEFLECTION: "draws the {first} away from the {last}",
    Motif.MATE_THREAT: "threatens mate",
    Motif.IN_BETWEEN: "in between",
}


def find_lost_material(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """What the best reply wins; `history` is the board before the move, with the game so far."""
    mover = move.board.turn
    line = [move.move, *list(move.after.best.pv)]
    line_steps = steps(move.board, line, mover)
    prize = find_gain(line_steps, not mover, -1)
    other = outcome(steps(move.board, list(move.before.best.pv), mover), mover)
    if prize is None or other is None or not _explains(prize, other + prize.points, move):
        return None
    after = line_steps[1].board
    words, motif, squares = _words(line_steps, prize, shift=1)
    means = Motif.PROMOTION if prize.promotes else motif.means if motif else None
    if _only_promotes(prize):
        what = "Lets a pawn promote"
    elif given_up := _what_was_given_up(line_steps, prize):
        what, means = given_up
    else:
        what = f"Loses {_prize_words(line_steps, prize, motif)}"
        what += " and lets a pawn promote" * prize.promotes
    reason = Reason(
        ReasonKind.LOSES_MATERIAL,
        f"{what}: {line_words(after, line[1 : prize.end + 1], words)}.",
        tuple(step.uci() for step in line[1 : prize.end + 1]),
        False,
        means,
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
    played = [move.move, *list(move.after.best.pv)]
    other = outcome(steps(move.board, played, mover), mover)
    if prize is None or other is None or not _explains(prize, prize.points - other, move):
        return None
    if _takes(move, prize):
        return None
    words, motif, squares = _words(line_steps, prize, shift=0)
    what = "a better promotion" if move.move.promotion else "a promotion"
    if not _only_promotes(prize):
        also = f" and {what}" if prize.promotes else ""
        what = f"the win of {_prize_words(line_steps, prize, motif)}{also}"
    reason = Reason(
        ReasonKind.MISSES_MATERIAL,
        f"Misses {what}: {line_words(move.board, line[: prize.end + 1], words)}.",
        tuple(step.uci() for step in line[: prize.end + 1]),
        True,
        Motif.PROMOTION if prize.promotes else motif.means if motif else None,
        squares,
    )
    return _candidate(reason, history, line[: prize.end + 1], mover, prize, move.chance_before)


def _explains(prize: MaterialGain, difference: float, move: MoveReport) -> bool:
    """True if the lines differ by most of the material, and by about as much as the move costs."""
    cost = clip_score(move.score_before) - clip_score(move.score_after)
    least = min(_OTHERWISE * prize.points, _PIECE)
    return difference >= least and _SHARE * cost <= 100 * difference <= _PAID_FOR * cost


def _takes(move: MoveReport, prize: MaterialGain) -> bool:
    """True if the move takes a piece of the prize too, and keeps most of what the best line wins."""
    taken = captured_piece(move.board, move.move)
    if taken not in prize.victims:
        return False
    is_retaken = move.move.to_square in {reply.to_square for reply in move.after.best.pv[:1]}
    taker = move.board.piece_type_at(move.move.from_square) or chess.KING
    won = taken.points - is_retaken * POINTS[taker]
    return not is_retaken or won >= _KEPT * prize.points


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

    later = _LATER if prize.is_piece else _LATER_FOR_PAWNS
    least, most = _MARGINS[0], _MARGINS[prize.end < _SHORT]

    def fits(found: Evaluation) -> bool:
        there = win_chance(found.best.score.to_chess())
        drift = (there if end.turn == winner else 100 - there) - chance
        line_steps = steps(end, list(found.best.pv[:later]), winner)
        return -least <= drift <= most and holds(line_steps, -prize.returnable, winner, 1)

    search = Segment(
        AnalysedPosition.of(end), effort=1 if prize.is_piece and prize.end < _SHORT else AGAIN
    )
    return ReasonCandidate(reason, (ProofQuestion(search, fits),))


def _only_promotes(prize: MaterialGain) -> bool:
    """True if the new queen is the gain, as the pieces taken are worth no more than those given."""
    taken, paid = (sum(one.points for one in pieces) for pieces in (prize.victims, prize.price))
    return prize.promotes and taken <= paid


def _what_was_given_up(
    line_steps: Sequence[LineStep], prize: MaterialGain
) -> tuple[str, Motif] | None:
    """What the move did to a piece that is taken at once: opened a line to it, or left its defence."""
    played, reply = line_steps[:2]
    if prize.capture != 1 or len(prize.victims) != 1 or prize.price or not prize.untouched:
        return None
    (victim,) = prize.victims
    target, origin = victim.square, played.move.from_square
    if target == played.move.to_square or played.board.piece_at(target) is None:
        return None
    piece = f"the {chess.piece_name(victim.kind)} on {chess.square_name(target)}"
    if origin in chess.SquareSet.between(reply.move.from_square, target):
        taker = reply.board.piece_type_at(reply.move.from_square) or chess.QUEEN
        return f"Opens the line of the {chess.piece_name(taker)} to {piece}", Motif.OPENED
    mover = played.board.turn
    was_defender = origin in played.board.attackers(mover, target)
    if not was_defender or played.move.to_square in reply.board.attackers(mover, target):
        return None
    defenders = len(reply.board.attackers(mover, target))
    attackers = len(reply.board.attackers(not mover, target))
    if not defenders:
        return f"Leaves {piece} without a defender", Motif.LEFT
    if not defenders < attackers < len(_NUMBERS):
        return None
    count = f"{_NUMBERS[defenders]} defender{'s' * (defenders > 1)} against {_NUMBERS[attackers]}"
    return f"Leaves {piece} to {count}", Motif.LEFT


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
    remark = _REMARKS[motif.means].format(all=_targets(kinds), first=names[0], last=names[-1])
    if motif.means == Motif.DISCOVERED and names[0] == "king":
        remark = "with a discovered check"
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
