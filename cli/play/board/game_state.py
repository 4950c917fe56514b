"""What a page and an engine are told about the position of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import chess

from boomslang.engine.analysis.openings.table import find_played_opening, theory_text
from boomslang.engine.chess_clock import ChessClock
from boomslang.engine.limits import Limits

_MIN_TIMEOUT: Final = 5.0  # minimum timeout for a move in seconds


def limits_for(
    clock: ChessClock | None,
    seconds: float,
    time_left: Callable[[chess.Color], float | None],
    turn: chess.Color,
) -> tuple[Limits, float]:
    """An engine's limits for its move, by a clock or in so many seconds, and the timeout in seconds."""
    if clock is None:
        return Limits(movetime=round(1000 * seconds)), max(seconds, _MIN_TIMEOUT)
    white, black = (max(time_left(side) or 0.0, 0.001) for side in (True, False))
    more = round(1000 * clock.control.increment)
    limits = Limits(
        white_time=round(1000 * white),
        black_time=round(1000 * black),
        white_increment=more,
        black_increment=more,
    )
    return limits, max(white if turn else black, _MIN_TIMEOUT)


def opening_words(board: chess.Board) -> str:
    """Code, name and end of the opening up to a position; empty if the table has none."""
    played = find_played_opening(board.root(), board.move_stack)
    if played is None:
        return ""
    name = f"{played.opening.eco} {played.opening.name}"
    if played.left is None:
        return name
    return f"{name}, {theory_text(board.root(), board.move_stack, played)}"


def first_half(board: chess.Board) -> int:
    """The number of the first single move: 0 for White's first, 1 for Black's."""
    root = board.root()
    return 2 * (root.fullmove_number - 1) + (root.turn == chess.BLACK)


def destinations(board: chess.Board) -> dict[str, list[str]]:
    """Squares by square; castling is a move of the king to the rook, and in usual chess by two squares."""
    destinations: dict[str, list[str]] = {}
    for move in board.legal_moves:
        spellings = {board.uci(move, chess960=True)[:4], board.uci(move)[:4]}
        for spelled in sorted(spellings):
            squares = destinations.setdefault(spelled[:2], [])
            if spelled[2:] not in squares:
                squares.append(spelled[2:])
    return destinations


def promotions(board: chess.Board) -> list[str]:
    """The moves, by their two squares, for which a piece must be chosen."""
    return sorted({move.uci()[:4] for move in board.legal_moves if move.promotion})
