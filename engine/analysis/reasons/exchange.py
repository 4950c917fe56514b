"""Quiet positions, and what a sequence of captures exchanges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import chess

# In pawns, as people count: a piece is more than three pawns, two are more than a rook and a pawn.
POINTS: Final = {
    chess.PAWN: 1.0,
    chess.KNIGHT: 3.5,
    chess.BISHOP: 3.5,
    chess.ROOK: 5.5,
    chess.QUEEN: 10.0,
    chess.KING: 0.0,
}
_MAX_CAPTURES: Final = 10  # captures in a row that are looked at


def balance(board: chess.Board, colour: chess.Color) -> float:
    """The material of `colour` less that of the opponent, in pawns."""
    return sum(
        points * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, points in POINTS.items()
    )


def winnable(board: chess.Board, depth: int = _MAX_CAPTURES) -> float:
    """The material that the side to move wins by captures and promotions alone, at least 0, in pawns.

    Both sides may stop capturing at any time.
    """
    return _best_captures(
        board.copy(stack=False), 0.0, 2 * POINTS[chess.QUEEN], depth, chess.BB_ALL
    )


def winnable_on(board: chess.Board, square: chess.Square) -> float:
    """The material that the side to move wins by captures on one square alone, in pawns."""
    most = 2 * POINTS[chess.QUEEN]
    return _best_captures(
        board.copy(stack=False), 0.0, most, _MAX_CAPTURES, chess.BB_SQUARES[square]
    )


def _best_captures(
    board: chess.Board, least: float, most: float, depth: int, targets: int
) -> float:
    """Alpha-beta over captures and promotions on `targets`; values are gains relative to `board`."""
    best = 0.0
    least = max(least, 0.0)
    if not depth or least >= most:
        return best
    gains = [(gain(board, move), move) for move in _gaining_moves(board, targets)]
    gains.sort(key=lambda entry: (-entry[0], _attacker(board, entry[1])))
    for gained, move in gains:
        if gained <= best:
            break
        board.push(move)
        answer = _best_captures(board, gained - most, gained - least, depth - 1, targets)
        value = gained - answer
        board.pop()
        best = max(best, value)
        least = max(least, best)
        if least >= most:
            break
    return best


def _gaining_moves(board: chess.Board, targets: int) -> Iterator[chess.Move]:
    """Captures, and promotions to a queen."""
    yield from board.generate_legal_captures(to_mask=targets)
    last = chess.BB_RANK_8 if board.turn == chess.WHITE else chess.BB_RANK_1
    for move in board.generate_legal_moves(board.pawns, last & targets & ~board.occupied):
        if move.promotion == chess.QUEEN:
            yield move


def gain(board: chess.Board, move: chess.Move) -> float:
    """The material that a move itself wins, in pawns."""
    victim = captured_piece(board, move)
    promoted = POINTS[move.promotion] - POINTS[chess.PAWN] if move.promotion else 0
    return promoted + (POINTS[victim.kind] if victim else 0)


def _attacker(board: chess.Board, move: chess.Move) -> float:
    return POINTS[board.piece_type_at(move.from_square) or chess.KING] or 10


@dataclass(frozen=True, slots=True)
class Victim:
    """A captured piece, with the square on which it stood."""

    kind: chess.PieceType
    square: chess.Square

    @property
    def points(self) -> float:
        """Its value in pawns."""
        return POINTS[self.kind]


def captured_piece(board: chess.Board, move: chess.Move) -> Victim | None:
    """What a move captures."""
    if board.is_en_passant(move):
        return Victim(chess.PAWN, move.to_square + (-8 if board.turn else 8))
    if board.is_castling(move):
        return None
    kind = board.piece_type_at(move.to_square)
    return Victim(kind, move.to_square) if kind else None


@dataclass(frozen=True)
class LineStep:
    """A position in a line, after `move`."""

    move: chess.Move
    board: chess.Board  # before the move
    victim: Victim | None
    balance: float  # after the move, for the side whose line it is, relative to the start
    is_check: bool

    @cached_property
    def hanging(self) -> float:
        """What the side to move could win by captures after the move, in pawns; takes long."""
        return winnable(self.after())

    def after(self) -> chess.Board:
        """The board after the move."""
        board = self.board.copy(stack=False)
        board.push(self.move)
        return board

    @property
    def is_quiet(self) -> bool:
        """True if nobody is in check, and no capture wins anything."""
        return not (self.is_check or self.hanging)

    @cached_property
    def is_retaken(self) -> bool:
        """True if the piece that has captured can be taken with profit."""
        return self.victim is not None and winnable_on(self.after(), self.move.to_square) > 0

    def is_settled_for(self, winner: chess.Color) -> bool:
        """True if nobody is in check, and the other side cannot win anything by captures now.

        Nor may it retake with profit, even where the winner could take something else after that.
        """
        if self.is_check or self.board.turn != winner:
            return not self.is_check
        return not (self.is_retaken or self.hanging)

    def worth(self, winner: chess.Color, sign: int) -> float:
        """The material of `winner` after the captures at hand; `sign` makes the balance the winner's."""
        change = self.hanging if self.board.turn != winner else -self.hanging
        return sign * self.balance + change


def steps(board: chess.Board, moves: Sequence[chess.Move], colour: chess.Color) -> list[LineStep]:
    """The steps of a line, with the material of `colour` after each."""
    start = balance(board, colour)
    after = board.copy(stack=False)
    line_steps: list[LineStep] = []
    for move in moves:
        before, victim = after.copy(stack=False), captured_piece(after, move)
        after.push(move)
        change = balance(after, colour) - start
        line_steps.append(LineStep(move, before, victim, change, after.is_check()))
    return line_steps
