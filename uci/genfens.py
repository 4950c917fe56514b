"""The command `genfens`: random openings, with which OpenBench begins games that are to be training data.

    boomslang "genfens N seed S book None|FILE" "quit"

It waits for each for 15 seconds at most, which is less than a first start takes to compile the kernels. So
all of this is plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import BinaryIO, Final

import chess

from boomslang.core.system.files import FileError, open_file, quote_path
from boomslang.engine.boards import play_randomly
from boomslang.engine.errors import CommandError
from boomslang.engine.notation.positions import read_line, tidy
from boomslang.engine.notation.text import MAX_BYTES, decode
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures
from boomslang.engine.textbook.chess_game import ChessGame, captures_first
from boomslang.engine.textbook.quiescence import quiesce
from boomslang.uci.parse import GenfensCommand

_MAX_IMBALANCE: Final = 150  # centipawns that the random plies together may win or lose
_MAX_EXCHANGE: Final = 8  # plies
_MAX_LINE: Final = 4096  # bytes
_MAX_ATTEMPTS: Final = 1000  # for one opening, or for one position of a book

Start = Callable[[random.Random], chess.Board]


def openings(command: GenfensCommand) -> Iterator[str]:
    """The FENs of the openings, all of which depend on seed and book alone; raises CommandError.

    Each follows from the start position, or from one of the book, by 8 or 9 random plies that keep the
    balance of material.
    """
    with _starts(command.book) as start:
        for number in range(command.count):
            board = _find(start, random.Random(f"{command.seed} {number}"))  # noqa: S311
            yield board.fen(shredder=board.chess960)


def _find(start: Start, source: random.Random) -> chess.Board:
    for _ in range(_MAX_ATTEMPTS):
        board = start(source)
        before = _value(board)
        play_randomly(board, source)
        if not board.is_game_over() and abs(_value(board) - before) <= _MAX_IMBALANCE:
            return board
    raise CommandError("genfens: random moves leave no game that could still be played")


def _value(board: chess.Board) -> float:
    """Centipawns for White after all exchanges, of material and little more."""
    plan: AlphaBetaFeatures[ChessGame] = AlphaBetaFeatures(order=captures_first)
    value = quiesce(ChessGame(board), plan, -inf, inf, _MAX_EXCHANGE).value
    return value if board.turn else -value


@contextmanager
def _starts(book: str) -> Iterator[Start]:
    """A function that chooses the position to begin with; raises CommandError."""
    if not book:
        yield lambda source: chess.Board()
        return
    try:
        with open_file(book, MAX_BYTES) as file:
            yield lambda source: _choose(file, book, source)
    except (FileError, OSError) as problem:
        raise CommandError(f"genfens: {problem}") from None


def _choose(file: BinaryIO, book: str, source: random.Random) -> chess.Board:
    """A position of a book, which is not read as a whole: it may have millions of lines."""
    size = file.seek(0, 2)
    for _ in range(_MAX_ATTEMPTS if size else 0):
        file.seek(source.randrange(size))
        file.readline(_MAX_LINE)  # the rest of a line
        line = file.readline(_MAX_LINE)
        if not line:  # that was the last
            file.seek(0)
            line = file.readline(_MAX_LINE)
        try:
            board = read_line(tidy(decode(line).strip()))[0]
        except ValueError:
            continue
        if not board.is_game_over():
            return board
    raise CommandError(f"genfens: no position in FEN or EPD found in {quote_path(book)}")
