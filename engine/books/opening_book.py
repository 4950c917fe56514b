"""Opening books in the Polyglot format: checked when opened, probed for moves without a search."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import chess
import chess.polyglot
import numpy as np

from boomslang.core.system.files import FileError, quote_path, read_file
from boomslang.engine.notation.validity import MAX_MOVES

ENTRY_SIZE: Final = 16  # bytes: key, move, weight, learn
MAX_BYTES: Final = 256 << 20  # bytes of a book; it is kept in memory
_MAX_PROMOTION: Final = 4  # the code of a queen, in bits 12 to 14; bit 15 is not used
DEPTH: Final = 255  # full moves: the whole book


class Book(chess.polyglot.MemoryMappedReader):
    """A whole book in memory, checked: its file may change or vanish during a game."""

    def __init__(self, path: Path | str) -> None:
        """Read a book; raises FileError if it cannot be read or is invalid."""
        data = read_file(path, MAX_BYTES)
        if not data:
            raise FileError(f"{quote_path(path)} is no opening book: it is empty")
        if len(data) % ENTRY_SIZE:
            raise FileError(f"{quote_path(path)} is no opening book, or damaged: half an entry")
        keys = np.frombuffer(data, dtype=">u8")[::2]
        if not (keys[:-1] <= keys[1:]).all():
            raise FileError(f"{quote_path(path)} is no opening book, or damaged: not in order")
        if (keys[:-MAX_MOVES] == keys[MAX_MOVES:]).any():  # each probe would read all of them
            raise FileError(f"{quote_path(path)} is damaged: too many moves for one position")
        mapped: Any = _Bytes(data)
        self.mmap = mapped

    def __getitem__(self, index: int) -> chess.polyglot.Entry:
        """An entry; bits that mean no move become the null move, which is never legal."""
        entry = super().__getitem__(index)
        is_move = entry.raw_move >> 12 <= _MAX_PROMOTION and not entry.move.drop
        return entry if is_move else entry._replace(move=chess.Move.null())

    def bad_moves(self, board: chess.Board) -> list[str]:
        """The book's illegal moves for this position, in its encoding."""
        fine = {entry.raw_move for entry in self.find_all(board, minimum_weight=0)}
        key = chess.polyglot.zobrist_hash(board)
        listed = self.find_all(key, minimum_weight=0)
        return [
            entry.move.uci() if entry.move else f"{entry.raw_move:#06x}"
            for entry in listed
            if entry.raw_move not in fine
        ]

    def reachable(self, start: chess.Board) -> Reached:
        """Follow all moves from `start`."""
        reached = Reached()
        seen = {chess.polyglot.zobrist_hash(start)}
        waiting = [start.copy(stack=False)]
        while waiting:
            board = waiting.pop()
            bad = self.bad_moves(board)
            reached.bad += [f"{move} in {board.fen()}" for move in bad]
            reached.entries += len(bad)
            for entry in self.find_all(board, minimum_weight=0):
                reached.entries += 1
                after = board.copy(stack=False)
                after.push(entry.move)
                key = chess.polyglot.zobrist_hash(after)
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)
        return reached


@dataclass(slots=True)
class Reached:
    """The entries of a book reachable by its own moves, and the illegal ones among them."""

    entries: int = 0
    bad: list[str] = field(default_factory=list)


class _Bytes(bytes):
    """Bytes with the methods of a memory map that the reader uses."""

    def size(self) -> int:
        return len(self)

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of the book, the expected reply, and the move's share of the weights."""

    best: chess.Move
    ponder: chess.Move | None
    weight: int
    total: int


class OpeningBook:
    """The book options, and the choice of a book move."""

    def __init__(self) -> None:
        self.is_used = False
        self._best_only = False
        self._depth = DEPTH
        self._book: Book | None = None
        self._complained = False

    def use(self, wanted: bool) -> None:
        """Switch the book on or off."""
        self.is_used = wanted

    def best_only(self, wanted: bool) -> None:
        """Always play the move with the highest weight, or choose at random by weight."""
        self._best_only = wanted

    def limit_to(self, full_moves: int) -> None:
        """Use the book up to this full move."""
        self._depth = full_moves

    def open(self, path: str) -> str | None:
        """Open another book, or none for an empty path; returns a message or None.

        If the book cannot be read, the one in use is kept.
        """
        try:
            book = Book(path) if path else None
        except FileError as problem:
            return f"error: no opening book: {problem}"
        self._book, self._complained = book, False
        return None if book is None else f"opening book {quote_path(path)}: {len(book)} entries"

    def complaint(self, board: chess.Board) -> str | None:
        """A message, once per book, if it has an illegal move for this position."""
        if self._complained or not self._is_for(board) or self._book is None:
            return None
        bad = self._book.bad_moves(board)
        if not bad:
            return None
        self._complained = True
        return f"error: the opening book is damaged: {bad[0]} is not legal here and is passed over"

    def move(self, board: chess.Board, seed: str) -> BookMove | None:
        """A move for this position, drawn by weight with `seed`, or the one with the highest weight.

        None of those that repeat a position the third time.
        """
        if self._book is None or not self._is_for(board):
            return None
        drawn = {entry.move for entry in self._book.find_all(board) if _repeats(board, entry.move)}
        entries = list(self._book.find_all(board, exclude_moves=drawn))
        if not entries:
            return None
        if self._best_only:
            chosen = self._book.find(board, exclude_moves=drawn)
        else:
            dice = random.Random(f"{seed} {board.epd()}")  # noqa: S311 - a game, not a secret
            chosen = self._book.weighted_choice(board, exclude_moves=drawn, random=dice)
        after = board.copy(stack=False)
        after.push(chosen.move)
        reply = self._book.get(after)
        total = sum(entry.weight for entry in entries)
        return BookMove(chosen.move, reply.move if reply else None, chosen.weight, total)

    def _is_for(self, board: chess.Board) -> bool:
        return self.is_used and board.fullmove_number <= self._depth


def _repeats(board: chess.Board, move: chess.Move) -> bool:
    """True if a legal move leads to a position that was there twice before."""
    board.push(move)
    try:
        return board.is_repetition(3)
    finally:
        board.pop()
