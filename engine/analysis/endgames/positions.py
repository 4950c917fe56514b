"""Random positions of a kind, whose value is that of the task."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import chess

from boomslang.engine.analysis.endgames.judge import value_at_end
from boomslang.engine.analysis.endgames.kinds import EndingKind, Task
from boomslang.engine.analysis.reasons.exchange import winnable, winnable_on

if TYPE_CHECKING:
    from boomslang.engine.analysis.endgames.judge import EndingJudge

_MAX_PLACINGS: Final = 20_000  # attempts at placing the pieces for one position
_MAX_PROBED, _MAX_SEARCHED = 120, 80  # positions that are judged by tables, by a search
DRAW_MOVES: Final = 15  # moves after which a draw is held


class NoPositionError(ValueError):
    """No position of a kind was found that is worth what the task says."""


def new_position(kind: EndingKind, judge: EndingJudge, dice: random.Random) -> chess.Board:
    """A position of the kind with the user to move; raises NoPositionError.

    Nothing can be won at once, and the best way is long. By tables it is one where half of the moves give the
    result away, if one of some is.
    """
    easiest: chess.Board | None = None
    left: float = 1
    for _ in range(_MAX_PLACINGS):
        board = place(kind, dice)
        if board is None or not is_quiet(board):
            continue
        left -= 1 / (_MAX_SEARCHED if judge.grades(board) is None else _MAX_PROBED)
        if judge.value(board) == kind.task:
            is_demanding = judge.is_demanding(board, kind.task)
            if (is_demanding or not easiest) and _lasts(kind, judge, board):
                if is_demanding:
                    return board
                easiest = board
        if left <= 0:
            break
    if easiest is None:
        judged = "win" if kind.task else "draw"
        raise NoPositionError(f"no position of this kind was found that is judged as a {judged}")
    return easiest


def is_reached(kind: EndingKind, after: chess.Board, move: chess.Move) -> bool:
    """True if the user's move, which has kept the result, leaves nothing to practise."""
    if value_at_end(after) is not None:
        return True
    other = after.turn
    if kind.task == Task.DRAW:
        is_held = len(after.move_stack) >= 2 * DRAW_MOVES - 1
        return bool(move.promotion) or is_held or after.has_insufficient_material(other)
    is_bare = after.occupied_co[other] == after.pieces_mask(chess.KING, other)
    can_mate = bool((after.queens | after.rooks) & after.occupied_co[not other])
    return not kind.is_mate and (bool(move.promotion) or (is_bare and can_mate))


def is_quiet(board: chess.Board) -> bool:
    """True if nobody is in check, and neither side could win anything by captures, nor promote now."""
    if board.is_check() or winnable(board):
        return False
    other = board.copy(stack=False)
    other.push(chess.Move.null())
    own = chess.scan_forward(board.occupied_co[board.turn] & ~board.kings)
    return not any(winnable_on(other, square) for square in own)


def _lasts(kind: EndingKind, judge: EndingJudge, board: chess.Board) -> bool:
    """True if the best way is as long as the kind deserves, and the attacker of a draw keeps all on it.

    Nor does any move settle it that is not the best.
    """
    if any(_settles(kind, judge, board, move) for move in board.legal_moves):
        return False
    after, attackers = board.copy(), board.occupied_co[not board.turn]
    line = judge.line(board, 2 * kind.moves - 2)
    for move in line:
        after.push(move)
        if after.turn != board.turn and is_reached(kind, after, move):
            return False
        if value_at_end(after) is not None:
            return False
    left = after.occupied_co[not board.turn]
    return kind.task == Task.WIN or chess.popcount(left) == chess.popcount(attackers)


def _settles(kind: EndingKind, judge: EndingJudge, board: chess.Board, move: chess.Move) -> bool:
    after = board.copy()
    after.push(move)
    is_final = bool(move.promotion) or board.is_capture(move) or value_at_end(after) is not None
    return is_final and judge.judge(board, move).value >= kind.task


def place(kind: EndingKind, dice: random.Random) -> chess.Board | None:
    """The pieces of a kind at random, either colour and mirrored by chance; None if that is no position."""
    board = chess.Board(None)
    at: dict[str, chess.Square] = {}
    for letter in kind.letters():
        where = kind.where.get(letter)
        allowed = (where(at) if where else chess.BB_ALL) & ~board.occupied
        if letter in "Pp":
            allowed &= ~chess.BB_BACKRANKS
        if not allowed:
            return None
        at[letter] = dice.choice(list(chess.scan_forward(allowed)))
        board.set_piece_at(at[letter], chess.Piece.from_symbol(letter))
    board.turn = kind.task == Task.WIN
    if not board.is_valid() or not any(board.legal_moves):
        return None
    if dice.random() < 0.5:
        board.apply_transform(chess.flip_horizontal)
    return board.mirror() if dice.random() < 0.5 else board
