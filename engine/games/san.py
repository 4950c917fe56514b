"""Moves in standard algebraic notation, found among the legal moves to their target.

Only what is written as usual is read. Any other word, also an illegal or ambiguous move, is NO_MOVE, and left
to `engine.notation`, which is slow but knows what people write and names the fault.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boomslang.core.board.constants import (
    BISHOP,
    FILE_A,
    FULL,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    RANK_1,
    ROOK,
    ZERO,
    U,
)
from boomslang.core.board.movegen import generate_part
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    NO_MOVE,
    PROMOTION,
    MoveList,
    Position,
    Rules,
)
from boomslang.core.jit.jit import jit

_ANY = U(8)  # a file or rank that is not written
# By character: the piece of a capital letter, or 6.
_PIECES = np.full(256, 6, dtype=np.uint8)
for _piece, _letter in ((KNIGHT, "N"), (BISHOP, "B"), (ROOK, "R"), (QUEEN, "Q"), (KING, "K")):
    _PIECES[ord(_letter)] = _piece


@jit
def _only_move(
    rules: Rules,
    position: Position,
    moves: MoveList,
    piece: np.uint64,
    origins: np.uint64,
    target: np.uint64,
    kind: np.uint64,
) -> np.uint64:
    """The only legal move of such a piece from one of `origins` to `target`; else NO_MOVE.

    `kind` is what the upper four bits of the move say, 0 for an ordinary one, also en passant.
    """
    found, count = NO_MOVE, generate_part(rules, position, moves, ONE << target, ONE << target)
    piece += U(position.side) * U(6)
    for number in range(count):
        move = U(moves.move[U(number)])
        origin, move_kind = move & U(63), move >> U(12)
        if move_kind == EN_PASSANT << U(2):
            move_kind = ZERO
        if move >> U(6) & U(63) != target or move_kind != kind or not origins >> origin & ONE:
            continue
        if U(position.board[origin]) == piece:
            if found != NO_MOVE:
                return NO_MOVE
            found = move
    return found


@jit
def read_san(
    rules: Rules, position: Position, moves: MoveList, text: Any, place: np.uint64
) -> np.uint64:
    """The legal move that is written at `place`, and from bit 16 the index behind it; else NO_MOVE.

    `text` is uint8[::1]; from `place` on it has at least 16 bytes. `moves` is overwritten.
    """
    piece = U(_PIECES[U(text[place])])
    origins, kind = FULL, ZERO
    if text[place] == ord("O"):
        # 1. Castling, which is king takes rook.
        if text[place + U(1)] != ord("-") or text[place + U(2)] != ord("O"):
            return NO_MOVE
        place += U(3)
        piece, right, kind = KING, U(position.side) * U(2), CASTLING << U(2)
        if text[place] == ord("-") and text[place + U(1)] == ord("O"):
            place += U(2)
            right += ONE
        target = rules.castling_rook[right]
        if target == NO_SQUARE:
            return NO_MOVE
    else:
        # 2. A piece, where it stands as far as that is written, a sign of capture, and the target.
        if piece > KING:
            piece = PAWN
        else:
            place += ONE
        file = min(U(text[place]) - U(ord("a")), _ANY)
        place += U(file != _ANY)
        rank = min(U(text[place]) - U(ord("1")), _ANY)
        place += U(rank != _ANY)
        takes = text[place] == ord("x")
        place += U(takes)
        to_file, to_rank = U(text[place]) - U(ord("a")), U(text[place + ONE]) - U(ord("1"))
        if to_file < U(8) and to_rank < U(8):
            place += U(2)
        elif not takes and file != _ANY and rank != _ANY:
            to_file, to_rank = file, rank
            file = rank = _ANY
        else:
            return NO_MOVE
        target = to_rank * U(8) + to_file
        if piece == PAWN:
            if rank != _ANY or (takes and file == _ANY) or file == to_file:
                return NO_MOVE  # the squares alone, which may mean another piece, or a bishop
            if file == _ANY:
                file = to_file
        if file != _ANY:
            origins &= FILE_A << file
        if rank != _ANY:
            origins &= RANK_1 << (rank * U(8))

        # 3. A promotion.
        is_marked = text[place] == ord("=")
        place += U(is_marked)
        promoted = U(_PIECES[U(text[place])])
        if promoted < KING:
            kind = (PROMOTION << U(2)) | (promoted - KNIGHT)
            place += ONE
        elif is_marked:
            return NO_MOVE
    move = _only_move(rules, position, moves, piece, origins, target, kind)
    return NO_MOVE if move == NO_MOVE else move | place << U(16)
