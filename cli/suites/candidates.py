"""Positions of games in which there may be a tactic: from PGN files and from `boomslang datagen`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np

from cli.analysis.reading import read_games
from engine import bridge
from engine.system.files import FileProblem, open_file, shown
from eval.training.files import MAGIC, Damage, NotGames, read_header
from eval.training.plies import ALL, FIT
from eval.training.reader import Reader
from eval.training.records import CHESS960

_LARGEST: Final = 1 << 36  # bytes
_FROM_PLY: Final = 12  # openings are not for tactics
_SWING: Final = 120  # centipawns between two quiet positions of a game, and something has happened
_NEAR: Final = 8  # plies between these, at most


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position of a game, and where it is found."""

    fen: str
    chess960: bool
    game: str
    ply: int  # half moves since the start


def describe(path: Path) -> str:
    """A line on where the games are from; raises FileProblem."""
    if not is_self_play(path):
        return f"{path.name}, PGN"
    with open_file(path, _LARGEST) as file:
        try:
            header = read_header(file)
        except NotGames as problem:
            raise FileProblem(f"{shown(path)}: {problem}") from None
    settings = ", ".join(f"{name} {value}" for name, value in sorted(header.items()))
    return f"{path.name}, games of the engine against itself by boomslang datagen: {settings}"


def candidates(path: Path, report: Callable[[Damage], None]) -> Iterator[Candidate]:
    """The candidates of a file, game after game; raises FileProblem.

    Where it holds games of `boomslang datagen`, kernels must be loaded; `report` is told of damage.
    """
    return _of_self_play(path, report) if is_self_play(path) else _of_pgn(path)


def is_self_play(path: Path) -> bool:
    """True if these are games of `boomslang datagen`; raises FileProblem."""
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


def _of_self_play(path: Path, report: Callable[[Damage], None]) -> Iterator[Candidate]:
    """Where the score changes from one quiet position to the next: the shot is beside it."""
    for _, records in Reader([path], report).in_order(ALL):
        starts = np.flatnonzero(np.diff(records["game"], prepend=-1))
        for game in np.split(records, starts[1:]):
            wanted = _wanted_plies(game)
            board = _start(game[0])
            for ply in range(max(wanted, default=-1) + 1):
                if ply in wanted:
                    yield _candidate(board, f"{path.name} game {game['game'][0]}", ply)
                board.push(bridge.to_move(int(game["move"][ply]), board))


def _wanted_plies(game: Any) -> set[int]:
    """After the quiet move before a change of the score, and where the change is seen."""
    quiet = game[FIT.takes(game)]
    plies, scores = quiet["ply"].astype(np.int64), quiet["score"].astype(np.int64)
    swings = (np.diff(plies) <= _NEAR) & (np.abs(np.diff(scores)) >= _SWING)
    return {int(ply) for ply in (*(plies[:-1][swings] + 1), *plies[1:][swings])}


def _candidate(board: chess.Board, game: str, ply: int) -> Candidate:
    return Candidate(board.fen(shredder=board.chess960), board.chess960, game, ply)


def _start(record: Any) -> chess.Board:
    """The position that a game began from, of its first `eval.training.records.RECORD`."""
    board = chess.Board(None, chess960=bool(int(record["traits"]) & int(CHESS960)))
    for number, square in enumerate(chess.scan_forward(int(record["occupied"]))):
        code = int(record["pieces"][number // 2]) >> 4 * (number % 2) & 15
        board.set_piece_at(square, chess.Piece(code % 6 + 1, code < 6))
    board.castling_rights = board.rooks
    return board
