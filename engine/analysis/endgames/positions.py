"""Random positions of a kind, whose value is that of the task."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import chess

from boomslang.engine.analysis.endgames.kinds import EndingKind, Task

if TYPE_CHECKING:
    from boomslang.engine.analysis.endgames.judge import EndingJudge

_MAX_PLACINGS: Final = 20_000  # attempts at placing the pieces for one position
_MAX_PROBED, _MAX_SEARCHED = 120, 12  # positions that are judged by tables, by a search
_MIN_PLIES: Final = 6  # plies to the next capture or mate


class NoPositionError(ValueError):
    """No position of a kind was found that is worth what the task says."""


def new_position(kind: EndingKind, judge: EndingJudge, dice: random.Random) -> chess.Board:
    """A position of the kind with the user to move; raises NoPositionError.

    By tables it is one where a win takes long or half of the moves give the result away, if one of some is.
    """
    easiest: chess.Board | None = None
    left: float = 1
    for _ in range(_MAX_PLACINGS):
        board = place(kind, dice)
        if board is None:
            continue
        grades = judge.grades(board)
        left -= 1 / (_MAX_SEARCHED if grades is None else _MAX_PROBED)
        if judge.value(board) == kind.task:
            easiest = easiest or board
            if grades is None or judge.is_demanding(board, kind.task, _MIN_PLIES):
                return board
        if left <= 0:
            break
    if easiest is None:
        judged = "win" if kind.task else "draw"
        raise NoPositionError(f"no position of this kind was found that is judged as a {judged}")
    return easiest


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
