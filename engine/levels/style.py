"""What a player likes about a move at first sight, apart from what it leads to.

The habits of the balanced style are those of people: they capture and recapture more often than the worth of
these moves says, begin with pawns in the centre, and more seldom move the king or the pawns at the edge, go
back, give up castling, or offer something. The other styles differ in a few of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import chess

from boomslang.engine.levels.ladder import STYLES
from boomslang.engine.levels.piece_values import POINTS

_NEAR: Final = 2  # squares from the king of the opponent
_STORMING: Final = 3  # a pawn's rank, seen from its side and counted from 0, from which it storms
_LAST: Final = 10  # points of a king that takes: it takes nothing that is defended
_OPENING: Final = 20  # plies in which a pawn that is offered is a gambit
_FIRST: Final = 10  # plies
_EDGES: Final = (0, 7)  # files
_CENTRE: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class Style:
    """Centipawns by which moves of a kind look better than they are."""

    capture: float = 0.0
    recapture: float = 0.0
    check: float = 0.0
    castling: float = 0.0
    edge: float = 0.0  # a quiet move of a pawn on the a- or h-file
    king: float = 0.0  # a quiet move of the king
    queen: float = 0.0
    lost_castling: float = 0.0  # a move of a rook that gives up castling
    retreat: float = 0.0  # a quiet move of a piece towards its own side
    centre: float = 0.0  # two squares forward on the d- or e-file, in the first moves
    exchange: float = 0.0  # of two pieces of the same value
    storm: float = 0.0  # a pawn goes forward against the king of the opponent
    attack: float = 0.0  # a piece comes near that king
    underpromotion: float = 0.0  # to a rook or bishop: needed to avoid stalemate alone
    offer: float = 0.0  # a piece or pawn can be taken, for less than it is worth
    gambit: float = 0.0  # the same with a pawn, in the opening

    def liking(self, board: chess.Board, move: chess.Move) -> float:
        """What the style likes about a legal move, centipawns."""
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
        yield "capture"
        if board.move_stack and board.peek().to_square == move.to_square:
            yield "recapture"
        if piece != chess.PAWN and POINTS[piece] == taken:
            yield "exchange"
    elif piece == chess.KING:
        yield "king"
    elif piece == chess.QUEEN:
        yield "queen"
    elif piece == chess.PAWN:
        if chess.square_file(move.to_square) in _EDGES:
            yield "edge"
        elif _is_central(board, move):
            yield "centre"
    elif piece == chess.ROOK and board.clean_castling_rights() & chess.BB_SQUARES[move.from_square]:
        yield "lost_castling"
    if not taken and piece != chess.PAWN and is_backward(board, move):
        yield "retreat"
    if move.promotion in (chess.ROOK, chess.BISHOP):
        yield "underpromotion"
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


def _is_central(board: chess.Board, move: chess.Move) -> bool:
    is_double = abs(move.to_square - move.from_square) == 16
    return is_double and board.ply() < _FIRST and chess.square_file(move.to_square) in _CENTRE


def is_backward(board: chess.Board, move: chess.Move) -> bool:
    """True if a move goes towards the side of its player."""
    ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    return ranks < 0 if board.turn else ranks > 0


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


_HABITS: Final = Style(
    capture=50,
    recapture=30,
    check=10,
    castling=-15,
    edge=-15,
    king=-40,
    queen=-15,
    lost_castling=-25,
    retreat=-10,
    centre=35,
    storm=-20,
    attack=-20,
    underpromotion=-150,
    offer=-40,
)
_STYLES: Final = (
    _HABITS,
    replace(_HABITS, check=60, storm=30, attack=30, offer=20, exchange=-40),
    replace(_HABITS, castling=40, exchange=40, storm=-60, attack=-40, offer=-80),
    replace(_HABITS, offer=10, gambit=80, exchange=-20),
)
BY_NAME: Final = dict(zip(STYLES, _STYLES, strict=True))
