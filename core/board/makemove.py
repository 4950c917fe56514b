"""Making a move on a copy of the position.

The caller copies the 192 bytes of the old position and makes the move on the copy. To take a move back,
it uses the old position again.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import find_checkers
from boomslang.core.board.constants import EMPTY, KING, NO_SQUARE, ONE, PAWN, ROOK, ZERO, U
from boomslang.core.board.movegen import ep_is_legal
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    Position,
    Rules,
    position_t,
    rules_t,
)
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit, kernel, u64, void

MAX_HALFMOVES = U(255)


@jit
def _toggle_keys(
    rules: Rules, position: Position, piece_type: np.uint64, colour: np.uint64, square: np.uint64
) -> None:
    """Toggle a piece on a square in the hash keys, in place."""
    number = rules.zobrist_piece[colour * U(6) + piece_type, square]
    position.key ^= number
    if piece_type == PAWN:
        position.pawn_key ^= number
    else:
        position.piece_key[colour] ^= number


@jit
def put_piece(
    rules: Rules, position: Position, piece_type: np.uint64, colour: np.uint64, square: np.uint64
) -> None:
    """Place a piece on an empty square, in place: bitboards, board, keys and piece-square sum."""
    bit = ONE << square
    piece = colour * U(6) + piece_type
    position.by_type[piece_type] |= bit
    position.by_colour[colour] |= bit
    position.board[square] = piece
    position.psq += rules.psq[piece, square]
    _toggle_keys(rules, position, piece_type, colour, square)


@jit
def remove_piece(
    rules: Rules, position: Position, piece_type: np.uint64, colour: np.uint64, square: np.uint64
) -> None:
    """Take a piece off its square, in place."""
    bit = ~(ONE << square)
    position.by_type[piece_type] &= bit
    position.by_colour[colour] &= bit
    position.board[square] = EMPTY
    position.psq -= rules.psq[colour * U(6) + piece_type, square]
    _toggle_keys(rules, position, piece_type, colour, square)


@jit
def _record(
    position: Position, slot: np.uint64, piece: np.uint64, origin: np.uint64, target: np.uint64
) -> None:
    """Record that `piece` went from `origin` to `target`; NO_SQUARE stands for off the board."""
    first = slot * U(3) + ONE
    position.moved[U(0)] = slot + ONE
    position.moved[first] = piece
    position.moved[first + U(1)] = origin
    position.moved[first + U(2)] = target


@kernel(void(rules_t, position_t, u64))
def make_move(rules: Rules, position: Position, move: np.uint64) -> None:
    """Make a legal 16-bit move on a POSITION record, in place."""
    us = U(position.side)
    them = us ^ ONE
    origin = move & U(63)
    target = move >> U(6) & U(63)
    kind = move >> U(14)
    piece = U(position.board[origin]) - us * U(6)

    # 1. Remove the old castling rights and en passant square from the key.
    if U(position.ep) != NO_SQUARE:
        position.key ^= rules.zobrist_ep[U(position.ep) & U(7)]
        position.ep = NO_SQUARE
    position.halfmoves = min(U(position.halfmoves) + ONE, MAX_HALFMOVES)
    position.since_null += 1

    # 2. Move the pieces.
    if kind == CASTLING:
        back_rank = target & U(56)
        king_side = target > origin
        king_target = back_rank + (U(6) if king_side else U(2))
        rook_target = back_rank + (U(5) if king_side else U(3))
        remove_piece(rules, position, KING, us, origin)
        remove_piece(rules, position, ROOK, us, target)
        put_piece(rules, position, KING, us, king_target)
        put_piece(rules, position, ROOK, us, rook_target)
        _record(position, U(0), us * U(6) + KING, origin, king_target)
        _record(position, U(1), us * U(6) + ROOK, target, rook_target)
    else:
        slot = ONE
        victim_square = target ^ U(8) if kind == EN_PASSANT else target
        victim = U(position.board[victim_square])
        if victim != EMPTY:
            remove_piece(rules, position, victim - them * U(6), them, victim_square)
            _record(position, slot, victim, victim_square, NO_SQUARE)
            slot += ONE
            position.halfmoves = 0
        remove_piece(rules, position, piece, us, origin)
        if kind == PROMOTION:
            promoted = (move >> U(12) & U(3)) + ONE
            put_piece(rules, position, promoted, us, target)
            _record(position, slot, us * U(6) + promoted, NO_SQUARE, target)
            position.moved[U(1)] = us * U(6) + PAWN
            position.moved[U(2)] = origin
            position.moved[U(3)] = NO_SQUARE
        else:
            put_piece(rules, position, piece, us, target)
            position.moved[U(0)] = slot
            position.moved[U(1)] = us * U(6) + piece
            position.moved[U(2)] = origin
            position.moved[U(3)] = target
        if piece == PAWN:
            position.halfmoves = 0

    # 3. Castling rights lost by a move of the king or a rook, or the capture of a rook.
    castling = U(position.castling)
    if castling:
        kept = castling & U(rules.castling_keep[origin]) & U(rules.castling_keep[target])
        position.key ^= rules.zobrist_castling[castling] ^ rules.zobrist_castling[kept]
        position.castling = kept

    # 4. Switch sides; find checkers and the en passant square.
    position.side = them
    position.key ^= rules.zobrist_side
    position.checkers = find_checkers(rules, position)
    if piece == PAWN and (origin ^ target) == U(16):
        _offer_en_passant(rules, position, (origin + target) >> ONE, them)


@jit
def _offer_en_passant(
    rules: Rules, position: Position, square: np.uint64, taker: np.uint64
) -> None:
    """Set the en passant square, in place, if a pawn of `taker` can legally take on it.

    Otherwise positions that are the same for the rules would get different keys.
    """
    takers = rules.pawn_attacks[taker ^ ONE, square] & position.by_type[PAWN]
    takers &= position.by_colour[taker]
    if takers == ZERO:
        return
    king = lsb(position.by_type[KING] & position.by_colour[taker])
    position.ep = square
    while takers:
        if ep_is_legal(rules, position, lsb(takers), taker, king):
            position.key ^= rules.zobrist_ep[square & U(7)]
            return
        takers &= takers - ONE
    position.ep = NO_SQUARE


@jit
def key_after(rules: Rules, position: Position, move: np.uint64) -> np.uint64:
    """The key after an ordinary move; wrong for castling, promotion and en passant.

    Good enough to prefetch a table entry before the move is made.
    """
    origin = move & U(63)
    target = move >> U(6) & U(63)
    piece = U(position.board[origin])
    numbers = rules.zobrist_piece
    key = position.key ^ rules.zobrist_side ^ numbers[piece, origin] ^ numbers[piece, target]
    return key ^ numbers[U(position.board[target]), target]


@jit
def make_null_move(rules: Rules, position: Position) -> None:
    """Pass the turn, in place; only legal when not in check."""
    if U(position.ep) != NO_SQUARE:
        position.key ^= rules.zobrist_ep[U(position.ep) & U(7)]
        position.ep = NO_SQUARE
    position.side = U(position.side) ^ ONE
    position.key ^= rules.zobrist_side
    position.halfmoves = min(U(position.halfmoves) + ONE, MAX_HALFMOVES)
    position.since_null = 0
    position.moved[U(0)] = 0
    position.checkers = ZERO
