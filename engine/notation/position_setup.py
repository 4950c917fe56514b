"""Reads every position that users, GUIs and programs send: text in, a valid `chess.Board` out.

The search trusts its boards. Harmless faults (castling rights without a rook, a meaningless en passant
square, absurd clocks) are mended, because GUIs send them. A position that chess does not know is refused
as a whole, and so is a game with a move that cannot be played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

import chess

from boomslang.core.system.sanitize import quote
from boomslang.engine.boards import copy_board
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import spell_moves, whole_number
from boomslang.engine.notation.positions import MAX_FULLMOVES, MAX_HALFMOVES, board_of
from boomslang.engine.notation.validity import why_invalid

MAX_MOVES: Final = 20_000  # in one `position` command

# Fields of a board that programs set, and the greatest values.
_NUMBERS: Final = {
    "halfmove_clock": MAX_HALFMOVES,
    "fullmove_number": MAX_FULLMOVES,
    "ep_square": chess.H8,
    "castling_rights": chess.BB_ALL,
}
_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


class PositionSetup:
    """Sets up one position after the other; the next one of the same game costs one move only."""

    def __init__(self) -> None:
        self._key: tuple[str | None, bool] | None = None  # the FEN and the option behind `_board`
        self._played: tuple[str, ...] = ()
        self._board = chess.Board()

    def set_up(
        self, position: str | chess.Board | None, moves: Sequence[str], chess960: bool
    ) -> chess.Board:
        """The board of a FEN, a board or the start position (None) with its moves on the stack.

        Raises CommandError. Callers must not change it.
        """
        if isinstance(position, chess.Board):
            return _play_moves(position, moves)
        fen = position
        if len(moves) > MAX_MOVES:
            raise CommandError(f"more than {MAX_MOVES} moves")
        key = fen, chess960
        done = len(self._played)
        if key != self._key or tuple(moves[:done]) != self._played:
            self._board = from_fen(chess.STARTING_FEN if fen is None else fen, chess960)
            done = 0
        self._key = None  # until all is well
        for count, move in enumerate(moves[done:], done + 1):
            self._board.push(read_move(self._board, move, count))
        self._key, self._played = key, tuple(moves)
        return self._board


def check_kind(position: object) -> None:
    """Raise TypeError for what `PositionSetup.set_up` does not take."""
    if not isinstance(position, str | chess.Board | None):
        kind = type(position).__name__
        raise TypeError(f"a position is a FEN, a chess.Board or None, not of type {kind}")


def plain_board(board: chess.Board) -> chess.Board:
    """A copy with its history, also of a subclass; python-chess believes what a program has set in it.

    Numbers are within bounds then, which does not make it a valid position. Raises TypeError or CommandError.
    """
    if not isinstance(board, chess.Board):
        raise TypeError(f"a board is a chess.Board, not of type {type(board).__name__}")
    if board.uci_variant != "chess":
        raise CommandError(f"not a board of ordinary chess: {type(board).__name__}")
    after = copy_board(board)
    if after.turn not in chess.COLORS:
        raise CommandError("turn is neither chess.WHITE nor chess.BLACK")
    after.turn = bool(after.turn)
    for name, most in _NUMBERS.items():
        if (given_square := getattr(after, name)) is not None or name != "ep_square":
            setattr(after, name, whole_number(name, given_square, 0, most))
    white, black = after.occupied_co
    kinds = [
        after.pieces_mask(kind, colour) for kind in chess.PIECE_TYPES for colour in chess.COLORS
    ]
    if white & black or not white | black == sum(kinds) == after.occupied:
        raise CommandError("the bitboards of the board contradict each other")
    return after


def check_board(board: chess.Board) -> chess.Board:
    """A copy of a board with its history if it can be played; raises TypeError or CommandError."""
    after = plain_board(board)
    bare = after.copy(stack=False)
    if reason := why_invalid(bare):
        raise CommandError(reason)
    after.castling_rights = bare.clean_castling_rights()  # a board with a history has others
    return after


def _play_moves(board: chess.Board, moves: Sequence[str]) -> chess.Board:
    """A copy of a board with its history, and moves played on it; raises CommandError."""
    after = check_board(board)
    for number, move in enumerate(moves, 1):
        after.push(read_move(after, move, number))
    return after


def from_fen(fen: str, chess960: bool) -> chess.Board:
    """A board from a FEN, harmless faults mended (see `board_of`); raises CommandError."""
    try:
        return board_of(fen, chess960, mend=True)
    except ValueError as problem:
        raise CommandError(str(problem)) from None


def read_move(board: chess.Board, text: str, count: int) -> chess.Move:
    """The legal move that `text` spells, castling in either way; raises CommandError."""
    spelled = text.lower()
    if _MOVE.fullmatch(spelled):
        try:
            return board.parse_uci(spelled)
        except ValueError:
            pass
    raise CommandError(f"move {count}, {quote(text)}, cannot be played")


def legal_names(
    board: chess.Board, moves: Iterable[str | chess.Move] | None
) -> tuple[str, ...] | None:
    """The legal moves among `moves`, spelled as the board spells; None if none is left."""
    legal = []
    for name in spell_moves(moves or (), "moves"):
        with suppress(CommandError):
            legal.append(read_move(board, name, 0).uci())
    return tuple(legal) or None


def read_search_moves(board: chess.Board, moves: Iterable[str | chess.Move]) -> tuple[str, ...]:
    """Moves to be searched, spelled as the board spells them; raises CommandError if one is not legal."""
    names = spell_moves(moves, "search_moves")
    try:
        return tuple(read_move(board, name, count).uci() for count, name in enumerate(names, 1))
    except CommandError as problem:
        raise CommandError(f"search_moves: {problem}") from None
