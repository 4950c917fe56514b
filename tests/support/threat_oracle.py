"""Threat counts and threatened pieces by python-chess, in the words of their specification: the oracle."""

from __future__ import annotations

import chess

_VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
_PAWN, _MINOR, _OTHER = range(3)  # attackers in the states of threatened pieces


def threats_of(board: chess.Board) -> list[list[int]]:
    """The counts of the side to move and of the other, in the order of `eval.network.threat_counts.NAMES`."""
    return [_counts(board, side) for side in (board.turn, not board.turn)]


def threatened_of(board: chess.Board) -> dict[int, int]:
    """The squares of threatened pieces, and their states: see `eval.network.threatened_pieces`."""
    found = {}
    for square, piece in board.piece_map().items():
        enemy = not piece.color
        kinds = {board.piece_type_at(one) for one in board.attackers(enemy, square)}
        if piece.piece_type == chess.KING or not kinds:
            continue
        defended = board.is_attacked_by(piece.color, square)
        if not defended or _is_attacked_by_cheaper(board, enemy, square):
            minor = chess.KNIGHT in kinds or chess.BISHOP in kinds
            attacker = _PAWN if chess.PAWN in kinds else _MINOR if minor else _OTHER
            found[square] = 2 * attacker + defended
    return found


def _counts(board: chess.Board, us: chess.Color) -> list[int]:
    enemies = {
        square: piece.piece_type
        for square, piece in board.piece_map().items()
        if piece.color != us and piece.piece_type != chess.KING
    }
    hanging = [
        kind
        for square, kind in enemies.items()
        if board.is_attacked_by(us, square) and not board.is_attacked_by(not us, square)
    ]
    harried = [
        kind for square, kind in enemies.items() if _is_attacked_by_cheaper(board, us, square)
    ]
    minors = harried.count(chess.KNIGHT) + harried.count(chess.BISHOP)
    return [
        *(hanging.count(kind) for kind in _VALUES),
        minors,
        harried.count(chess.ROOK),
        harried.count(chess.QUEEN),
        *(_safe_checks(board, us, kind) for kind in list(_VALUES)[1:]),
    ]


def _is_attacked_by_cheaper(board: chess.Board, us: chess.Color, square: int) -> bool:
    victim = board.piece_type_at(square)
    assert victim
    kinds = {board.piece_type_at(attacker) for attacker in board.attackers(us, square)}
    return any(_VALUES[kind] < _VALUES[victim] for kind in kinds if kind in _VALUES)


def _safe_checks(board: chess.Board, us: chess.Color, kind: int) -> int:
    """Squares on which a piece of this kind could give check and not simply be taken."""
    king = board.king(not us)
    assert king is not None
    return sum(
        board.color_at(square) != us
        and any(board.piece_type_at(one) == kind for one in board.attackers(us, square))
        and king in _reached(board, kind, square)
        and _is_safe(board, us, square)
        for square in chess.SQUARES
    )


def _reached(board: chess.Board, kind: int, square: int) -> chess.SquareSet:
    """Squares that a piece of this kind would attack from here, all others standing where they do."""
    there = board.copy(stack=False)
    there.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return there.attacks(square)


def _is_safe(board: chess.Board, us: chess.Color, square: int) -> bool:
    guards = [board.piece_type_at(guard) for guard in board.attackers(not us, square)]
    weak = guards in ([chess.KING], [chess.QUEEN])
    return not guards or (weak and len(board.attackers(us, square)) >= 2)
