"""Slow code for the words of `boomslang find`, by python-chess."""

from __future__ import annotations

from collections.abc import Callable

import chess

from boomslang.engine.analysis.reasons.motifs import is_back_rank_mate


def squares(board: chess.Board, colour: chess.Color, word: str) -> chess.SquareSet:
    """The squares that a word describes, of a colour; all or none for a check or mate by it."""
    if word in PAWNS:
        own, enemy = board.pieces(chess.PAWN, colour), board.pieces(chess.PAWN, not colour)
        return chess.SquareSet(pawn for pawn in own if PAWNS[word](pawn, own, enemy, colour))
    is_met = board.turn != colour and MATES[word](board, board.king(board.turn))
    return ~chess.SquareSet() if is_met else chess.SquareSet()


def apart(one: chess.Square, other: chess.Square) -> int:
    return abs(chess.square_file(one) - chess.square_file(other))


def is_passed(
    pawn: chess.Square, own: chess.SquareSet, enemy: chess.SquareSet, colour: chess.Color
) -> bool:
    steps = [(other // 8 - pawn // 8) * (1 if colour else -1) for other in enemy]
    return all(
        step <= 0 or apart(pawn, other) > 1 for step, other in zip(steps, enemy, strict=True)
    )


def is_hanging(
    pawn: chess.Square, own: chess.SquareSet, enemy: chess.SquareSet, colour: chess.Color
) -> bool:
    partners = [other for other in own if apart(pawn, other) == 1]
    if len(partners) != 1 or partners[0] // 8 != pawn // 8:
        return False
    pair = {pawn, partners[0]}
    return all(apart(other, each) > 1 for other in {*own} - pair for each in pair) and all(
        apart(other, each) > 0 for other in enemy for each in pair
    )


def checks(board: chess.Board, *kinds: chess.PieceType) -> list[chess.Square]:
    return [square for square in board.checkers() if board.piece_type_at(square) in kinds]


def is_smothered(board: chess.Board, king: chess.Square) -> bool:
    near = board.attacks(king)
    has_knight = bool(checks(board, chess.KNIGHT))
    return (
        board.is_checkmate()
        and has_knight
        and all(board.color_at(square) == board.turn for square in near)
    )


def is_arabian(board: chess.Board, king: chess.Square) -> bool:
    knights = board.pieces(chess.KNIGHT, not board.turn)
    rooks = [rook for rook in checks(board, chess.ROOK) if chess.square_distance(rook, king) == 1]
    return (
        board.is_checkmate()
        and king in (chess.A1, chess.A8, chess.H1, chess.H8)
        and any(board.attackers(not board.turn, rook) & knights for rook in rooks)
    )


def is_anastasia(board: chess.Board, king: chess.Square) -> bool:
    step = {0: 1, 7: -1}.get(chess.square_file(king), 0)
    return (
        board.is_checkmate()
        and step != 0
        and any(apart(king, heavy) == 0 for heavy in checks(board, chess.ROOK, chess.QUEEN))
        and board.color_at(king + step) == board.turn
        and board.piece_at(king + 3 * step) == chess.Piece(chess.KNIGHT, not board.turn)
    )


PAWNS: dict[str, Callable[..., bool]] = {
    "isolated": lambda pawn, own, *_: all(apart(pawn, other) != 1 for other in own),
    "doubled": lambda pawn, own, *_: sum(apart(pawn, other) == 0 for other in own) > 1,
    "passed": is_passed,
    "hanging": is_hanging,
}
MATES: dict[str, Callable[..., bool]] = {
    "check": lambda board, _: board.is_check(),
    "double check": lambda board, _: len(board.checkers()) > 1,
    "stalemate": lambda board, _: board.is_stalemate(),
    "mate": lambda board, _: board.is_checkmate(),
    "back rank mate": lambda board, _: is_back_rank_mate(board),
    "smothered mate": is_smothered,
    "arabian mate": is_arabian,
    "anastasia mate": is_anastasia,
}
