"""The one door through which positions of strangers come in: text in, a sound `chess.Board` out.

What lies behind trusts its boards. Harmless faults (castling rights without a rook, an en passant
square that means nothing, absurd clocks) are mended, for GUIs do send them; a position that chess
does not know is refused as a whole, and so is a game with a move that cannot be played.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import chess

from boomslang.engine.core.system.text import number, quote
from boomslang.engine.errors import CommandError
from boomslang.engine.validity import why_invalid

MOST_MOVES: Final = 20_000  # in one `position` command
_LONGEST_PLACEMENT: Final = 8 * 8 + 7
_MOST_HALFMOVES: Final = 10_000
_MOST_FULLMOVES: Final = 100_000

_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_EN_PASSANT: Final = re.compile(r"[a-h][36]")
_CASTLING_LETTERS: Final = frozenset("KQABCDEFGHkqabcdefgh")
_CASTLING: Final = re.compile(r"[KQA-H]{0,2}[kqa-h]{0,2}")


class Positions:
    """Sets up one position after the other; the next one of the same game costs one move only."""

    def __init__(self) -> None:
        self._key: tuple[str | None, bool] | None = None  # the FEN and the option behind `_board`
        self._played: tuple[str, ...] = ()
        self._board = chess.Board()

    def set_up(self, fen: str | None, moves: Sequence[str], chess960: bool) -> chess.Board:
        """The board of a FEN (None: the start position) with its moves on the stack.

        Raises CommandError. Callers must not change it.
        """
        if len(moves) > MOST_MOVES:
            raise CommandError(f"more than {MOST_MOVES} moves")
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


def from_fen(fen: str, chess960: bool) -> chess.Board:
    """A board from a FEN of four to six fields, X-FEN and Shredder-FEN included; raises CommandError."""
    fields = fen.split(" ")
    if not 4 <= len(fields) <= 6:
        raise CommandError(f"a FEN has 4 to 6 fields: {quote(fen)}")
    placement, turn, castling, en_passant, *counters = fields
    halfmoves, fullmoves = (*(number(text) or 0 for text in counters), 0, 1)[:2]
    board = chess.Board(None, chess960=chess960)
    try:
        if len(placement) > _LONGEST_PLACEMENT:
            raise ValueError
        board.set_board_fen(placement)
    except ValueError:
        raise CommandError(f"no such board: {quote(placement)}") from None
    if turn not in ("w", "b"):
        raise CommandError(f"the side to move is w or b, not {quote(turn)}")
    board.turn = turn == "w"
    board.halfmove_clock = min(max(0, halfmoves), _MOST_HALFMOVES)
    board.fullmove_number = min(max(1, fullmoves), _MOST_FULLMOVES)
    if reason := why_invalid(board):
        raise CommandError(reason)
    _set_castling(board, castling)
    if _EN_PASSANT.fullmatch(en_passant):
        board.ep_square = chess.parse_square(en_passant)
        if board.status() & chess.STATUS_INVALID_EP_SQUARE:
            board.ep_square = None
    return board


def _set_castling(board: chess.Board, text: str) -> None:
    """Give the rights that a king and a rook stand ready for.

    Letters of files cannot be meant for ordinary chess if they give rights that it does not know;
    then the board is one of Chess960, whatever the option says.
    """
    letters = "".join(sorted(_CASTLING_LETTERS.intersection(text)))  # capitals come first
    if not _CASTLING.fullmatch(letters):
        return
    by_option = board.chess960
    board.set_castling_fen(letters or "-")
    board.chess960 = True
    rights = board.clean_castling_rights()
    board.chess960 = by_option or (
        not set(letters) <= set("KQkq") and rights != _ordinary_rights(board)
    )
    board.castling_rights = board.clean_castling_rights()


def _ordinary_rights(board: chess.Board) -> int:
    board.chess960 = False
    return board.clean_castling_rights()


def read_move(board: chess.Board, text: str, count: int) -> chess.Move:
    """The legal move that `text` spells, castling in either way; raises CommandError."""
    spelled = text.lower()
    if _MOVE.fullmatch(spelled):
        try:
            return board.parse_uci(spelled)
        except ValueError:
            pass
    raise CommandError(f"move {count}, {quote(text)}, cannot be played")
