"""`boomslang.find`: the positions of games that fit a pattern, such as `KRP v KR, white >= 2400`.

A pattern is parsed into a record of integers, and a kernel plays the games and compares. Its language is
described in `docs/games.md`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import EMPTY, ONE, ZERO, I, U
from boomslang.core.board.position import Position, Rules, new_record, rules_t
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.instructions import popcount
from boomslang.core.jit.jit import i64, jit, kernel, load_kernels, record_type, types
from boomslang.engine.errors import CommandError
from boomslang.engine.games.columns import Games
from boomslang.engine.games.games import read_games
from boomslang.engine.games.positions import numbers_t, play
from boomslang.engine.games.scan import Starts, set_up, starts_t
from boomslang.engine.games.sources import Source
from boomslang.engine.games.tokens import Scan, new_scan, scan_t

FOUND: Final = np.dtype([("source", "i4"), ("game", "i8"), ("ply", "i4")])
_BATCH: Final = 10_000  # games
_PIECES: Final = "PNBRQKpnbrqk"
_FREE: Final = I(-1)

_PATTERN: Final = np.dtype(
    [
        ("squares", "u8", (13,)),  # where each piece, or none, must be
        ("side", "i8"),  # to move, or -1
        ("first", "i8"),  # plies played, at least
        ("last", "i8"),
        ("has_material", "i8"),
        # Number of pawns, knights, bishops, rooks and queens of one side and of the other, whichever is
        # White's; -1 for any.
        ("material", "i8", (2, 5)),
    ],
    align=True,
)
_Pattern: TypeAlias = Any  # a record of _PATTERN


@jit
def _has_army(position: Position, colour: np.uint64, material: Any) -> bool:
    """True if a colour has these numbers of pieces, int64[5]."""
    own = position.by_colour[colour]
    for number in range(5):
        count = material[U(number)]
        if count != _FREE and I(popcount(position.by_type[U(number)] & own)) != count:
            return False
    return True


@jit
def _fits(position: Position, pattern: _Pattern) -> bool:
    """True if the pieces and the side to move of a position are those of the pattern."""
    if pattern.side != _FREE and I(position.side) != pattern.side:
        return False
    for number in range(12):
        colour = ONE if number >= 6 else ZERO
        pieces = position.by_type[U(number) - colour * U(6)] & position.by_colour[colour]
        if pattern.squares[U(number)] & ~pieces:
            return False
    if pattern.squares[EMPTY] & (position.by_colour[ZERO] | position.by_colour[ONE]):
        return False
    if not pattern.has_material:
        return True
    for number in range(2):
        one, other = U(number), U(number) ^ ONE
        is_one = _has_army(position, one, pattern.material[ZERO])
        if is_one and _has_army(position, other, pattern.material[ONE]):
            return True
    return False


@kernel(
    i64(
        *(rules_t, scan_t, starts_t, numbers_t, numbers_t, types.Array(types.uint16, 1, "C")),
        *(types.Array(types.uint8, 1, "C"), record_type(_PATTERN), types.boolean),
        *(numbers_t, numbers_t),
    )
)
def _find(
    rules: Rules,
    scan: Scan,
    starts: Starts,
    start_of_game: Any,
    offsets: Any,
    moves: Any,
    wanted: Any,
    pattern: _Pattern,
    every: bool,
    found_games: Any,
    found_plies: Any,
) -> np.int64:
    """Write games and plies of what fits, or of the first in each game, in place; returns the number."""
    count = I(0)
    for game in range(start_of_game.size):
        scan.start = start_of_game[U(game)]
        if scan.start < I(0) or not wanted[U(game)]:
            continue
        set_up(rules, scan, starts)
        position = scan.position[ZERO]
        first = offsets[U(game)]
        for ply in range(offsets[U(game) + ONE] - first + I(1)):
            if ply > pattern.last:
                break
            if ply >= pattern.first and _fits(position, pattern):
                found_games[U(count)] = game
                found_plies[U(count)] = ply
                count += I(1)
                if not every:
                    break
            if first + ply < offsets[U(game) + ONE]:
                play(rules, position, U(moves[U(first + ply)]))
    return count


_NO_PAWNS: Final = "no pawns"
_ARMY: Final = re.compile(r"(K?)([QRBNP]*)")
_MATERIAL: Final = re.compile(r"([KQRBNP]*)\s+v\s+([KQRBNP]*)")
_ON_SQUARES: Final = re.compile(r"(?:[PNBRQKpnbrqk-][a-h][1-8]\s*)+")
_PLACEMENT: Final = re.compile(r"([PNBRQKpnbrqk1-8?]+(?:/[PNBRQKpnbrqk1-8?]+){7})(?:\s+([wb]))?")
_COMPARISON: Final = re.compile(r"(white|black|rating|move)\s*(<=|>=|<|>|=)\s*(\d{1,4})")
_OPERATORS: Final = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}
_RESULTS: Final = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_HELP: Final = (
    "a condition is material (KRP v KR), pieces on squares (Nd5 -e6), a position with ? for any square, "
    "a side to move (white to move), a result (1-0), a rating (white >= 2400) or a move (move <= 20)"
)


class Pattern:
    """A parsed pattern; raises CommandError."""

    def __init__(self, text: str) -> None:
        self.record = new_record(_PATTERN)
        self.record.side, self.record.last = -1, 1 << 30
        self.record.material[:] = -1
        self._has_armies = False
        self._of_games: list[tuple[str, str, float]] = []  # column, operator, value
        parts = [part.strip() for part in text.split(",")]
        for part in parts:
            if part != _NO_PAWNS:
                self._add(part)
        if _NO_PAWNS in parts:
            if (self.record.material[:, 0] > 0).any():
                raise CommandError(f"{_NO_PAWNS}, and pawns: {text!r}")
            self.record.has_material = 1
            self.record.material[:, 0] = 0

    def _add(self, part: str) -> None:
        if match := _MATERIAL.fullmatch(part):
            if self._has_armies:
                raise CommandError(f"material is given twice: {part!r}")
            self._has_armies, self.record.has_material = True, 1
            for side, letters in enumerate(match.groups()):
                self._add_army(side, letters)
        elif _ON_SQUARES.fullmatch(part):
            for letter, square in re.findall(r"(.)([a-h][1-8])\s*", part):
                self._put(letter, chess.parse_square(square))
        elif match := _PLACEMENT.fullmatch(part):
            self._place(part, match[1].split("/"))
            if match[2]:
                self.record.side = "wb".index(match[2])
        elif part in ("white to move", "black to move"):
            self.record.side = int(part[0] == "b")
        elif part in _RESULTS:
            self._of_games.append(("result", "=", _RESULTS[part]))
        elif match := _COMPARISON.fullmatch(part):
            name, sign, value = match[1], match[2], int(match[3])
            if name == "move":
                self._limit(sign, value)
            else:
                colours = ("white", "black") if name == "rating" else (name,)
                self._of_games += ((f"{colour}_elo", sign, value) for colour in colours)
        else:
            raise CommandError(f"not a condition: {part!r}; {_HELP}")

    def _add_army(self, side: int, letters: str) -> None:
        match = _ARMY.fullmatch(letters)
        if not match:
            raise CommandError(f"not the pieces of a side: {letters!r}; K comes first")
        for number, letter in enumerate("PNBRQ"):
            count = match[2].count(letter)
            self.record.material[side, number] = count if count or match[1] or number else _FREE

    def _put(self, letter: str, square: int) -> None:
        number = 12 if letter == "-" else _PIECES.index(letter)
        self.record.squares[number] |= np.uint64(1 << square)

    def _place(self, part: str, ranks: list[str]) -> None:
        for rank, letters in zip(range(7, -1, -1), ranks, strict=True):
            cells = re.sub(r"\d", lambda digit: "-" * int(digit[0]), letters)
            if len(cells) != 8:
                raise CommandError(f"rank {rank + 1} of {part!r} has {len(cells)} squares")
            for file, letter in enumerate(cells):
                if letter != "?":
                    self._put(letter, chess.square(file, rank))

    def _limit(self, sign: str, move: int) -> None:
        """Limit the plies that have been played before these moves."""
        record = self.record
        if sign in (">", ">=", "="):
            record.first = max(record.first, 2 * (move - (sign != ">")))
        if sign in ("<", "<=", "="):
            record.last = min(record.last, 2 * (move - (sign == "<")) - 1)

    def find(self, games: Games, every: bool) -> npt.NDArray[np.void]:
        """The positions that fit, as FOUND."""
        wanted = np.ones(len(games), dtype=np.bool_)
        for name, sign, value in self._of_games:
            column = games[name]
            wanted &= _OPERATORS[sign](column, value) & (column > 0 if name != "result" else True)
        size = len(games) + (len(games.moves) if every else 0)
        indices, plies = np.zeros(size, np.int64), np.zeros(size, np.int64)
        count = _find(
            *(new_rules(), new_scan(), games.starts, games.start_of_game, games.offsets),
            *(games.moves, wanted.view(np.uint8), self.record, every, indices, plies),
        )
        found = np.zeros(count, FOUND)
        found["source"], found["game"] = (
            games[name][indices[:count]] for name in ("source", "game")
        )
        found["ply"] = plies[:count]
        return found


def find(
    pattern: str, source: Games | Source | Iterable[Source], *, every: bool = False
) -> npt.NDArray[np.void]:
    """The first position of each game that fits a pattern, or with `every` each that does.

    `source` are games of `read_games`, or what that function takes. A pattern is one condition or several,
    with commas between them: material (`KRP v KR` with all pieces, `Q v RR` with all but pawns, `no pawns`),
    pieces on squares (`Nd5 pe6 -e5`, small for Black's, - for an empty one), a position (`8/8/??k?????/...`,
    as in a FEN, ? for any square), `white to move`, a result (`1-0`), ratings and moves (`rating >= 2400`,
    `white`, `black`; `move <= 20`). Either side may have the first material.

    Returns an array with the fields `source` and `game`, as the columns of `read_games`, and `ply`: how many
    have been played. Raises TypeError for other types and CommandError for a pattern that is not one.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is text, not of type {type(pattern).__name__}")
    parsed = Pattern(pattern)
    load_kernels()
    parts = [source] if isinstance(source, Games) else read_games(source, batch=_BATCH)
    return np.concatenate([np.zeros(0, FOUND), *(parsed.find(games, every) for games in parts)])
