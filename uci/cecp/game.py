"""The game of the GUI: a valid board and its moves."""

from __future__ import annotations

import re
from typing import Final

import chess

from boomslang.engine.errors import CommandError
from boomslang.engine.notation.position_setup import MAX_MOVES, from_fen, read_move

NULL_MOVE: Final = "@@@@"
VARIANTS: Final = {"normal": False, "fischerandom": True}

_CASTLING: Final = re.compile(r"[Oo0]-[Oo0](?:-[Oo0])?[+#]?")


def looks_like_a_move(word: str) -> bool:
    """True for coordinate moves, castling and SAN, legal or not."""
    spellings = chess.SAN_REGEX.match(word), chess.SAN_REGEX.match(word.lower())
    return any(spellings) or bool(_CASTLING.fullmatch(word)) or word == NULL_MOVE


class CecpGame:
    """The board with its moves; there is none after an invalid position."""

    def __init__(self) -> None:
        self.chess960 = False
        self._board: chess.Board | None = chess.Board()

    @property
    def board(self) -> chess.Board:
        """The position with its history, read-only; raises CommandError if there is none."""
        if self._board is None:
            raise CommandError("no position")
        return self._board

    @property
    def is_sound(self) -> bool:
        """True if there is a position."""
        return self._board is not None

    @property
    def plies(self) -> int:
        """Moves on the board's stack."""
        return len(self._board.move_stack) if self._board else 0

    def new(self, variant: str = "normal") -> None:
        """The start position of ordinary chess or of a variant; raises CommandError."""
        if variant not in VARIANTS:
            raise CommandError("unsupported variant")
        self.chess960 = VARIANTS[variant]
        self._board = chess.Board(chess960=self.chess960)

    def set_up(self, fen: str) -> None:
        """Set a position; after an invalid one there is none until the next. Raises CommandError."""
        self._board = None
        self._board = from_fen(fen, self.chess960)

    def read(self, text: str) -> chess.Move:
        """The legal move that `text` spells; raises CommandError."""
        board = self.board
        if self.plies >= MAX_MOVES:
            raise CommandError("too many moves")
        if text == NULL_MOVE:
            if board.is_check():
                raise CommandError("in check")
            return chess.Move.null()
        if not looks_like_a_move(text):
            raise CommandError("not a move")
        try:
            return read_move(board, text, 0)
        except CommandError:
            spelled = text.upper() if text[0] in "Oo0" else text
            try:
                return board.parse_san(spelled.replace("0", "O"))
            except ValueError:
                raise CommandError("not legal") from None

    def take_back(self, plies: int) -> None:
        """Take `plies` moves back; raises CommandError if there are fewer."""
        if self.plies < plies:
            raise CommandError("no move to take back")
        for _ in range(plies):
            self.board.pop()


def outcome(board: chess.Board) -> str | None:
    """The result of the game in the notation of the protocol; None if it is not over."""
    if not any(board.legal_moves):
        if not board.is_check():
            return "1/2-1/2 {Stalemate}"
        return "0-1 {Black mates}" if board.turn == chess.WHITE else "1-0 {White mates}"
    if board.is_insufficient_material():
        return "1/2-1/2 {Draw by insufficient material}"
    return None


def possible_claim(board: chess.Board) -> str | None:
    """The draw that either side may claim; None if there is none."""
    if board.is_repetition(3):
        return "1/2-1/2 {Draw by repetition}"
    if board.halfmove_clock >= 100:
        return "1/2-1/2 {Draw by fifty-move rule}"
    return None
