"""Opening books out of games: what was played, how often, and with what success.

A move weighs two for a win of the side that plays it and one for a draw, as in other Polyglot books.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TextIO

import chess
import chess.pgn
import chess.polyglot

from engine.system.files import write_whole

_ENTRY: Final = struct.Struct(">QHHI")  # key, move, weight, learn
_MOST_WEIGHT: Final = 0xFFFF
_POINTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0, "*": 1}  # White's; an open game is a draw
_PROMOTIONS: Final = {chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}


@dataclass(slots=True)
class Record:
    """How often a move was played, and its half points for the side that played it."""

    games: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Filters:
    """What goes into a book."""

    plies: int = 40  # of each game
    games: int = 2  # in which a move must have been played
    score: float = 0.0  # per cent of the points that it must have made
    rating: int = 0  # of both players; those without one count as 0


@dataclass(slots=True)
class Collection:
    """Moves out of games, by position."""

    filters: Filters
    games: int = 0  # that were used
    passed_over: int = 0  # by a filter, or of another variant
    damaged: int = 0  # that were not readable to the end, and are not used
    moves: dict[int, dict[int, Record]] = field(default_factory=dict)

    def read(self, file: TextIO, heard: Callable[[int], None] = lambda count: None) -> None:
        """Add the games of a PGN file; `heard` gets the number of games read so far."""
        count = 0
        while walk := chess.pgn.read_game(file, Visitor=lambda: _Walk(self.filters)):
            count += 1
            if walk.damaged:
                self.damaged += 1
            elif walk.unwanted or not walk.played:
                self.passed_over += 1
            else:
                self.games += 1
                self._add(walk)
            heard(count)

    def _add(self, walk: _Walk) -> None:
        seen = set()
        for key, move, turn in walk.played:
            if (key, move) in seen:  # a game counts once, though it may repeat itself
                continue
            seen.add((key, move))
            record = self.moves.setdefault(key, {}).setdefault(move, Record())
            record.games += 1
            record.points += walk.points if turn == chess.WHITE else 2 - walk.points

    def entries(self) -> list[tuple[int, int, int]]:
        """(key, move, weight) of all that passes the filters, in the order of the format."""
        found = []
        for key in sorted(self.moves):
            fine = {
                move: record.points
                for move, record in self.moves[key].items()
                if record.games >= self.filters.games
                and record.points
                and 50 * record.points >= self.filters.score * record.games
            }
            heaviest = max(fine.values(), default=0)
            for move, points in sorted(fine.items(), key=lambda item: (-item[1], item[0])):
                if heaviest > _MOST_WEIGHT:
                    points = max(1, points * _MOST_WEIGHT // heaviest)
                found.append((key, move, points))
        return found


class _Walk(chess.pgn.BaseVisitor["_Walk"]):
    """The moves of one game as the book spells them, without its variations."""

    def __init__(self, filters: Filters) -> None:
        self._filters = filters
        self._result = "*"
        self._ratings = {"WhiteElo": 0, "BlackElo": 0}
        self._plies = 0
        self.played: list[tuple[int, int, chess.Color]] = []
        self.points = 1
        self.damaged = self.unwanted = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if tagname == "Result":
            self._result = tagvalue
        elif tagname in self._ratings and tagvalue.isascii() and tagvalue.isdigit():
            self._ratings[tagname] = int(tagvalue[:5])
        elif tagname == "Variant" and tagvalue.lower() not in ("standard", "chess", ""):
            self.unwanted = True

    def end_headers(self) -> chess.pgn.SkipType | None:
        if self.unwanted or min(self._ratings.values()) < self._filters.rating:
            self.unwanted = True
            return chess.pgn.SKIP
        return None

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self._plies += 1
        if self._plies <= self._filters.plies and move:
            key = chess.polyglot.zobrist_hash(board)
            self.played.append((key, raw_move(board, move), board.turn))

    def visit_result(self, result: str) -> None:
        if self._result == "*":
            self._result = result

    def handle_error(self, error: Exception) -> None:
        self.damaged = True

    def result(self) -> _Walk:
        self.points = _POINTS.get(self._result, 1)
        return self


def raw_move(board: chess.Board, move: chess.Move) -> int:
    """The 16 bits of a legal move of ordinary chess: to, from, promotion; castling takes the rook."""
    to_square = move.to_square
    if board.is_castling(move):
        file = 7 if board.is_kingside_castling(move) else 0
        to_square = chess.square(file, chess.square_rank(move.from_square))
    promotion = _PROMOTIONS[move.promotion] if move.promotion else 0
    return promotion << 12 | move.from_square << 6 | to_square


def write(path: Path, entries: list[tuple[int, int, int]]) -> None:
    """Write a book of keys, moves and weights; raises FileProblem."""
    write_whole(path, b"".join(_ENTRY.pack(*entry, 0) for entry in entries))
