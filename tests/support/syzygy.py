"""Real tables, random positions for them, and the reader with all it needs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import chess

from boomslang.core.board.position import POSITION, new_record
from boomslang.engine import bridge
from boomslang.engine.tablebases.probe_record import PROBE, UNKNOWN
from boomslang.engine.tablebases.table_files import TableFiles
from tests.support.oracle import rules
from tests.support.places import SUITES

FOLDERS: Final = tuple(path for name in ("syzygy", "syzygy5") if (path := SUITES / name).is_dir())


def random_board(name: str, dice: random.Random) -> chess.Board:
    """A valid position with the pieces of a table for either colour; half with en passant if possible."""
    white, _, black = name.partition("v")
    letters = (white, black.lower()) if dice.random() < 0.5 else (black, white.lower())
    pieces = [chess.Piece.from_symbol(letter) for letter in "".join(letters)]
    pawns = {piece.color for piece in pieces if piece.piece_type == chess.PAWN}
    passing = len(pawns) == 2 and dice.random() < 0.5
    while True:
        board = chess.Board(None)
        board.turn = dice.random() < 0.5
        squares = dice.sample(chess.SQUARES, len(pieces))
        if passing:
            _let_pass(board, pieces, squares, dice)
        for square, piece in zip(squares, pieces, strict=True):
            board.set_piece_at(square, piece)
        full = chess.popcount(board.occupied) == len(pieces)
        if full and board.is_valid() and (not passing or board.has_legal_en_passant()):
            return board


def _let_pass(
    board: chess.Board, pieces: list[chess.Piece], squares: list[int], dice: random.Random
) -> None:
    """Put two pawns beside each other, the other side's just moved, in place."""
    file = dice.randrange(7)
    files = dice.sample((file, file + 1), 2)
    rank = 4 if board.turn else 3
    for number, colour in enumerate((board.turn, not board.turn)):
        squares[pieces.index(chess.Piece(chess.PAWN, colour))] = 8 * rank + files[number]
    board.ep_square = 8 * (rank + (1 if board.turn else -1)) + files[1]


class Reader:
    """The tables in some folders, all open, and what they say about boards."""

    def __init__(self, *folders: Path | str, check_up_to: int = 0) -> None:
        self.files = TableFiles([str(folder) for folder in folders], check_up_to)
        self._probe: Any = new_record(PROBE)
        self._probe.tables = self.files.address
        self._position = new_record(POSITION)

    def wdl(self, board: chess.Board) -> int | None:
        """Its result, -2 to 2; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_wdl

        return self._ask(probe_wdl, board)

    def dtz(self, board: chess.Board) -> int | None:
        """Its distance in plies; None if it is not known."""
        from boomslang.engine.tablebases.probe import probe_dtz

        return self._ask(probe_dtz, board)

    def _ask(self, kernel: Any, board: chess.Board) -> int | None:
        bridge.set_castling(rules(), board)
        bridge.to_position(rules(), board, self._position)
        while True:
            found = int(kernel(rules(), self._position, self._probe))
            if found != int(UNKNOWN) or not self.files.open_wanted():
                return None if found == int(UNKNOWN) else found
