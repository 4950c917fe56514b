"""The means by which a line wins material, by the names of the puzzle themes of Lichess where they have one.

Each is read off the boards of a line, and only where the line goes on to take what the means has attacked;
`wins.py` words it, and names the search that proves the win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess

from boomslang.engine.analysis.reason import Motif
from boomslang.engine.analysis.reasons.exchange import (
    POINTS,
    LineStep,
    gain,
    winnable_on,
)

SAFE: Final = 1.5  # pawns that a piece may lose where it is called safe


@dataclass(frozen=True, slots=True)
class FoundMotif:
    """A means at a step of a line."""

    means: Motif
    step: int  # index of the move that uses it
    squares: tuple[chess.Square, ...]  # what it attacks, most valuable first


def find_motif(line_steps: Sequence[LineStep], prize: int) -> FoundMotif | None:
    """How the capture at step `prize` came about: by the attacker's move before it, or by that capture."""
    if prize >= 2:
        before, answer, capture = line_steps[prize - 2 : prize + 1]
        for means, squares_of in _BY_ATTACK:
            if squares := squares_of(before, answer, capture):
                return FoundMotif(means, prize - 2, squares)
        if trap := _find_trap(line_steps, prize):
            return trap
        for means, squares_of in _AGAINST_DEFENCE:
            if squares := squares_of(before, answer, capture):
                return FoundMotif(means, prize - 2, squares)
        if prize >= 3 and _is_in_between(line_steps[prize - 3], before, answer, capture):
            return FoundMotif(Motif.IN_BETWEEN, prize - 2, (capture.move.to_square,))
    capture = line_steps[prize]
    if squares := _find_pinned_victim(capture) or _find_pinned_defenders(capture):
        return FoundMotif(Motif.PIN, prize, squares)
    if squares := _find_undefended(capture):
        return FoundMotif(Motif.UNDEFENDED, prize, squares)
    return None


def _fork(before: LineStep, answer: LineStep, capture: LineStep) -> tuple[chess.Square, ...]:
    """The pieces that one piece attacks together, of which it takes one at its next move."""
    square, after = before.move.to_square, answer.board
    if capture.move.from_square != square or after.piece_type_at(square) == chess.KING:
        return ()
    targets = [target for target in after.attacks(square) if _is_target(after, square, target)]
    if capture.victim is None or capture.victim.square not in targets:
        return ()
    pieces = [
        target
        for target in targets
        if target == capture.victim.square or after.piece_type_at(target) != chess.PAWN
    ]
    if len(pieces) < 2:  # nobody calls two pawns forked
        return ()
    return _sort_by_value(after, pieces)


def _is_target(board: chess.Board, attacker: chess.Square, target: chess.Square) -> bool:
    """True for a king, and for a piece that is worth more than its attacker or is undefended."""
    kind, own = board.piece_type_at(target), board.piece_type_at(attacker)
    if kind is None or own is None or board.color_at(target) != board.turn:
        return False
    if kind == chess.KING or POINTS[kind] > POINTS[own]:
        return True
    return not board.is_attacked_by(board.turn, target)


def _find_discovered_attack(
    before: LineStep, answer: LineStep, capture: LineStep
) -> tuple[chess.Square, ...]:
    """What a piece attacks because another one has left its line, if that is what is taken next.

    With a discovered check it is the piece that has moved which takes.
    """
    moved, after = before.move.to_square, answer.board
    if before.board.is_castling(before.move) or capture.victim is None:
        return ()
    target, taker = capture.victim.square, capture.move.from_square
    king = after.king(after.turn)
    openers = [square for square in after.checkers() if square != moved]
    if openers and king is not None and taker == moved:
        is_new = all(_opens(before, square, king) for square in openers)
        attacks = target in after.attacks(moved)
        return (king, target) if is_new and attacks else ()
    stood = after.piece_at(target)
    if stood is None or stood.color != after.turn or stood.piece_type == chess.PAWN:
        return ()
    if taker == moved or answer.move.to_square == target or not _opens(before, taker, target):
        return ()
    return (target,)


def _opens(before: LineStep, slider: chess.Square, target: chess.Square) -> bool:
    """True if the move opens the line from a slider to a target by leaving it."""
    board, origin = before.board, before.move.from_square
    on_line = origin in chess.SquareSet.between(slider, target)
    return on_line and origin in board.attacks(slider) and board.color_at(slider) == board.turn


def _skewer(before: LineStep, answer: LineStep, capture: LineStep) -> tuple[chess.Square, ...]:
    """A piece that must leave a line, and the one behind it which is then taken along that line."""
    square, after = before.move.to_square, answer.board
    if capture.move.from_square != square or capture.victim is None:
        return ()
    front, back = answer.move.from_square, capture.victim.square
    first, second = after.piece_at(front), after.piece_at(back)
    if first is None or second is None or second.color != after.turn:
        return ()
    attacks = front in after.attacks(square) and front in chess.SquareSet.between(square, back)
    alone = chess.SquareSet.between(front, back) & after.occupied == chess.SquareSet()
    is_more = first.piece_type == chess.KING or POINTS[first.piece_type] > POINTS[second.piece_type]
    return (front, back) if attacks and alone and is_more else ()


def _new_pin(before: LineStep, answer: LineStep, capture: LineStep) -> tuple[chess.Square, ...]:
    """The piece that a move pins to its king and that is taken next."""
    after, side = answer.board, answer.board.turn
    if capture.victim is None or answer.move.to_square == capture.victim.square:
        return ()
    square = capture.victim.square
    was = before.board.is_pinned(side, square)
    king = after.king(side)
    if was or king is None or not after.is_pinned(side, square):
        return ()
    pinner = before.move.to_square
    if pinner in chess.SquareSet(chess.ray(king, square)) and square in chess.SquareSet.between(
        king, pinner
    ):
        return (square, king)
    return ()


def _find_trap(line_steps: Sequence[LineStep], prize: int) -> FoundMotif | None:
    """The move since which a piece is attacked and has no safe square, if it is taken in the end."""
    answer, victim = line_steps[prize - 1], line_steps[prize].victim
    if victim is None or victim.kind == chess.PAWN:
        return None
    fled = answer.move.to_square == victim.square
    square = answer.move.from_square if fled else victim.square
    first = prize - 1
    if not _is_trapped(line_steps[first].board, square):
        return None
    while first >= 3 and _is_trapped(line_steps[first - 2].board, square):
        first -= 2
    return FoundMotif(Motif.TRAPPED, first - 1, (square,))


def _is_trapped(board: chess.Board, square: chess.Square) -> bool:
    """True for a piece of the side to move that is lost wherever it goes; one that is pinned is no such."""
    side, piece = board.turn, board.piece_at(square)
    if piece is None or piece.color != side or board.is_check() or board.is_pinned(side, square):
        return False
    if not board.is_attacked_by(not side, square):
        return False
    for move in board.generate_legal_moves(from_mask=chess.BB_SQUARES[square]):
        after = board.copy(stack=False)
        after.push(move)
        if winnable_on(after, move.to_square) - gain(board, move) < SAFE:
            return False
    return True


def _take_defender(
    before: LineStep, answer: LineStep, capture: LineStep
) -> tuple[chess.Square, ...]:
    """What is taken, if the move has captured a piece that defended it."""
    if before.victim is None or capture.victim is None:
        return ()
    target = capture.victim.square
    stood = answer.board.piece_at(target)
    if stood is None or stood.color != answer.board.turn or answer.move.to_square == target:
        return ()
    return (target,) if target in before.board.attacks(before.victim.square) else ()


def _deflect(before: LineStep, answer: LineStep, capture: LineStep) -> tuple[chess.Square, ...]:
    """A defender that had to take or to leave a check, and what it defended until then."""
    board, origin = answer.board, answer.move.from_square
    if capture.victim is None or not (before.is_check or answer.victim):
        return ()
    target = capture.victim.square
    stood = board.piece_at(target)
    is_left = answer.move.to_square != target and target in board.attacks(origin)
    if stood is None or stood.color != board.turn or not is_left:
        return ()
    return () if target in capture.board.attacks(answer.move.to_square) else (origin, target)


def _threaten_mate(
    before: LineStep, answer: LineStep, capture: LineStep
) -> tuple[chess.Square, ...]:
    """The king that would be mated at once without the answer; to leave a check threatens nothing."""
    king = answer.board.king(answer.board.turn)
    if king is None or before.is_check or before.board.is_check() or capture.victim is None:
        return ()
    return (king,) if find_mate_threat(answer.board) else ()


def find_mate_threat(board: chess.Board) -> chess.Move | None:
    """The move that would mate the side to move, which is not in check, if it passed."""
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    for move in passed.legal_moves:
        after = passed.copy(stack=False)
        after.push(move)
        if after.is_checkmate():
            return move
    return None


def _is_in_between(taken: LineStep, before: LineStep, answer: LineStep, capture: LineStep) -> bool:
    """True if a check or a capture elsewhere came before the recapture that is the prize."""
    square = taken.move.to_square
    is_late = taken.victim is not None and capture.move.to_square == square
    is_forcing = before.is_check or before.victim is not None
    return is_late and is_forcing and square not in (before.move.to_square, answer.move.to_square)


def _find_pinned_victim(capture: LineStep) -> tuple[chess.Square, ...]:
    """A piece that could not leave its line to the king, and is taken."""
    board, victim = capture.board, capture.victim
    if victim is None or victim.kind == chess.PAWN:
        return ()
    side = not board.turn
    king = board.king(side)
    if king is None or not board.is_pinned(side, victim.square):
        return ()
    return (victim.square, king)


def _find_pinned_defenders(capture: LineStep) -> tuple[chess.Square, ...]:
    """The pieces that seem to defend what is taken, and are all pinned to their king."""
    board = capture.board.copy(stack=False)
    board.push(capture.move)
    square, side = capture.move.to_square, board.turn
    defenders = board.attackers(side, square)
    pinned = [
        defender
        for defender in defenders
        if board.is_pinned(side, defender) and square not in board.pin(side, defender)
    ]
    king = board.king(side)
    if king is None or not pinned or len(pinned) < len(defenders):
        return ()
    return (*_sort_by_value(board, pinned), king)


def _find_undefended(capture: LineStep) -> tuple[chess.Square, ...]:
    """What is taken, if nothing defends it."""
    board = capture.board.copy(stack=False)
    board.push(capture.move)
    if capture.victim is None or board.is_attacked_by(board.turn, capture.move.to_square):
        return ()
    return (capture.victim.square,)


def _sort_by_value(board: chess.Board, squares: Sequence[chess.Square]) -> tuple[chess.Square, ...]:
    def value(square: chess.Square) -> float:
        kind = board.piece_type_at(square)
        return 0 if kind is None else 100 if kind == chess.KING else POINTS[kind]

    return tuple(sorted(squares, key=lambda square: (-value(square), square)))


def is_back_rank_mate(board: chess.Board) -> bool:
    """True if the king is mated on its first rank by a rook or queen there, shut in by its own pieces."""
    king = board.king(board.turn)
    if king is None or not board.is_checkmate():
        return False
    home = 0 if board.turn == chess.WHITE else 7
    if chess.square_rank(king) != home:
        return False
    by_line = any(
        chess.square_rank(square) == home
        and board.piece_type_at(square) in (chess.ROOK, chess.QUEEN)
        for square in board.checkers()
    )
    ahead = 1 if board.turn == chess.WHITE else 6
    front = chess.SquareSet(chess.BB_KING_ATTACKS[king] & chess.BB_RANKS[ahead])
    own = front & chess.SquareSet(board.occupied_co[board.turn] & board.pawns)
    return by_line and 2 * len(own) >= len(front)


_BY_ATTACK: Final = (
    (Motif.FORK, _fork),
    (Motif.DISCOVERED, _find_discovered_attack),
    (Motif.SKEWER, _skewer),
    (Motif.PIN, _new_pin),
)
_AGAINST_DEFENCE: Final = (
    (Motif.DEFENDER, _take_defender),
    (Motif.DEFLECTION, _deflect),
    (Motif.MATE_THREAT, _threaten_mate),
)
