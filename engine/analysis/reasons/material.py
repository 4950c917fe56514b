"""Material that a line wins for good, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.analysis.reasons.exchange import LineStep, Victim

_MAX_PLIES: Final = 17  # plies up to the winning capture; longer lines convince nobody
_MAX_FOR_PAWNS: Final = 7  # of a prize without a piece
_ENOUGH: Final = 0.6  # share of the most that a line wins: an earlier position is clearer
_HOLDS: Final = 4  # plies after it in which the material must stay won
_OVERALL: Final = 10  # plies after which two lines are compared
_MINOR: Final = (chess.KNIGHT, chess.BISHOP)


@dataclass(frozen=True, slots=True)
class MaterialGain:
    """What one side wins in a line."""

    end: int  # index of the last capture or promotion
    capture: int  # index of the winner's last one
    points: float  # pawns
    victims: tuple[Victim, ...]  # not paid for by pieces of the same kind
    price: tuple[Victim, ...]  # pieces given for them
    promotes: bool  # a new queen is part of it
    untouched: bool  # the only victim stands on its square after the first move

    @property
    def is_piece(self) -> bool:
        """True for more than pawns, as people count: a piece for two pawns is a piece."""
        return self.promotes or any(victim.kind != chess.PAWN for victim in self.victims)

    @property
    def returnable(self) -> float:
        """What may be given back later, in pawns: a pawn of a piece, and never all."""
        if not self.is_piece:
            return _GIVEN_BACK * max(self.points - 1, 0)
        return min(max(_GIVEN_BACK * self.points, 1.0), self.points - 0.5)


_GIVEN_BACK: Final = 0.4  # largest share of a prize that may be given back later


def find_gain(
    line_steps: Sequence[LineStep], winner: chess.Color, sign: int
) -> MaterialGain | None:
    """What `winner` wins for good within a readable line; None if nothing.

    The balance of each step is multiplied by `sign` to be the winner's.
    """
    prizes = [
        prize
        for index, step in enumerate(line_steps[:_MAX_PLIES])
        if sign * step.balance > 0
        and step.is_settled_for(winner)
        and not any(
            each.board.turn != winner and each.move.promotion for each in line_steps[: index + 1]
        )
        and holds(line_steps[index + 1 : index + 1 + _HOLDS], sign * step.balance, winner, sign)
        and (prize := _prize(line_steps[: index + 1], sign * step.balance, winner))
        and (prize.is_piece or prize.end < _MAX_FOR_PAWNS)
        and not (prize.end == prize.capture and line_steps[prize.end].is_retaken)
    ]
    most = max((prize.points for prize in prizes), default=0)
    return next((prize for prize in prizes if prize.points >= _ENOUGH * most), None)


def holds(line_steps: Sequence[LineStep], points: float, winner: chess.Color, sign: int) -> bool:
    """True if `winner` keeps at least these points at each quiet step of a line, and at its end."""
    settled = [step for step in line_steps if not step.is_check]
    quiet = [step for step in settled if step.is_quiet]
    return all(step.worth(winner, sign) >= points for step in (*quiet, *settled[-1:]))


def outcome(line_steps: Sequence[LineStep], side: chess.Color) -> float | None:
    """The material of `side` at the last quiet position of a line's beginning, or after its last captures.

    None for a line of checks alone.
    """
    first = line_steps[:_OVERALL]
    last = next((step for step in reversed(first) if step.is_quiet), None)
    if last:
        return last.balance
    return next((step.worth(side, 1) for step in reversed(first) if not step.is_check), None)


def _prize(line_steps: Sequence[LineStep], points: float, winner: chess.Color) -> MaterialGain:
    victims: list[Victim] = []
    price: list[Victim] = []
    promoted: set[chess.Square] = set()  # where pieces stand that were pawns in the beginning
    end = capture = 0
    for index, step in enumerate(line_steps):
        is_winners = step.board.turn == winner
        if victim := step.victim:
            if victim.square in promoted:
                victim = Victim(chess.PAWN, victim.square)
            (victims if is_winners else price).append(victim)
            promoted.discard(victim.square)
        if step.victim or step.move.promotion:
            end = index
            capture = index if is_winners else capture
        if step.move.promotion or step.move.from_square in promoted:
            promoted.discard(step.move.from_square)
            promoted.add(step.move.to_square)
    _cancel(victims, price)
    untouched = len(victims) == 1 and not any(
        step.move.to_square == victims[0].square
        for step in line_steps[1:capture]
        if step.board.turn != winner
    )
    end_board = line_steps[-1].after()
    promotes = any(end_board.color_at(square) == winner for square in promoted)
    return MaterialGain(end, capture, points, tuple(victims), tuple(price), promotes, untouched)


def _cancel(victims: list[Victim], price: list[Victim]) -> None:
    """Strike out pieces that were exchanged: first of the same kind, then bishops for knights."""
    for same in (lambda a, b: a == b, lambda a, b: a in _MINOR and b in _MINOR):
        for piece in list(price):
            taken = next((other for other in victims if same(other.kind, piece.kind)), None)
            if taken:
                victims.remove(taken)
                price.remove(piece)


def prize_words(prize: MaterialGain) -> str:
    """What is won, for example "the knight on f6", "the exchange", "a rook and a pawn for a knight"."""
    kinds = sorted((victim.kind for victim in prize.victims), reverse=True)
    paid = sorted((victim.kind for victim in prize.price), reverse=True)
    if kinds == [chess.ROOK] and len(paid) == 1 and paid[0] in _MINOR:
        return "the exchange"
    if len(kinds) == 1 and prize.untouched:
        (victim,) = prize.victims
        words = f"the {chess.piece_name(victim.kind)} on {chess.square_name(victim.square)}"
    else:
        words = list_pieces(kinds)
    return f"{words} for {list_pieces(paid)}" if paid else words


def list_pieces(kinds: Sequence[chess.PieceType]) -> str:
    """Pieces in words: "a queen", "two pawns", "a rook and two pawns"."""
    numbers = ("", "a", "two", "three", "four", "five")
    words = []
    for kind in sorted(set(kinds), reverse=True):
        number, name = kinds.count(kind), chess.piece_name(kind)
        count = numbers[number] if number < len(numbers) else str(number)
        words.append(f"{count} {name}{'s' * (number > 1)}")
    return join_words(words)


def join_words(words: Sequence[str]) -> str:
    """Words with commas and an "and"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
