"""Positions, scores and lines in words that may be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import chess

from boomslang.cli.analysis.assessment import score_text
from boomslang.cli.analysis.openings.table import find_played_opening, openings
from boomslang.cli.analysis.reasons.candidate import line_words, moves_of
from boomslang.cli.mcp.reading import over_words
from boomslang.engine.labels.search_position import AnalysisLine

SCALE: Final = (
    "Scores are in pawns from White's view; +1.00 wins half of the games. #3 is mate in 3 by White, "
    "#-3 by Black."
)
_MAX_LINE: Final = 10  # plies of a line that is quoted
# Points that are expected, in per cent: a draw is half of one.
_STATES: Final = ((80.0, "is winning"), (65.0, "is better"), (55.0, "is slightly better"))


def head(board: chess.Board) -> Iterator[str]:
    """The first lines of an answer: the position, whose turn it is, and its opening."""
    yield f"FEN: {board.fen(shredder=board.chess960)}"
    over = over_words(board)
    yield f"The game is over: {over}." if over else f"{turn(board)} to move."
    if name := opening_name(board):
        yield f"Opening: {name}."


def turn(board: chess.Board) -> str:
    """The side to move."""
    return side(board.turn)


def side(colour: chess.Color) -> str:
    """White or Black."""
    return "White" if colour else "Black"


def opening_name(board: chess.Board) -> str:
    """The name of the position, or the last one that its game has had; empty without any."""
    found = openings().get(board.epd())
    if found is None:
        played = find_played_opening(board.root(), board.move_stack)
        found = played.opening if played else None
    return f"{found.name} ({found.eco})" if found else ""


def verdict(line: AnalysisLine, colour: chess.Color) -> str:
    """A score of `colour` to move in numbers and words, with the chances of a win, a draw and a loss."""
    shown = score_text(line.score, colour)
    if line.mate is not None:
        winner = colour if line.mate > 0 else not colour
        return f"{shown} ({side(winner)} mates in {abs(line.mate)})"
    chance = (line.wdl[0] + line.wdl[1] / 2) / 10
    ahead, chance = (colour, chance) if chance >= 50 else (not colour, 100 - chance)
    words = next((f"{side(ahead)} {words}" for least, words in _STATES if chance >= least), "equal")
    win, draw, loss = line.wdl if colour else reversed(line.wdl)
    chances = f"White wins {win / 10:.0f} %, draw {draw / 10:.0f} %, Black wins {loss / 10:.0f} %"
    return f"{shown} ({words}; {chances})"


def quoted_line(board: chess.Board, line: Sequence[str]) -> str:
    """The first moves of a line of UCI moves in SAN, with numbers."""
    moves = moves_of(line[:_MAX_LINE])
    return line_words(board, moves) + (" ..." if len(line) > _MAX_LINE else "")


def count(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"
