"""Positions to label, one after the other: lines of FEN or EPD, or the games of a PGN file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

import chess

from cli.analysis.reading import InputGame, read_games
from engine.soundness import why_unfit
from engine.system.files import FileProblem, open_file
from perft.suite import is_chess960

STANDARD_INPUT: Final = "-"
_LARGEST: Final = 1 << 36  # bytes
_LONGEST: Final = 10_000  # bytes of a line
_BYTE_ORDER_MARK: Final = "\ufeff"
_MOST_FIELDS: Final = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A position, or what should be one: where it stands, its text, and what was wrong before that."""

    place: str  # the number of the line, or game and ply as 3.17
    text: str
    problem: str = ""


def read(source: str) -> Iterator[Entry]:
    """The positions of a file, or of standard input if that is `-`; raises FileProblem.

    A file is PGN if that is how its name ends, or if its first line is a tag. Empty lines and those that
    begin with # are passed over.
    """
    if source == STANDARD_INPUT:
        yield from _of_lines(sys.stdin.buffer)
        return
    with open_file(source, _LARGEST) as file:
        is_pgn = source.lower().endswith(".pgn") or next(_of_lines(file), _NONE).text[:1] == "["
        if not is_pgn:
            file.seek(0)
            yield from _of_lines(file)
            return
    for game in read_games(Path(source)):
        yield from _of_game(game)


_NONE: Final = Entry("", "")


def _of_lines(file: BinaryIO) -> Iterator[Entry]:
    number = 0
    try:
        while line := file.readline(_LONGEST + 1):
            number += 1
            if len(line) > _LONGEST:
                while line and not line.endswith(b"\n"):
                    line = file.readline(_LONGEST)
                yield Entry(str(number), "", f"more than {_LONGEST} characters")
                continue
            text = line.decode("utf-8", "replace").strip()
            if number == 1:
                text = text.removeprefix(_BYTE_ORDER_MARK)
            if text and text[0] != "#":
                yield Entry(str(number), text)
    except OSError as problem:
        raise FileProblem(f"line {number + 1}: {problem.strerror}") from None


def _of_game(entry: InputGame) -> Iterator[Entry]:
    """Each position of the main line, the first and the last too; what is wrong comes after them."""
    if entry.analysable:
        board = entry.game.board()
        for move in [None, *entry.game.mainline_moves()]:
            if move:
                board.push(move)
            fen = board.fen(shredder=board.chess960, en_passant="fen")
            yield Entry(f"{entry.number}.{board.ply() - entry.game.board().ply()}", fen)
    for problem in entry.problems:
        yield Entry(str(entry.number), "", f"line {entry.line}: {problem}")


def blocks(entries: Iterator[Entry], size: int) -> Iterator[list[Entry]]:
    """The entries, so many at a time."""
    while block := list(islice(entries, size)):
        yield block


def careful(text: str) -> tuple[chess.Board, str, str]:
    """The board of a line, its FEN as it stands there, and the operations of EPD that follow.

    Raises ValueError, with the reason, if it is not a position that the engine can play.
    """
    fields = text.split(None, _MOST_FIELDS)
    if len(fields) < 4:
        raise ValueError("not a position in FEN or EPD")
    counted = len(fields) > 5 and fields[4].isdigit() and fields[5].isdigit()
    used = _MOST_FIELDS if counted else 4
    fen = " ".join(fields[:used])
    board = chess.Board(fen, chess960=is_chess960(fen))
    if reason := why_unfit(board):
        raise ValueError(f"illegal position: {reason}")
    parts = text.split(None, used)
    return board, fen, parts[used] if len(parts) > used else ""
