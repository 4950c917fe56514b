"""Drawn endings that a search takes for won, for nothing lowers the score of who gets nowhere.

Who holds goes to a fortress and stays: the corner that the wrong bishop does not see, or beside its rook or
bishop pawn on the last rank but one, where a queen whose king is far only gives checks or stalemate. Tables
of four pieces know no exception.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Final

import chess

_MIN_LEFT: Final = 2  # moves that are looked at: one into the corner, and one back
_MAX_KEPT: Final = 256  # answers
_FAR: Final = 4  # moves of a king to the square where the pawn queens; for a rook pawn one more
_ROOK_FILES: Final = chess.BB_FILE_A | chess.BB_FILE_H
_SAVING_FILES: Final = _ROOK_FILES | chess.BB_FILE_C | chess.BB_FILE_F  # where stalemate helps
_SHELTERS: Final = chess.BB_FILE_B | chess.BB_FILE_G


def is_held(board: chess.Board) -> bool:
    """True if one side gets to such a fortress, whatever the other one does; False: not known."""
    return bool(board.pawns) and _is_held(board.epd())


@lru_cache(_MAX_KEPT)
def _is_held(position: str) -> bool:
    board = chess.Board(f"{position} 0 1")
    for weak in chess.COLORS:
        if (needed := _moves_needed(board, weak)) is not None:
            return _reaches(board, weak, max(needed, _MIN_LEFT), {})
    return False


def _reaches(board: chess.Board, weak: chess.Color, left: int, known: dict[Hashable, bool]) -> bool:
    """True if it gets there within so many of its moves; `known` are answers."""
    if board.is_stalemate() or not board.occupied_co[not weak] & ~board.kings:
        return True
    needed = _moves_needed(board, weak)
    if not needed or needed > left:
        return needed == 0
    key = left, board._transposition_key()
    if key not in known:
        is_weak = board.turn == weak
        answer = not is_weak
        for move in board.legal_moves:
            board.push(move)
            is_reached = _reaches(board, weak, left - is_weak, known)
            board.pop()
            if is_reached == is_weak:
                answer = is_weak
                break
        known[key] = answer
    return known[key]


def _moves_needed(board: chess.Board, weak: chess.Color) -> int | None:
    """The moves to the fortress if nothing hinders them, 0 inside; None if there is none."""
    own, men = (board.occupied_co[side] & ~board.kings for side in (weak, not weak))
    if chess.popcount(own) > 1 or chess.popcount(men) != (1 if own else 2):
        return None
    king, other = (chess.msb(board.kings & board.occupied_co[side]) for side in (weak, not weak))
    man = chess.msb(own or men & board.pawns or men)  # the pawn, or what has become of it
    is_rook_pawn = bool(chess.BB_SQUARES[man] & _ROOK_FILES)
    last = chess.square(chess.square_file(man), 7 if weak == bool(own) else 0)
    near, far = (chess.square_distance(each, last) for each in (king, other))
    if not own:
        shades = (men & board.bishops, chess.BB_SQUARES[last])
        is_wrong = len({bool(each & chess.BB_LIGHT_SQUARES) for each in shades}) == 2
        is_known = is_rook_pawn and men & board.pawns and men & board.bishops and is_wrong
        return max(near - 1, 0) if is_known else None
    if not men & board.queens or far < _FAR + is_rook_pawn:
        return None
    if own & board.queens:
        in_corner = chess.BB_SQUARES[king] & chess.BB_CORNERS and near == 2
        is_kept = near < 2 or (in_corner and not board.is_attacked_by(not weak, man))
        return 0 if board.turn != weak and is_kept and man == last else None
    if not own & board.pawns & _SAVING_FILES or chess.square_distance(man, last) > 1:
        return None
    # The other king may come one move nearer, and then the pawn queens.
    is_sheltered = bool(chess.BB_SQUARES[king] & _SHELTERS)
    is_far = far > _FAR + is_rook_pawn + (not is_sheltered)
    is_inside = near < 2 and is_far and (is_sheltered or not is_rook_pawn)
    return 0 if is_inside and board.turn != weak else 1
