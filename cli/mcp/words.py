"""Positions, scores and lines in words that may be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import chess
from chess.engine import Cp, Score

from boomslang.cli.mcp.reading import over_words
from boomslang.cli.mcp.results import Data
from boomslang.engine.analysis.assessment import san_line
from boomslang.engine.analysis.export import score_data
from boomslang.engine.analysis.openings.table import NamedOpening, find_played_opening, openings
from boomslang.engine.analysis.reasons.candidate import line_words
from boomslang.engine.analysis.win_percent import State, state_of, win_chance
from boomslang.engine.limits import Info

SCALE: Final = (
    "Scores are in pawns from White's view. #3 is mate in 3 by White, #-3 by Black. Chances count a draw as "
    "half, and are those of people with such a score, by the curve of Lichess."
)
_MAX_LINE: Final = 10  # plies of a line that is quoted
# From White's view. These are the words of the reasons too.
_STATES: Final = {
    State.LOST: "Black is winning",
    State.WORSE: "Black is better",
    State.LEVEL: "level",
    State.BETTER: "White is better",
    State.WON: "White is winning",
}


def head(board: chess.Board) -> Iterator[str]:
    """The first lines of an answer: the position, whose turn it is, and its opening."""
    yield f"FEN: {board.fen(shredder=board.chess960)}"
    over = over_words(board)
    yield f"The game is over: {over}." if over else f"{side(board.turn)} to move."
    yield from claims(board)
    if name := opening_name(board):
        yield f"Opening: {name}."


def head_data(board: chess.Board) -> Data:
    """The same as data."""
    return {
        "fen": board.fen(shredder=board.chess960),
        "turn": side(board.turn),
        "over": over_words(board) or None,
        "claims": [*claims(board)],
        "opening": opening_name(board) or None,
    }


def claims(board: chess.Board) -> Iterator[str]:
    """The draws that can be claimed, for the search looks for a move all the same."""
    if board.is_game_over():
        return
    if board.halfmove_clock >= 100:
        yield "The fifty-move rule allows to claim a draw."
    if board.is_repetition(3):
        yield "The position has occurred three times: a draw can be claimed."


def side(colour: chess.Color) -> str:
    """White or Black."""
    return "White" if colour else "Black"


def opening_name(board: chess.Board) -> str:
    """The name of the position, or the last one that its game has had; empty without any."""
    opening = openings().get(board.epd())
    if opening is None:
        played = find_played_opening(board.root(), board.move_stack)
        opening = played.opening if played else None
    return opening_words(opening) or ""


def opening_words(opening: NamedOpening | None) -> str | None:
    """The name and code of an opening, if there is one."""
    return f"{opening.name} ({opening.eco})" if opening else None


def score_words(score: Data) -> str:
    """A score in pawns, or in moves to mate."""
    return f"#{score['mate'] or ''}" if "mate" in score else f"{score['cp'] / 100:+.2f}"


def verdict(line: Data) -> str:
    """A score in numbers and words, with White's chances; a mate needs none."""
    if "mate" in line:
        words = f"{side(line['mate'] > 0)} mates in {abs(line['mate'])}"
    else:
        chance = line["white_chance"]
        words = f"{_STATES[state_of(chance)]}; White's chances {chance} %"
    people = f"; {line['people']:g} % of such players play it" if "people" in line else ""
    return f"{score_words(line)} ({words}{people})"


def score_fields(score: Score, colour: chess.Color, line: Info, nodes: int) -> Data:
    """A score of `colour` to move as data, with the search of so many nodes that has found it."""
    fields = score_data(score, colour)
    if "cp" in fields:
        fields["white_chance"] = round(win_chance(Cp(fields["cp"])))
    return fields | {"depth": line.depth, "nodes": nodes}


def line_data(board: chess.Board, line: Info, nodes: int) -> Data:
    """A line from this board, with its score."""
    moves = {"san": san_line(board, line.pv), "uci": [move.uci() for move in line.pv]}
    return moves | score_fields(line.score.to_chess(), board.turn, line, nodes)


def quoted_line(board: chess.Board, line: Sequence[chess.Move]) -> str:
    """The first moves of a line in SAN, with numbers."""
    return line_words(board, line[:_MAX_LINE]) + (" ..." if len(line) > _MAX_LINE else "")


def percent(share: float) -> float:
    """A share from 0 to 1 in per cent, as it is told."""
    return round(100 * share, 1)


def count(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"
