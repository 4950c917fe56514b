"""Trades: one that leads into a lost or level ending, and one that should have been made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Motif, Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    AGAIN,
    NEAR,
    ProofQuestion,
    ReasonCandidate,
    line_words,
)
from boomslang.engine.analysis.reasons.exchange import Victim, captured_piece
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import State, state_of, win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

_MAX_PLIES: Final = 4  # of a line in which pieces are traded
_ENDINGS: Final = {
    frozenset[chess.PieceType](): "pawn ending",
    frozenset([chess.BISHOP]): "bishop ending",
    frozenset([chess.KNIGHT]): "knight ending",
    frozenset([chess.ROOK]): "rook ending",
    frozenset([chess.QUEEN]): "queen ending",
}
_STATES: Final = {State.LOST: "lost", State.LEVEL: "level", State.WON: "won"}


@dataclass(frozen=True, slots=True)
class Trade:
    """Two pieces of a kind that take each other in a line."""

    kind: chess.PieceType
    square: chess.Square
    line: tuple[chess.Move, ...]  # up to the recapture
    board: chess.Board  # after it

    @property
    def ending(self) -> str:
        """The kind of ending by the pieces left; empty if there are several kinds."""
        pieces = self.board.occupied & ~(self.board.pawns | self.board.kings)
        kinds = {
            self.board.piece_type_at(square) or chess.KING for square in chess.SquareSet(pieces)
        }
        return _ENDINGS.get(frozenset(kinds), "")


def find_trade(board: chess.Board, line: Sequence[chess.Move]) -> Trade | None:
    """The first trade of pieces at the beginning of a line."""
    after = board.copy()
    last: Victim | None = None
    for number, move in enumerate(line[:_MAX_PLIES], start=1):
        taken = captured_piece(after, move)
        after.push(move)
        if taken and taken == last and taken.kind != chess.PAWN:
            return Trade(taken.kind, taken.square, tuple(line[:number]), after)
        last = taken
    return None


def find_trades(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
    """Candidates for the trade that the move begins, and for the one that it misses."""
    best = tuple(move.before.best.pv)
    made = find_trade(history, (move.move, *move.after.best.pv))
    missed = find_trade(history, best)
    if made and missed and made.kind == missed.kind:
        return
    for trade, chance, other in (
        (made, move.chance_after, move.chance_before),
        (missed, move.chance_before, move.chance_after),
    ):
        if trade and (found := _into_ending(history, trade, trade is missed, chance, other)):
            yield found


def _into_ending(
    history: chess.Board, trade: Trade, is_missed: bool, chance: float, other: float
) -> ReasonCandidate | None:
    """The ending after a trade, if it is clearly better or worse than what the other move leads to."""
    mover, state = history.turn, state_of(chance)
    is_clear = state_of(other + NEAR) < state if is_missed else state_of(other - NEAR) > state
    words = _STATES.get(state)
    if not (is_clear and words and trade.ending) or trade.board.is_game_over():
        return None

    def fits(found: Evaluation) -> bool:
        there = win_chance(found.best.score.to_chess())
        return state_of(there if trade.board.turn == mover else 100 - there) == state

    name = chess.piece_name(trade.kind)
    what = f"Misses the trade of {name}s" if is_missed else f"Trades {name}s"
    text = f"{what} into a {words} {trade.ending}: {line_words(history, trade.line)}."
    line = tuple(map(chess.Move.uci, trade.line if is_missed else trade.line[1:]))
    reason = Reason(ReasonKind.POSITION, text, line, is_missed, Motif.TRADE, (trade.square,))
    search = Segment(AnalysedPosition.of(trade.board), effort=AGAIN)
    return ReasonCandidate(reason, (ProofQuestion(search, fits),))
