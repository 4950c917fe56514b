"""What a player likes more than people in general do; the balanced style likes nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.levels.ladder import STYLES
from boomslang.engine.levels.piece_values import POINTS

_NEAR: Final = 2  # squares from the king of the opponent
_STORMING: Final = 3  # a pawn's rank, seen from its side and counted from 0, from which it storms
_LAST: Final = 10  # points of a king that takes: it takes nothing that is defended
_OPENING: Final = 20  # plies in which a pawn that is offered is a gambit
_CENTRE: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class Style:
    """How much more often moves of a kind are played than by people in general: logarithms."""

    check: float = 0.0
    castling: float = 0.0
    exchange: float = 0.0  # of two pieces of the same value
    storm: float = 0.0  # a pawn goes forward against the king of the opponent
    attack: float = 0.0  # a piece comes near that king
    offer: float = 0.0  # a piece or pawn can be taken, for less than it is worth
    gambit: float = 0.0  # the same with a pawn, in the opening

    def liking(self, board: chess.Board, move: chess.Move) -> float:
        """What the style likes about a legal move."""
        return float(sum(getattr(self, kind) for kind in kinds(board, move)))


def kinds(board: chess.Board, move: chess.Move) -> Iterator[str]:
    """The kinds of a legal move, as the fields of Style are called."""
    if board.is_castling(move):
        yield "castling"
        return
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    taken = 0
    if board.gives_check(move):
        yield "check"
    if board.is_capture(move):
        taken = POINTS[board.piece_type_at(move.to_square) or chess.PAWN]
        if piece != chess.PAWN and POINTS[piece] == taken:
            yield "exchange"
    king = board.king(not board.turn)
    if piece == chess.PAWN:
        rank = chess.square_rank(move.to_square)
        is_far = (rank if board.turn else 7 - rank) >= _STORMING
        if king is not None and is_far and _is_stormed(king, move.to_square):
            yield "storm"
    elif king is not None and piece != chess.KING and _is_near(move.to_square, king):
        yield "attack"
    if _is_offer(board, move, piece, taken):
        yield "offer"
        if piece == chess.PAWN and board.ply() < _OPENING:
            yield "gambit"


def _is_stormed(king: chess.Square, square: chess.Square) -> bool:
    """True if a pawn on a square storms a king; one in the centre is not stormed, but met."""
    files = chess.square_file(king), chess.square_file(square)
    return files[0] not in _CENTRE and abs(files[0] - files[1]) <= 1


def _is_near(square: chess.Square, king: chess.Square) -> bool:
    return chess.square_distance(square, king) <= _NEAR


def _is_offer(board: chess.Board, move: chess.Move, piece: int, taken: int) -> bool:
    """True if the piece that moves can be taken there by a cheaper one, or has no defender."""
    attackers = board.attackers(not board.turn, move.to_square)
    if not attackers or POINTS[piece] <= taken:
        return False
    takers = [POINTS[board.piece_type_at(square) or chess.PAWN] or _LAST for square in attackers]
    own = board.attackers(board.turn, move.to_square)
    return min(takers) < POINTS[piece] - taken or not own - {move.from_square}


_STYLES: Final = (
    Style(),
    Style(check=1.0, storm=1.0, attack=1.0, offer=0.8, exchange=-0.7),
    Style(castling=1.0, exchange=1.2, storm=-1.2, attack=-0.6, offer=-1.0),
    Style(offer=0.6, gambit=2.0, exchange=-0.5),
)
BY_NAME: Final = dict(zip(STYLES, _STYLES, strict=True))
