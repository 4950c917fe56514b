"""Reads the positions to label: lines of FEN or EPD, or the games of a PGN file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from boomslang.core.system.files import FileError, open_file, quote_path
from boomslang.engine.labels.columns import MAX_LINE
from boomslang.engine.notation.pgn import InputGame, read_games
from boomslang.engine.notation.positions import tidy
from boomslang.engine.notation.text import MAX_BYTES, byte_lines, decode

STANDARD_INPUT: Final = "-"
_LEADING: Final = 1000  # comment lines before the first position or tag


class LabelEntry(NamedTuple):
    """A position: its place in the input, its text, and the reason if it is invalid."""

    place: str  # the number of the line, or game and ply as 3.17; of errors always the line
    text: str
    problem: str = ""


# An item is a raw line, which the labeller parses, or a position of a game.
RawPosition: TypeAlias = bytes | LabelEntry


class LabelBlock(NamedTuple):
    """Consecutive items; `first` is the number of the first, from 0."""

    first: int
    items: list[RawPosition]

    def entries(self) -> list[LabelEntry]:
        """The positions; empty lines and lines that begin with # are skipped."""
        found = []
        for number, item in enumerate(self.items, start=self.first + 1):
            if isinstance(item, LabelEntry):
                found.append(item)
            elif len(item) > MAX_LINE:
                found.append(LabelEntry(str(number), "", f"more than {MAX_LINE} characters"))
            elif (text := _text(item)) and text[0] != "#":
                found.append(LabelEntry(str(number), text))
        return found


def _text(line: bytes) -> str:
    return tidy(decode(line).strip())


def read(source: str) -> Iterator[RawPosition]:
    """The items of a file, or of standard input if the source is `-`; none if it holds no position.

    A file is PGN if its name ends so, or if its first line is a tag. Raises FileError.
    """
    if source == STANDARD_INPUT:
        yield from _lines(sys.stdin.buffer)
        return
    with open_file(source, MAX_BYTES) as file:
        if not is_pgn(source):
            try:
                yield from _lines(file)
            except FileError as problem:
                raise FileError(f"cannot read {quote_path(source)}: {problem}") from None
            return
    for game in read_games(source, main_line=True):
        yield from _of_game(game)


def is_pgn(source: Path | str) -> bool:
    """True for a PGN file, by its name or its beginning. Raises FileError."""
    if str(source).lower().endswith(".pgn"):
        return True
    with open_file(source, MAX_BYTES) as file:
        first = next(iter(LabelBlock(0, list(islice(_lines(file), _LEADING))).entries()), None)
    return first is not None and (first.text[:1] in ("[", "{") or first.text[:2] == "1.")


def _lines(file: BinaryIO) -> Iterator[RawPosition]:
    """The lines, or none if all are empty or comments. Overlong lines are cut."""
    number = 0
    waiting: list[RawPosition] | None = []
    try:
        for line in byte_lines(file, MAX_LINE, whole=False):
            number += 1
            if waiting is None:
                yield line
                continue
            waiting.append(line)
            if LabelBlock(0, [line]).entries():
                yield from waiting
                waiting = None
    except OSError as problem:
        raise FileError(f"line {number + 1}: {problem.strerror}") from None


def _of_game(entry: InputGame) -> Iterator[RawPosition]:
    """All positions of the main line, then an entry for the errors of the game, if any."""
    if entry.analysable:
        board = entry.game.board()
        for move in [None, *entry.game.mainline_moves()]:
            if move is not None:  # null moves included
                board.push(move)
            fen = board.fen(shredder=board.chess960, en_passant="fen")
            yield LabelEntry(f"{entry.number}.{board.ply() - entry.game.board().ply()}", fen)
    if entry.problems:
        reason = f"game {entry.number}: {'; '.join(entry.problems)}"
        yield LabelEntry(str(entry.line), "", reason)


def blocks(items: Iterator[RawPosition], size: int, first: int = 0) -> Iterator[LabelBlock]:
    """The items in blocks of `size`; the first has the number `first`."""
    while part := list(islice(items, size)):
        yield LabelBlock(first, part)
        first += len(part)
