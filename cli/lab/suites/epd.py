"""Positions with a task, read from EPD files.

Supported opcodes are `bm` and `am` (best moves, moves to avoid), `dm` (mate in N moves, negative: the side to
move is mated), and points for moves as in the Strategic Test Suite: c0 "Nf3=10, Rd1=4", or points in c8 and
the moves in c9 (e2e4) or c7 (SAN).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess

from boomslang.core.system.files import FileError, quote_path
from boomslang.engine.limits import Score
from boomslang.engine.notation.movetext import move_of, shape
from boomslang.engine.notation.positions import operations_of, read_line, tidy, whole_number
from boomslang.engine.notation.text import file_lines

_POINTS: Final = re.compile(r"\s*(\S[\w+=#-]*?)\s*=\s*([0-9]{1,9})\s*")
# A tag, or the first move of a game.
_PGN: Final = re.compile(r"\[\w+\s+\".*\"\]|1\s*\.\s*[a-hNBRQKO].*")
_PERFT: Final = re.compile(r";\s*D\d+\s")
_MAX_LINE: Final = 10_000  # characters of a line
_MAX_OPERATIONS: Final = 100  # python-chess takes seconds for thousands


@dataclass(frozen=True, slots=True)
class TestPosition:
    """A position and its task; moves are in UCI notation."""

    suite: str  # name of the file
    place: str  # file:line
    name: str  # the id, or the place
    fen: str
    chess960: bool
    best: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mate: int | None = None  # moves; negative: for the other side
    points: dict[str, int] = field(default_factory=dict)

    def board(self) -> chess.Board:
        """The position on a new board."""
        return chess.Board(self.fen, chess960=self.chess960)

    def is_solved_by(self, move: str, score: Score) -> bool:
        """True if the answer is right. A mate counts by its length, since several moves may be as fast."""
        if move in self.avoid:
            return False
        if self.mate is not None:
            mate = score.mate or 0
            return 0 < mate <= self.mate or self.mate <= mate < 0
        return not self.best or move in self.best

    def describe(self) -> str:
        """The task in words."""
        parts = []
        if self.mate is not None:
            parts.append(f"mate in {self.mate}" if self.mate > 0 else f"mated in {-self.mate}")
        elif self.best:
            parts.append(self._in_words(self.best))
        if self.avoid:
            parts.append(f"not {self._in_words(self.avoid)}")
        return ", ".join(parts)

    def _in_words(self, moves: tuple[str, ...]) -> str:
        board = self.board()
        return " ".join(board.san(chess.Move.from_uci(move)) for move in moves)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is left out, and the reason."""

    place: str  # file:line
    reason: str


def read_epd(path: Path) -> tuple[list[TestPosition], list[BadLine]]:
    """The tasks of a file, and its invalid lines. Empty lines and comments (#) are skipped.

    Repeated lines count once. Raises FileError if the file cannot be read, or has games and no task.
    """
    tasks, bad = [], []
    is_pgn = False
    seen: dict[str, int] = {}
    for number, text in enumerate(file_lines(path), start=1):
        line = " ".join(text.split())
        if not line or line.startswith("#"):
            continue
        place = f"{path}:{number}"
        is_pgn = is_pgn or bool(_PGN.fullmatch(line))
        try:
            if (first := seen.setdefault(line, number)) != number:
                raise ValueError(f"the same as line {first}, and counted once")
            tasks.append(parse(line, path.name, place))
        except ValueError as problem:
            bad.append(BadLine(place, str(problem)))
    if is_pgn and not tasks:
        raise FileError(
            f"{quote_path(path)} is a PGN of games, and no suite of positions;"
            " boomslang puzzles makes one of it"
        )
    return tasks, bad


def parse(line: str, suite: str = "", place: str = "") -> TestPosition:
    """Parse one line. Raises ValueError if it is not a valid position with a task."""
    if len(line) > _MAX_LINE or line.count(";") > _MAX_OPERATIONS:
        raise ValueError(f"more than {_MAX_LINE} characters or {_MAX_OPERATIONS} operations")
    if _PERFT.search(line):
        raise ValueError("counts of moves: check those with boomslang perft --suite FILE")
    board, _, rest = read_line(tidy(line))
    operations = operations_of(rest)
    _set_counters(board, operations)
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position")
    best, avoid = _moves(board, operations, "bm"), _moves(board, operations, "am")
    mate = whole_number(operations, "dm")
    if mate == 0:
        raise ValueError("dm 0: not a number of moves")
    points = _points(board, operations)
    if points and not (best or mate):
        most = max(points.values())
        best = tuple(move for move, number in points.items() if number == most)
    if not (best or avoid or mate):
        raise ValueError("nothing to find: no bm, am, dm or points")
    return TestPosition(
        suite,
        place,
        operations.get("id") or place,
        board.fen(shredder=board.chess960),
        board.chess960,
        best,
        avoid,
        mate,
        points,
    )


def _set_counters(board: chess.Board, operations: dict[str, str]) -> None:
    quiet, number = whole_number(operations, "hmvc"), whole_number(operations, "fmvn")
    if quiet is not None:
        board.halfmove_clock = min(max(quiet, 0), 150)
    if number is not None:
        board.fullmove_number = min(max(number, 1), 9999)


def _moves(board: chess.Board, operations: dict[str, str], name: str) -> tuple[str, ...]:
    text = operations.get(name)
    if text is None:
        return ()
    words = text.replace(",", " ").split()
    if not words:
        raise ValueError(f"{name}: no move")
    try:
        return tuple(dict.fromkeys(move_of(board, word).uci() for word in words))
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None


def _points(board: chess.Board, operations: dict[str, str]) -> dict[str, int]:
    """Points by move; none if the comments hold something else. Raises ValueError for an invalid move."""
    parts = operations.get("c0", "").split(",")
    pairs = [pair for part in parts if (pair := _POINTS.fullmatch(part))]
    if len(pairs) == len(parts) and all(shape(pair[1]) for pair in pairs):  # and not another "x=1"
        return {move_of(board, pair[1]).uci(): int(pair[2]) for pair in pairs}
    points = operations.get("c8", "").split()
    if not points or not all(re.fullmatch("[0-9]{1,9}", number) for number in points):
        return {}
    for name in ("c9", "c7"):
        moves = operations.get(name, "").split()
        if len(moves) == len(points):
            return {
                move_of(board, move).uci(): int(number)
                for move, number in zip(moves, points, strict=True)
            }
    raise ValueError("c8 has points, and neither c9 nor c7 has as many moves")
