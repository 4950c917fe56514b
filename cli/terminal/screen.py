"""The board in the terminal, with colours where available."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from boomslang.cli.terminal.console import Console
from boomslang.engine.levels import piece_values

# Filled shapes are readable in either colour; outlined ones are for terminals without colour.
_FILLED: Final = dict(zip("pnbrqk", "♟♞♝♜♛♚", strict=True))
_LIGHT, _DARK = "#d7c5a3", "#9b7653"
_LIGHT_MOVED, _DARK_MOVED = "#d9d26a", "#b3a33a"
_CHECKED: Final = "#d0594b"
_COLUMNS: Final = "abcdefgh"
_MOVES_SHOWN: Final = 6


@dataclass(slots=True)
class BoardStyle:
    """Display options of the terminal and the user."""

    unicode: bool
    colour: bool
    flipped: bool = False  # Black at the bottom

    @classmethod
    def of(cls, console: Console, ascii_only: bool) -> BoardStyle:
        """The style for a console."""
        unicode = console.encoding.lower().startswith("utf") and not ascii_only
        colour = console.color_system is not None and not console.no_color
        return cls(unicode, colour)


def screen(board: chess.Board, style: BoardStyle, beside: Sequence[str]) -> RenderableType:
    """The board with lines of text to the right of it."""
    both = Table.grid(padding=(0, 3))
    both.add_row(_board(board, style), Text("\n".join(beside)))
    return both


def _board(board: chess.Board, style: BoardStyle) -> Text:
    ranks = range(8) if style.flipped else range(7, -1, -1)
    files = range(7, -1, -1) if style.flipped else range(8)
    text = Text()
    for rank in ranks:
        text.append(f" {rank + 1} ")
        for file in files:
            text.append_text(_cell(board, chess.square(file, rank), style))
        text.append("\n")
    text.append("   " + "".join(f" {_COLUMNS[file]} " for file in files))
    return text


def _cell(board: chess.Board, square: chess.Square, style: BoardStyle) -> Text:
    """A square in three columns; without colour, squares of the last move are in brackets."""
    piece = board.piece_at(square)
    moved = bool(board.move_stack) and square in (board.peek().from_square, board.peek().to_square)
    if not style.colour:
        symbol = _plain_symbol(piece, square, style.unicode)
        return Text(f"[{symbol}]" if moved else f" {symbol} ")
    light = bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES)
    ground = (_LIGHT_MOVED if light else _DARK_MOVED) if moved else (_LIGHT if light else _DARK)
    if board.is_check() and square == board.king(board.turn):
        ground = _CHECKED
    if piece is None:
        return Text("   ", f"on {ground}")
    symbol = _FILLED[piece.symbol().lower()] if style.unicode else piece.symbol()
    ink = "#ffffff" if piece.color == chess.WHITE else "#000000"
    return Text(f" {symbol} ", f"bold {ink} on {ground}")


def _plain_symbol(piece: chess.Piece | None, square: chess.Square, unicode: bool) -> str:
    if piece:
        return piece.unicode_symbol() if unicode else piece.symbol()
    if chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES:
        return " "
    return "·" if unicode else "."


def last_moves(board: chess.Board) -> list[str]:
    """The last moves of the game, numbered, one line per pair."""
    pairs: list[str] = []
    replay = board.root()
    for move in board.move_stack:
        san = replay.san(move)
        if replay.turn == chess.WHITE:
            pairs.append(f"{replay.fullmove_number:3}. {san}")
        elif pairs:
            pairs[-1] += f" {san}"
        else:
            pairs.append(f"{replay.fullmove_number:3}. ... {san}")
        replay.push(move)
    return pairs[-_MOVES_SHOWN:]


def balance(board: chess.Board) -> str:
    """The material balance in pawns, as text."""
    count = piece_values.balance(board, chess.WHITE)
    if not count:
        return "material is even"
    return f"{'White' if count > 0 else 'Black'} is {abs(count)} up"
