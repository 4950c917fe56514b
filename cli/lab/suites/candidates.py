"""Candidate positions for tactics, from PGN files and game files of `boomslang datagen`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np

from boomslang.core.board.constants import NO_SQUARE
from boomslang.core.system.files import open_file
from boomslang.core.system.sanitize import printable
from boomslang.engine.learning.data.game_encoding import ALL, FIT
from boomslang.engine.learning.data.game_files import MAGIC, DamagedBlock, GameFileReader
from boomslang.engine.learning.data.game_reader import GameReader
from boomslang.engine.learning.data.records import CHESS960, IN_SIDELINE
from boomslang.engine.notation.pgn import read_games

_MAX_BYTES: Final = 1 << 36  # bytes
_FROM_PLY: Final = 12  # openings give no tactics
_SWING: Final = 120  # centipawns between two quiet positions
_NEAR: Final = 8  # plies between these, at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position of a game, and its place."""

    fen: str
    chess960: bool
    game: str
    ply: int  # half moves since the start


def describe(path: Path) -> str:
    """A line that describes a file of games; raises FileError."""
    if not is_self_play(path):
        return f"{path.name}, PGN"
    with GameFileReader(path) as walk:
        header = walk.header
    settings = ", ".join(f"{name} {value}" for name, value in sorted(header.items()))
    return f"{path.name}, self-play games of boomslang datagen: {settings}"


def candidates(path: Path, report: Callable[[object], None]) -> Iterator[Candidate]:
    """The candidates of a file, game after game; raises FileError.

    For games of `boomslang datagen`, kernels must be loaded; `report` gets their damage.
    """
    return _of_self_play(path, report) if is_self_play(path) else _of_pgn(path, report)


def is_self_play(path: Path) -> bool:
    """True if these are games of `boomslang datagen`; raises FileError."""
    with open_file(path, _MAX_BYTES) as file:
        return file.read(len(MAGIC)) == MAGIC


def _of_pgn(path: Path, report: Callable[[object], None]) -> Iterator[Candidate]:
    for entry in read_games(path, main_line=True):
        for problem in entry.messages:
            report(f"{path}:{entry.line}: game {entry.number}: {printable(problem)}")
        if not entry.analysable:
            continue
        board = entry.game.board()
        for move in entry.game.mainline_moves():
            if not move:
                break  # the rest after a null move is no game
            board.push(move)
            if board.ply() >= _FROM_PLY:
                yield _candidate(board, f"{path.name} game {entry.number}", board.ply())


def _of_self_play(path: Path, report: Callable[[DamagedBlock], None]) -> Iterator[Candidate]:
    """Positions where the score changes between two quiet positions: the tactic lies between them."""
    for _, records in GameReader([path], report).in_order(ALL):
        starts = np.flatnonzero(np.diff(records["game"], prepend=-1))
        for game in np.split(records, starts[1:]):
            game = game[game["traits"] & IN_SIDELINE == 0]
            plies = _choose_plies(game)
            rooks = _rooks(_pieces(game[0]))
            for record in game[np.isin(game["ply"], list(plies))]:
                name = f"{path.name} game {record['game']}"
                yield _candidate(_board(record, rooks), name, int(record["ply"]))


def _choose_plies(game: Any) -> set[int]:
    """The plies after the quiet position before a change of the score, and at the change."""
    quiet = game[FIT.takes(game)]
    plies, scores = quiet["ply"].astype(np.int64), quiet["score"].astype(np.int64)
    swings = (np.diff(plies) <= _NEAR) & (np.abs(np.diff(scores)) >= _SWING)
    return {int(ply) for ply in (*(plies[:-1][swings] + 1), *plies[1:][swings])}


def _candidate(board: chess.Board, game: str, ply: int) -> Candidate:
    return Candidate(board.fen(shredder=board.chess960), board.chess960, game, ply)


def _pieces(record: Any) -> chess.Board:
    """A board with only the pieces of an `engine.learning.data.records.RECORD`."""
    board = chess.Board(None, chess960=bool(int(record["traits"]) & int(CHESS960)))
    for number, square in enumerate(chess.scan_forward(int(record["occupied"]))):
        code = int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15
        board.set_piece_at(square, chess.Piece(code % 6 + 1, code < 6))
    return board


def _rooks(start: chess.Board) -> tuple[int, ...]:
    """The start squares of the rooks as bitboards: White's, king side first, then Black's."""
    rooks = []
    for colour in (chess.WHITE, chess.BLACK):
        queen_side, king_side = start.pieces(chess.ROOK, colour)
        rooks += [chess.BB_SQUARES[king_side], chess.BB_SQUARES[queen_side]]
    return tuple(rooks)


def _board(record: Any, rooks: tuple[int, ...]) -> chess.Board:
    """The position of a RECORD in a game that began with these rooks."""
    board = _pieces(record)
    board.turn = not record["side"]
    rights = int(record["castling"])
    board.castling_rights = sum(rook for bit, rook in enumerate(rooks) if rights >> bit & 1)
    board.ep_square = None if record["ep"] == NO_SQUARE else int(record["ep"])
    board.halfmove_clock = int(record["halfmoves"])
    board.fullmove_number = int(record["ply"]) // 2 + 1
    return board
