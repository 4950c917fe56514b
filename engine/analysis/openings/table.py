"""The table of named openings, and the opening of a game.

The table is the collection of https://github.com/lichess-org/chess-openings, in the public domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import chess
import chess.pgn

_MAX_PLIES: Final = 40  # plies; the longest line of the table has 36


@dataclass(frozen=True, slots=True)
class NamedOpening:
    """A named opening."""

    eco: str  # code of the Encyclopaedia of Chess Openings, A00 to E99
    name: str  # English, from the general to the particular

    @property
    def family(self) -> str:
        """The name without its variations."""
        return self.name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class PlayedOpening:
    """The opening of a game: its last position that the table names."""

    opening: NamedOpening
    ply: int  # half-moves up to that position
    left: int | None  # index of the first move after it; None if the game ends there


@cache
def openings() -> Mapping[str, NamedOpening]:
    """All openings by position, as `chess.Board.epd` writes it."""
    openings_by_epd: dict[str, NamedOpening] = {}
    text = (resources.files("boomslang.engine.analysis.openings") / "openings.tsv").read_text(
        "utf-8"
    )
    for line in text.splitlines():
        if not line.startswith("#"):
            eco, name, position = line.split("\t")
            openings_by_epd[position] = NamedOpening(eco, name)
    return openings_by_epd


def opening_of(game: chess.pgn.Game) -> PlayedOpening | None:
    """The opening of the main line, as `find_played_opening` finds it."""
    if not game.variations:
        return None  # perhaps a game of another variant, whose board cannot be made
    return find_played_opening(game.board(), list(game.mainline_moves()))


def find_played_opening(start: chess.Board, moves: Sequence[chess.Move]) -> PlayedOpening | None:
    """The opening that the moves reach, by position, so that transpositions are found; None without one."""
    table = openings()
    board = start.copy(stack=False)
    last_opening: PlayedOpening | None = None
    for ply, move in enumerate(moves[:_MAX_PLIES], start=1):
        board.push(move)
        if opening := table.get(board.epd()):
            last_opening = PlayedOpening(opening, ply, ply if ply < len(moves) else None)
    return last_opening


def theory_text(start: chess.Board, moves: Sequence[chess.Move], played: PlayedOpening) -> str:
    """Where the moves leave the table: "out of book with 6. h3", or "in book to the end"."""
    if played.left is None:
        return "in book to the end"
    board = start.copy(stack=False)
    for move in moves[: played.left]:
        board.push(move)
    dots = "." if board.turn else "..."
    return f"out of book with {board.fullmove_number}{dots} {board.san(moves[played.left])}"


def theory_of(game: chess.pgn.Game, played: PlayedOpening) -> str:
    """`theory_text` of the main line."""
    return theory_text(game.board(), list(game.mainline_moves()), played)
