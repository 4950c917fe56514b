"""Which boards the core can play: checked for every position from outside."""

from __future__ import annotations

from typing import Final

import chess

MAX_MOVES: Final = 256  # the room in a move list of the core
_MAX_PIECES: Final = 16  # per colour
_MAX_PAWNS: Final = 8

# What breaks the core; other oddities (a triple check, rights without a rook) do no harm.
_FATAL: Final = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "too many kings",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or last rank",
    chess.STATUS_INVALID_EP_SQUARE: "no pawn can be taken on the en passant square",
    chess.STATUS_OPPOSITE_CHECK: "the side that has just moved is in check",
}
_AT_START: Final = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 2, chess.QUEEN: 1}
_MOVES_OF_PIECE: Final = {chess.KNIGHT: 8, chess.BISHOP: 13, chess.ROOK: 14, chess.QUEEN: 27}
_MOVES_OF_KING: Final = 10  # castling included


def why_invalid(board: chess.Board) -> str | None:
    """Why the core cannot play this board, in a few words; None if it can."""
    status = board.status()
    for flag, reason in _FATAL.items():
        if status & flag:
            return reason
    for colour in chess.COLORS:
        pawns = len(board.pieces(chess.PAWN, colour))
        # A ninth pawn is forgiven: GUIs let one stay behind on the square that it has left.
        forgiven = int(pawns == _MAX_PAWNS + 1)
        if chess.popcount(board.occupied_co[colour]) > _MAX_PIECES + forgiven:
            return f"{chess.COLOR_NAMES[colour].capitalize()} has more than {_MAX_PIECES} pieces"
        promoted, moves = 0, pawns * _MOVES_OF_PIECE[chess.QUEEN] + _MOVES_OF_KING
        for piece, at_start in _AT_START.items():
            number = len(board.pieces(piece, colour))
            promoted += max(0, number - at_start)
            moves += number * _MOVES_OF_PIECE[piece]
        # Material that a game can reach has at most 218 moves; ten queens could overrun a move list.
        if promoted > _MAX_PAWNS + forgiven - pawns and moves > MAX_MOVES:
            return "more promoted pieces than any game can have"
    return None
