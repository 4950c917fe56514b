"""Positions with a task, read from EPD files.

Understood are `bm` and `am` (moves to play, moves to avoid), `dm` (mate in so many moves, negative: the
side to move is mated), and points for moves as the Strategic Test Suite has them: c0 "Nf3=10, Rd1=4",
or points in c8 and the moves in c9 (e2e4) or c7 (SAN).
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import chess

from engine.limits import Score
from engine.soundness import why_unfit
from engine.system.files import read_file
from perft.suite import is_chess960

_POINTS: Final = re.compile(r"\s*([A-Za-z][\w+=#-]*?)\s*=\s*(\d+)\s*")
_PERFT: Final = re.compile(r";\s*D\d+\s")
_MOST_FIELDS: Final = 6
_LARGEST: Final = 1 << 28  # bytes
_LONGEST: Final = 10_000  # characters of a line
_MOST_OPERATIONS: Final = 100  # python-chess takes seconds for thousands


@dataclass(frozen=True, slots=True)
class Task:
    """A position and what is asked; moves are in UCI's spelling for its board."""

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

    def solved(self, move: str, score: Score) -> bool:
        """True if this is an answer. A mate is judged by its length, as other moves may be as fast."""
        if move in self.avoid:
            return False
        if self.mate is not None:
            found = score.mate or 0
            return 0 < found <= self.mate or self.mate <= found < 0
        return not self.best or move in self.best

    def wanted(self) -> str:
        """What is asked, in words."""
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


class _Chess960Board(chess.Board):
    """python-chess reads the moves of an EPD on a new board of the same class, hence of the same rules."""

    def __init__(self, fen: str | None = chess.STARTING_FEN, *, chess960: bool = True) -> None:
        super().__init__(fen, chess960=chess960)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is left out, and why."""

    place: str  # file:line
    reason: str


def read_epd(path: Path) -> tuple[list[Task], list[BadLine]]:
    """The tasks of a file, and the lines that are none. Empty lines and those with # are neither.

    Raises FileProblem if the file cannot be read.
    """
    tasks, bad = [], []
    lines = read_file(path, _LARGEST).decode("utf-8-sig", "replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            place = f"{path}:{number}"
            try:
                tasks.append(parse(line, path.name, place))
            except ValueError as problem:
                bad.append(BadLine(place, str(problem)))
    return tasks, bad


def parse(line: str, suite: str = "", place: str = "") -> Task:
    """Read one line. Raises ValueError if it is not a sound position with something to find."""
    if len(line) > _LONGEST or line.count(";") > _MOST_OPERATIONS:
        raise ValueError(f"more than {_LONGEST} characters or {_MOST_OPERATIONS} operations")
    if _PERFT.search(line):
        raise ValueError("counts of moves: check those with boomslang perft --suite FILE")
    fields = line.split(None, _MOST_FIELDS)
    if len(fields) < 4:
        raise ValueError("not an EPD line")
    position, start = fields[:4], 4
    if len(fields) > 5 and fields[4].isdigit() and fields[5].isdigit():
        position, start = fields[:6], 6
    fen = " ".join(position)
    chess960 = is_chess960(fen)
    board = _Chess960Board() if chess960 else chess.Board()
    operations = board.set_epd(" ".join([*position[:4], *line.split(None, start)[start:]]))
    if start == _MOST_FIELDS:
        board.set_fen(fen)
    if reason := why_unfit(board):
        raise ValueError(f"illegal position: {reason}")
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position")
    best, avoid = _moves(operations, "bm"), _moves(operations, "am")
    mate = operations.get("dm")
    if mate is not None and (not isinstance(mate, int) or not mate):
        raise ValueError(f"dm {mate}: not a number of moves")
    points = _points(board, operations)
    if points and not (best or mate):
        most = max(points.values())
        best = tuple(move for move, number in points.items() if number == most)
    if not (best or avoid or mate):
        raise ValueError("nothing to find: no bm, am, dm or points")
    name = str(operations.get("id") or place)
    return Task(
        suite, place, name, board.fen(shredder=chess960), chess960, best, avoid, mate, points
    )


def _moves(operations: dict[str, Any], name: str) -> tuple[str, ...]:
    """The moves of `bm` or `am`."""
    moves = operations.get(name)
    if moves is None:
        return ()
    if not moves or not all(moves):
        raise ValueError(f"{name}: no move")
    return tuple(dict.fromkeys(move.uci() for move in moves))


def _points(board: chess.Board, operations: dict[str, Any]) -> dict[str, int]:
    """Points by move. A comment that is something else gives none; raises ValueError for a bad move."""
    parts = str(operations.get("c0") or "").split(",")
    pairs = [pair for part in parts if (pair := _POINTS.fullmatch(part))]
    if len(pairs) == len(parts):
        with contextlib.suppress(chess.InvalidMoveError):  # not a move at all: some other "x=1"
            return {board.parse_san(pair[1]).uci(): int(pair[2]) for pair in pairs}
    numbers = str(operations.get("c8") or "").split()
    if not numbers or not all(number.isdigit() for number in numbers):
        return {}
    for name, read in (("c9", board.parse_uci), ("c7", board.parse_san)):
        moves = str(operations.get(name) or "").split()
        if len(moves) == len(numbers):
            return {
                read(move).uci(): int(number) for move, number in zip(moves, numbers, strict=True)
            }
    raise ValueError("c8 has points, and neither c9 nor c7 has as many moves")
