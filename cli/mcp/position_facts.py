"""What the rules alone tell of a position: nothing is searched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.cli.mcp.words import count, head, side, turn
from boomslang.engine.analysis.reasons.exchange import winnable_on
from boomslang.engine.analysis.reasons.material import join_words, list_pieces
from boomslang.engine.levels.piece_values import balance

_ORDER: Final = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)


def describe(board: chess.Board) -> str:
    """Turn, check, legal moves, material, pieces that hang, castling rights, draws to claim."""
    return "\n".join(_lines(board))


def _lines(board: chess.Board) -> Iterator[str]:
    yield from head(board)
    if board.is_check():
        places = join_words([_piece(board, square) for square in board.checkers()])
        yield f"{turn(board)} is in check from the {places}."
    moves = sorted(map(board.san, board.legal_moves))
    yield f"{len(moves)} legal moves: {', '.join(moves)}." if moves else "There is no legal move."
    for colour in chess.COLORS:
        kinds = [kind for kind in _ORDER for _ in board.pieces(kind, colour)]
        yield f"{side(colour)}: king{f', {list_pieces(kinds)}' if kinds else ''}."
    points = balance(board, chess.WHITE)
    ahead = side(points > 0)
    yield (
        f"Material: {ahead} is {count(abs(points), 'point', 'points')} ahead."
        if points
        else "Material is equal."
    )
    yield from _hanging(board)
    if rights := board.castling_xfen():
        yield f"Castling rights: {rights}."


def _hanging(board: chess.Board) -> Iterator[str]:
    """Pieces that a side to move would win by captures on their square, even after all recaptures."""
    for colour in (board.turn, not board.turn):
        to_take = board.copy(stack=False)
        if colour != board.turn:
            if board.is_check():
                continue
            to_take.push(chess.Move.null())
        names = [
            _piece(board, square)
            for square in chess.scan_reversed(board.occupied_co[not colour] & ~board.kings)
            if winnable_on(to_take, square)
        ]
        can = "can win" if colour == board.turn else "threatens to win"
        if names:
            yield (
                f"By captures on one square {side(colour)} {can} the {join_words(names)}; "
                "what happens elsewhere is not looked at."
            )


def _piece(board: chess.Board, square: chess.Square) -> str:
    name = chess.piece_name(board.piece_type_at(square) or chess.PAWN)
    return f"{name} on {chess.square_name(square)}"
