"""Positions to label, one after the other: lines of FEN or EPD, or the games of a PGN file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeAlias

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
_LEADING: Final = 1000  # remarks that may come before the first position or tag


class Entry(NamedTuple):
    """A position, or what should be one: where it stands, its text, and what was wrong before that."""

    place: str  # the number of the line, or game and ply as 3.17
    text: str
    problem: str = ""


# What is read: a line as it is in the file, which whoever labels it takes to pieces, or a position of a game.
Item: TypeAlias = bytes | Entry


class Block(NamedTuple):
    """Some items in a row; the first has this number, from 0."""

    first: int
    items: list[Item]

    def entries(self) -> list[Entry]:
        """The positions among them; empty lines and those that begin with # are none."""
        found = []
        for number, item in enumerate(self.items, start=self.first + 1):
            if isinstance(item, Entry):
                found.append(item)
            elif len(item) > _LONGEST:
                found.append(Entry(str(number), "", f"more than {_LONGEST} characters"))
            elif (text := _text(item)) and text[0] != "#":
                found.append(Entry(str(number), text))
        return found


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().removeprefix(_BYTE_ORDER_MARK)


def read(source: str) -> Iterator[Item]:
    """What is in a file, or in standard input if that is `-`; nothing if it holds no position at all.

    A file is PGN if that is how its name ends, or if its first line is a tag. Raises FileProblem.
    """
    if source == STANDARD_INPUT:
        yield from _lines(sys.stdin.buffer)
        return
    with open_file(source, _LARGEST) as file:
        is_pgn = source.lower().endswith(".pgn") or _begins_with_tag(file)
        if not is_pgn:
            file.seek(0)
            yield from _lines(file)
            return
    for game in read_games(Path(source)):
        yield from _of_game(game)


def _begins_with_tag(file: BinaryIO) -> bool:
    entries = Block(0, list(islice(_lines(file), _LEADING))).entries()
    return bool(entries) and entries[0].text[:1] == "["


def _lines(file: BinaryIO) -> Iterator[Item]:
    """The lines; none where all are empty or remarks. A line that is too long is cut."""
    number = 0
    waiting: list[Item] | None = []
    try:
        while line := file.readline(_LONGEST + 1):
            number += 1
            rest = line
            while len(rest) > _LONGEST and not rest.endswith(b"\n"):
                rest = file.readline(_LONGEST + 1)
            if waiting is None:
                yield line
                continue
            waiting.append(line)
            if Block(0, [line]).entries():
                yield from waiting
                waiting = None
    except OSError as problem:
        raise FileProblem(f"line {number + 1}: {problem.strerror}") from None


def _of_game(entry: InputGame) -> Iterator[Item]:
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


def blocks(items: Iterator[Item], size: int, first: int = 0) -> Iterator[Block]:
    """The items, so many at a time; the first has the number `first`."""
    while part := list(islice(items, size)):
        yield Block(first, part)
        first += len(part)


def careful(text: str) -> tuple[chess.Board, str, str]:
    """The board of a line, its FEN as it stands there, and the operations of EPD that follow.

    Raises ValueError, with the reason, if it is not a position that the engine can play.
    """
    fields = text.split(None, _MOST_FIELDS)
    if len(fields) < 4:
        raise ValueError("not a position in FEN or EPD")
    used = 4
    while used < min(len(fields), _MOST_FIELDS) and fields[used].isdigit():
        used += 1  # a counter of moves; some write the first alone
    fen = " ".join(fields[:used])
    board = chess.Board(fen, chess960=is_chess960(fen))
    if reason := why_unfit(board):
        raise ValueError(f"illegal position: {reason}")
    parts = text.split(None, used)
    return board, fen, parts[used] if len(parts) > used else ""
