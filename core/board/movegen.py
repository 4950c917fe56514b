"""Legal move generation.

Pins and checks are computed first, so every generated move is legal and no move has to be tried and taken
back. A piece may go to the squares of `targets` (all squares, or those that answer a check), a pinned
piece only along the line through its king.
"""

from __future__ import annotations

import numpy as np

from boomslang.core.board.attacks import attacked_by, attackers, bishop_attacks, rook_attacks
from boomslang.core.board.constants import (
    BISHOP,
    BLACK,
    FILE_A,
    FILE_H,
    FULL,
    KING,
    KNIGHT,
    NO_SQUARE,
    ONE,
    PAWN,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK,
    WHITE,
    ZERO,
    U,
)
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    MoveList,
    Position,
    Rules,
    move_list_t,
    position_t,
    rules_t,
)
from boomslang.core.jit.instructions import lsb
from boomslang.core.jit.jit import jit, kernel, void

PROMOTION_RANKS = RANK_1 | RANK_8


@jit
def pinned_pieces(rules: Rules, position: Position, king: np.uint64, us: np.uint64) -> np.uint64:
    """Own pieces that are the only blocker between their king and an enemy slider."""
    own = position.by_colour[us]
    enemy = position.by_colour[us ^ ONE]
    queens = position.by_type[QUEEN]
    snipers = enemy & (
        (rook_attacks(rules, king, enemy) & (position.by_type[ROOK] | queens))
        | (bishop_attacks(rules, king, enemy) & (position.by_type[BISHOP] | queens))
    )
    pinned = ZERO
    while snipers:
        shield = rules.between[king, lsb(snipers)] & own
        if shield & (shield - ONE) == ZERO:
            pinned |= shield
        snipers &= snipers - ONE
    return pinned


@jit
def _add(moves: MoveList, count: np.uint64, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Write the moves from one square to each target; returns the new count."""
    while targets:
        moves.move[count] = origin | (lsb(targets) << U(6))
        count += ONE
        targets &= targets - ONE
    return count


@jit
def _add_promotions(
    moves: MoveList, count: np.uint64, origin: np.uint64, target: np.uint64
) -> np.uint64:
    """Write the four promotions of one pawn, the queen first."""
    move = origin | (target << U(6)) | (PROMOTION << U(14))
    moves.move[count] = move | U(3 << 12)
    moves.move[count + U(1)] = move | U(0 << 12)
    moves.move[count + U(2)] = move | U(2 << 12)
    moves.move[count + U(3)] = move | U(1 << 12)
    return count + U(4)


@jit
def _add_pawns(
    rules: Rules,
    moves: MoveList,
    count: np.uint64,
    targets: np.uint64,
    back: np.uint64,
    king: np.uint64,
    pinned: np.uint64,
) -> np.uint64:
    """Write pawn moves to `targets`, each from the square `back` (modulo 64) away, unless pinned."""
    while targets:
        target = lsb(targets)
        origin = (target + back) & U(63)
        targets &= targets - ONE
        if pinned >> origin & ONE and rules.line[king, origin] >> target & ONE == ZERO:
            continue
        if PROMOTION_RANKS >> target & ONE:
            count = _add_promotions(moves, count, origin, target)
        else:
            moves.move[count] = origin | (target << U(6))
            count += ONE
    return count


@jit
def ep_is_legal(
    rules: Rules, position: Position, origin: np.uint64, us: np.uint64, king: np.uint64
) -> bool:
    """True if the en passant capture from `origin` leaves no enemy piece attacking the king.

    Two pawns leave one rank at once, which no pin mask covers, so the whole capture is checked.
    """
    target = U(position.ep)
    captured = ONE << (target ^ U(8))
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    occupied = (occupied ^ (ONE << origin) ^ captured) | (ONE << target)
    enemy = position.by_colour[us ^ ONE] & ~captured
    return attackers(rules, position, king, occupied) & enemy == ZERO


@jit
def castling_is_legal(
    rules: Rules, position: Position, right: np.uint64, us: np.uint64, king: np.uint64
) -> bool:
    """True if the king, not in check, may castle with the rook of `right` (0..3)."""
    occupied = position.by_colour[WHITE] | position.by_colour[BLACK]
    if occupied & rules.castling_empty[right]:
        return False
    # Both are off the board here: in Chess960 the rook may have shielded a square that the king enters.
    occupied ^= (ONE << king) | (ONE << rules.castling_rook[right])
    squares = rules.castling_safe[right]
    while squares:
        if attacked_by(rules, position, lsb(squares), occupied, us ^ ONE):
            return False
        squares &= squares - ONE
    return True


@jit
def generate_part(
    rules: Rules, position: Position, moves: MoveList, wanted: np.uint64, wanted_of_pawns: np.uint64
) -> np.uint64:
    """Write the legal moves that end on wanted squares, from index 0; returns their number.

    Pawns have a set of wanted squares for themselves. En passant captures are always written.
    """
    count = ZERO
    us = U(position.side)
    own = position.by_colour[us]
    enemy = position.by_colour[us ^ ONE]
    occupied = own | enemy
    king = lsb(position.by_type[KING] & own)
    checkers = position.checkers

    # 1. King moves: to squares that are not attacked once the king has left its square.
    targets = rules.king_attacks[king] & ~own & wanted
    without_king = occupied ^ (ONE << king)
    while targets:
        target = lsb(targets)
        if not attacked_by(rules, position, target, without_king, us ^ ONE):
            moves.move[count] = king | (target << U(6))
            count += ONE
        targets &= targets - ONE

    # 2. In double check only the king moves; in check the others must capture or block.
    allowed = ~own
    if checkers:
        if checkers & (checkers - ONE):
            return count
        allowed = checkers | rules.between[king, lsb(checkers)]
    allowed_of_pawns = allowed & wanted_of_pawns
    allowed &= wanted
    pinned = pinned_pieces(rules, position, king, us)

    # 3. Pawns: pushes and captures of all of them at once.
    pawns = position.by_type[PAWN] & own
    empty = ~occupied
    if us == WHITE:
        push = (pawns << U(8)) & empty
        double_push = ((push & RANK_3) << U(8)) & empty & allowed_of_pawns
        left = ((pawns & ~FILE_A) << U(7)) & enemy & allowed_of_pawns
        right = ((pawns & ~FILE_H) << U(9)) & enemy & allowed_of_pawns
        count = _add_pawns(rules, moves, count, right, U(64 - 9), king, pinned)
        count = _add_pawns(rules, moves, count, left, U(64 - 7), king, pinned)
        count = _add_pawns(rules, moves, count, push & allowed_of_pawns, U(64 - 8), king, pinned)
        count = _add_pawns(rules, moves, count, double_push, U(64 - 16), king, pinned)
    else:
        push = (pawns >> U(8)) & empty
        double_push = ((push & RANK_6) >> U(8)) & empty & allowed_of_pawns
        left = ((pawns & ~FILE_A) >> U(9)) & enemy & allowed_of_pawns
        right = ((pawns & ~FILE_H) >> U(7)) & enemy & allowed_of_pawns
        count = _add_pawns(rules, moves, count, right, U(7), king, pinned)
        count = _add_pawns(rules, moves, count, left, U(9), king, pinned)
        count = _add_pawns(rules, moves, count, push & allowed_of_pawns, U(8), king, pinned)
        count = _add_pawns(rules, moves, count, double_push, U(16), king, pinned)

    # 4. En passant: the position holds the square only if some capture is legal.
    if U(position.ep) != NO_SQUARE:
        takers = rules.pawn_attacks[us ^ ONE, U(position.ep)] & pawns
        while takers:
            origin = lsb(takers)
            if ep_is_legal(rules, position, origin, us, king):
                moves.move[count] = origin | (U(position.ep) << U(6)) | (EN_PASSANT << U(14))
                count += ONE
            takers &= takers - ONE

    # 5. Knights: a pinned knight never moves.
    pieces = position.by_type[KNIGHT] & own & ~pinned
    while pieces:
        origin = lsb(pieces)
        count = _add(moves, count, origin, rules.knight_attacks[origin] & allowed)
        pieces &= pieces - ONE

    # 6. Sliders; a queen goes through both loops.
    pieces = (position.by_type[BISHOP] | position.by_type[QUEEN]) & own
    while pieces:
        origin = lsb(pieces)
        targets = bishop_attacks(rules, origin, occupied) & allowed
        if pinned >> origin & ONE:
            targets &= rules.line[king, origin]
        count = _add(moves, count, origin, targets)
        pieces &= pieces - ONE
    pieces = (position.by_type[ROOK] | position.by_type[QUEEN]) & own
    while pieces:
        origin = lsb(pieces)
        targets = rook_attacks(rules, origin, occupied) & allowed
        if pinned >> origin & ONE:
            targets &= rules.line[king, origin]
        count = _add(moves, count, origin, targets)
        pieces &= pieces - ONE

    # 7. Castling, written as king takes own rook.
    if checkers == ZERO and U(position.castling) >> (us * U(2)) & U(3):
        right = us * U(2)
        for _ in range(2):
            if U(position.castling) >> right & ONE:
                rook = rules.castling_rook[right]
                if wanted >> rook & ONE and castling_is_legal(rules, position, right, us, king):
                    moves.move[count] = king | (rook << U(6)) | (CASTLING << U(14))
                    count += ONE
            right += ONE
    return count


@kernel(void(rules_t, position_t, move_list_t))
def generate(rules: Rules, position: Position, moves: MoveList) -> None:
    """Write all legal moves of the side to move into a MOVE_LIST record, in place."""
    moves.count = generate_part(rules, position, moves, FULL, FULL)


@jit(void(rules_t, position_t, move_list_t))
def generate_noisy(rules: Rules, position: Position, moves: MoveList) -> None:
    """Write the legal captures and promotions into a MOVE_LIST record, in place."""
    enemy = position.by_colour[U(position.side) ^ ONE]
    moves.count = generate_part(rules, position, moves, enemy, enemy | PROMOTION_RANKS)
