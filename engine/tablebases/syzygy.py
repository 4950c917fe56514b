"""Looking into Syzygy tables, in a process of its own.

python-chess can loop for ever in a damaged file. `tablebase.py` asks through a `Worker`.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

_TRIALS: Final = 3  # positions looked up in each table when it is opened
_TRIAL_SECONDS: Final = 1.5  # for all of them together

_WON: Final = 2  # a WDL value: 2 won, 1 won but for the 50-move rule, 0 drawn, and so on down to -2

_tables = chess.syzygy.Tablebase()  # of this process


class DamagedTableError(ValueError):
    """What the tables say cannot be true."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What is in the folders."""

    files: int
    men: int  # on the board, at most
    damaged: tuple[str, ...]  # names of files that are not used
    unreadable: tuple[str, ...]  # folders


@dataclass(frozen=True, slots=True)
class Probed:
    """A legal move: `wdl` and `dtz` are what it leads to, from the view of who plays it.

    `dtz` counts plies, the move included, up to the next capture or pawn move on the way to the
    result; it is 0 for a draw and None if there is no such table.
    """

    move: str
    wdl: int
    dtz: int | None


def open_tables(folders: tuple[str, ...]) -> ProbeResult:
    """Use the tables in these folders instead of those before."""
    global _tables  # the worker is called function by function, and this is what it remembers
    _tables.close()
    _tables = chess.syzygy.Tablebase()
    unreadable = []
    for folder in folders:
        try:
            _tables.add_directory(folder)
        except (OSError, ValueError):
            unreadable.append(folder)
    damaged = _try_all()
    # A table stands under two names, for either colour.
    files = [{Path(table.path) for table in kind.values()} for kind in (_tables.wdl, _tables.dtz)]
    men = max((len(name) - 1 for name in _tables.wdl), default=0)  # "KQvK"
    return ProbeResult(len(files[0] | files[1]), men, tuple(damaged), tuple(unreadable))


def _try_all() -> list[str]:
    """Look up some positions in every table, as far as time allows; those that fail are let go."""
    damaged = []
    until = time.monotonic() + _TRIAL_SECONDS
    dice = random.Random(1)  # noqa: S311
    for kind in (_tables.wdl, _tables.dtz):
        for table in sorted(set(kind.values()), key=lambda table: table.path):
            name = Path(table.path).name
            try:
                for _ in range(_TRIALS if time.monotonic() < until else 0):
                    _try(table, _random_board(name, dice))
            except Exception:
                damaged.append(name)
                for key in (table.key, table.mirrored_key):
                    kind.pop(key, None)
    return damaged


def _try(table: chess.syzygy.Table, board: chess.Board) -> None:
    """Look a position up; raises whatever python-chess raises if the table is damaged."""
    if isinstance(table, chess.syzygy.WdlTable):
        if not -2 <= table.probe_wdl_table(board) <= 2:
            raise DamagedTableError(table.path)
    elif isinstance(table, chess.syzygy.DtzTable):
        table.probe_dtz_table(board, _WON)


def _random_board(name: str, dice: random.Random) -> chess.Board:
    """A sound position with the pieces of a table's name, such as "KQvKR.rtbw"."""
    white, _, black = name.partition(".")[0].partition("v")
    men = [chess.Piece.from_symbol(letter) for letter in white]
    men += [chess.Piece.from_symbol(letter.lower()) for letter in black]
    while True:
        board = chess.Board(None)
        board.turn = dice.random() < 0.5
        for square, piece in zip(dice.sample(range(64), len(men)), men, strict=True):
            board.set_piece_at(square, piece)
        if board.is_valid():
            return board


def probe(board: chess.Board) -> tuple[Probed, ...] | None:
    """All legal moves, or None if a table is missing. The worth of `board` is that of its best move.

    Raises DamagedTableError, and whatever python-chess raises, if a table is damaged.
    """
    try:
        found = tuple(_probe_move(board, move) for move in board.legal_moves)
        worth = _tables.probe_wdl(board)
    except chess.syzygy.MissingTableError:
        return None
    if found and max(move.wdl for move in found) != worth:
        raise DamagedTableError("a position is not worth what its best move is worth")
    return found


def _probe_move(board: chess.Board, move: chess.Move) -> Probed:
    zeroing = board.is_zeroing(move)
    after = board.copy(stack=False)
    after.push(move)
    if after.is_checkmate():
        return Probed(move.uci(), _WON, 1)
    wdl = -_tables.probe_wdl(after)
    if not wdl or after.is_stalemate():
        return Probed(move.uci(), 0, 0)
    if zeroing:
        dtz: int | None = {2: 1, 1: 101, -1: -101, -2: -1}[wdl]
    else:
        try:
            beyond = -_tables.probe_dtz(after)
        except chess.syzygy.MissingTableError:
            return Probed(move.uci(), wdl, None)
        dtz = beyond + (1 if wdl > 0 else -1)
        if beyond * wdl <= 0:
            raise DamagedTableError("the tables contradict each other")
    return Probed(move.uci(), wdl, dtz)
