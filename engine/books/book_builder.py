"""Opening books from games: the moves that were played, how often, and with what success.

The weight of a move is two for a win of its side and one for a draw, as in other Polyglot books.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from typing import Final

import chess
import chess.polyglot
import numpy as np

from boomslang.core.system.files import write_whole
from boomslang.engine.books.book_settings import BookSettings
from boomslang.engine.games.columns import Games

_ENTRY: Final = struct.Struct(">QHHI")  # key, move, weight, learn
_MAX_WEIGHT: Final = 0xFFFF
_PROMOTIONS: Final = {chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}


@dataclass(slots=True)
class MoveStatistics:
    """How often a move was played, and its half points for the side that played it."""

    games: int = 0
    points: int = 0


@dataclass(slots=True)
class Collection:
    """Moves from games, by position."""

    filters: BookSettings
    games: int = 0  # used games
    passed_over: int = 0  # filtered out, or of another variant
    damaged: int = 0  # unreadable games, which are not used
    moves: dict[int, dict[int, MoveStatistics]] = field(default_factory=dict)

    def read(self, games: Games) -> list[int]:
        """Add games; returns the indices of those whose moves cannot be read to the end, and are not used."""
        damaged = []
        lowest = np.minimum(games["white_elo"], games["black_elo"])
        wanted = ((lowest >= self.filters.min_rating) & ~games["chess960"]).tolist()
        for index, points in enumerate(games["result"].tolist()):
            if wanted[index] and games["odd"][index] == 2:
                damaged.append(index)
            elif wanted[index] and (played := _read_moves(games, index, self.filters.plies)):
                self.games += 1
                self._add(played, 1 if isnan(points) else int(2 * points))
            else:
                self.passed_over += 1
        self.damaged += len(damaged)
        return damaged

    def _add(self, played: list[tuple[int, int, chess.Color]], points: int) -> None:
        seen = set()
        for key, move, turn in played:
            if (key, move) in seen:  # a game counts once, even if it repeats the position
                continue
            seen.add((key, move))
            record = self.moves.setdefault(key, {}).setdefault(move, MoveStatistics())
            record.games += 1
            record.points += points if turn == chess.WHITE else 2 - points

    def entries(self) -> list[tuple[int, int, int]]:
        """(key, move, weight) of all moves that pass the filters, in the order of the format."""
        entries = []
        for key in sorted(self.moves):
            fine = {
                move: record.points
                for move, record in self.moves[key].items()
                if record.games >= self.filters.min_games
                and record.points
                and 50 * record.points >= self.filters.min_score * record.games
            }
            heaviest = max(fine.values(), default=0)
            for move, points in sorted(fine.items(), key=lambda item: (-item[1], item[0])):
                if heaviest > _MAX_WEIGHT:
                    points = max(1, points * _MAX_WEIGHT // heaviest)
                entries.append((key, move, points))
        return entries


def _read_moves(games: Games, index: int, plies: int) -> list[tuple[int, int, chess.Color]]:
    """Keys, moves in the book's encoding and their sides, up to a null move."""
    board = chess.Board(games["fen"][index] or chess.STARTING_FEN)
    moves = []
    for move in map(chess.Move.from_uci, games.uci(index)[:plies]):
        if not move:
            break
        moves.append((chess.polyglot.zobrist_hash(board), raw_move(board, move), board.turn))
        board.push(move)
    return moves


def raw_move(board: chess.Board, move: chess.Move) -> int:
    """The 16 bits of a legal move of ordinary chess: to, from, promotion; castling takes the rook."""
    to_square = move.to_square
    if board.is_castling(move):
        file = 7 if board.is_kingside_castling(move) else 0
        to_square = chess.square(file, chess.square_rank(move.from_square))
    promotion = _PROMOTIONS[move.promotion] if move.promotion else 0
    return promotion << 12 | move.from_square << 6 | to_square


def write(path: Path, entries: list[tuple[int, int, int]]) -> None:
    """Write a book of keys, moves and weights; raises FileError."""
    write_whole(path, b"".join(_ENTRY.pack(*entry, 0) for entry in entries))
