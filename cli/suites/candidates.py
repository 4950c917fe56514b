"""Positions of games in which there may be a tactic: from PGN files and from `boomslang datagen`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np

from cli.analysis.reading import read_games
from engine import bridge
from engine.system.files import FileProblem, open_file, shown
from eval.training.records import MAGIC, read, read_header

_LARGEST: Final = 1 << 36  # bytes
_FROM_PLY: Final = 12  # openings are not for tactics
_SWING: Final = 120  # centipawns between two records of a game, and something has happened
_NEAR: Final = 8  # plies between these records, at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position of a game, and where it is found."""

    fen: str
    chess960: bool
    game: str
    ply: int  # half moves since the start


def describe(path: Path) -> str:
    """A line on where the games are from; raises FileProblem."""
    if not _has_records(path):
        return f"{path.name}, PGN"
    with open_file(path, _LARGEST) as file:
        try:
            header = read_header(file)
        except ValueError as problem:
            raise FileProblem(f"{shown(path)}: {problem}") from None
    settings = ", ".join(f"{name} {value}" for name, value in sorted(header.items()))
    return f"{path.name}, games of the engine against itself by boomslang datagen: {settings}"


def candidates(path: Path) -> Iterator[Candidate]:
    """The candidates of a file, game after game; raises FileProblem."""
    return _of_records(path) if _has_records(path) else _of_pgn(path)


def _has_records(path: Path) -> bool:
    with open_file(path, _LARGEST) as file:
        return file.read(len(MAGIC)) == MAGIC


def _of_pgn(path: Path) -> Iterator[Candidate]:
    for entry in read_games(path):
        if not entry.analysable:
            continue
        board = entry.game.board()
        for move in entry.game.mainline_moves():
            board.push(move)
            if board.ply() >= _FROM_PLY:
                yield _candidate(board, f"{path.name} game {entry.number}", board.ply())


def _of_records(path: Path) -> Iterator[Candidate]:
    """Where the score changes: a record holds quiet moves only, so the shot is beside it."""
    records = read(path)[1]
    games, plies, scores = (records[name].astype(np.int64) for name in ("game", "ply", "score"))
    together = (games[1:] == games[:-1]) & (plies[1:] - plies[:-1] <= _NEAR)
    swings = together & (np.abs(scores[1:] - scores[:-1]) >= _SWING)
    for index in np.flatnonzero(swings):
        game = f"{path.name} game {games[index]}"
        board = _board(records[index])
        board.push(bridge.to_move(int(records[index]["move"]), board))
        yield _candidate(board, game, int(plies[index]) + 1)
        yield _candidate(_board(records[index + 1]), game, int(plies[index + 1]))


def _candidate(board: chess.Board, game: str, ply: int) -> Candidate:
    return Candidate(board.fen(shredder=board.chess960), board.chess960, game, ply)


def _board(record: Any) -> chess.Board:
    """The position of a record of `eval.training.records`; ordinary chess, as self-play is."""
    board = chess.Board(None)
    for number, square in enumerate(chess.scan_forward(int(record["occupied"]))):
        code = int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15
        board.set_piece_at(square, chess.Piece(code % 6 + 1, code < 6))
    board.turn = not record["side"]
    for index, square in enumerate((chess.H1, chess.A1, chess.H8, chess.A8)):
        if int(record["castling"]) >> index & 1:
            board.castling_rights |= chess.BB_SQUARES[square]
    board.ep_square = None if record["ep"] == 64 else int(record["ep"])
    board.halfmove_clock = int(record["halfmoves"])
    board.fullmove_number = int(record["ply"]) // 2 + 1
    return board
