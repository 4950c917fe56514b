"""`edit`: how a position was set up before there was `setboard`; old interfaces still do it."""

from __future__ import annotations

import re
from typing import Final

import chess

from engine.soundness import why_unfit
from uci.parse import Refused

_PLACEMENT: Final = re.compile(r"([PNBRQKX])([a-h][1-8])", re.IGNORECASE)


class Editor:
    """Takes the lines between `edit` and the full stop."""

    def __init__(self, board: chess.Board) -> None:
        """Begin with the pieces and the side to move of `board`."""
        self._board = chess.Board(None, chess960=board.chess960)
        self._board.set_piece_map(board.piece_map())
        self._board.turn = board.turn
        self._colour = chess.WHITE

    def obey(self, line: str) -> None:
        """A piece and its square, `x` and a square, `#` or `c`; raises Refused."""
        if line == "#":
            self._board.clear_board()
        elif line == "c":
            self._colour = not self._colour
        elif placement := _PLACEMENT.fullmatch(line):
            square = chess.parse_square(placement[2].lower())
            if placement[1] in "xX":
                self._board.remove_piece_at(square)
            else:
                kind = chess.Piece.from_symbol(placement[1].lower()).piece_type
                self._board.set_piece_at(square, chess.Piece(kind, self._colour))
        else:
            raise Refused("unknown command")

    def board(self) -> chess.Board:
        """The position; kings and rooks at home may castle, as the protocol says. Raises Refused."""
        self._board.castling_rights = self._home_rooks()
        self._board.castling_rights = self._board.clean_castling_rights()
        if reason := why_unfit(self._board):
            raise Refused(reason)
        return self._board

    def _home_rooks(self) -> int:
        homes = chess.BB_CORNERS if not self._board.chess960 else chess.BB_RANK_1 | chess.BB_RANK_8
        return self._board.rooks & homes
