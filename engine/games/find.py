"""`boomslang.find`: the positions of games that fit a pattern, such as `KRP v KR, white >= 2400`.

A pattern is parsed into conditions for the kernel, and limits of numbers. Its language is described in
`docs/games.md`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.sanitize import shorten, suggest
from boomslang.engine.errors import CommandError
from boomslang.engine.games.columns import Games
from boomslang.engine.games.games import read_games
from boomslang.engine.games.patterns import (
    ANY,
    CHECK,
    CONDITION,
    ISOLATED,
    WORDS,
    find_positions,
)
from boomslang.engine.games.sources import Source
from boomslang.engine.games.tokens import new_scan

FOUND: Final = np.dtype([("source", "i4"), ("game", "i8"), ("ply", "i4")])
_BATCH: Final = 10_000  # games
_LONGEST: Final = 1000  # characters
_ALL: Final = (1 << 64) - 1
_COLOURS: Final = {"white": 1, "black": 2, None: 3}
_MOST: Final = {"P": 8, "N": 10, "B": 10, "R": 10, "Q": 9, "K": 1}  # pieces of a side
_RESULTS: Final = ("0-1", "1/2-1/2", "1-0")
_HELP: Final = (
    "a condition is material (KRP v KR), pieces on squares (Nd5 -e6), a position with ? for any square, "
    "pawns (isolated d-pawn), a check or mate (smothered mate), a side to move (white to move), a result "
    "(1-0), a rating (white >= 2400) or a move (move <= 20)"
)


def _shown(text: str) -> str:
    return repr(shorten(text))


class Pattern:
    """A parsed pattern; raises CommandError."""

    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST:
            raise CommandError(f"a pattern of {len(text):,} characters; at most {_LONGEST:,}")
        self._conditions: list[tuple[Any, ...]] = []  # as CONDITION
        self._pieces: set[tuple[str, str]] = set()  # letter and square
        self._owner: str | None = None  # of the first material
        self._limits: dict[object, tuple[int, int]] = {
            **{(side, letter): (0, most) for letter, most in _MOST.items() for side in range(2)},
            **dict.fromkeys(("white", "black", "result", "side"), (0, 9999)),
            "move": (1, 1 << 20),
        }
        for given in text.split(","):
            part = " ".join(given.split())
            for grammar, add in _GRAMMAR:
                if match := grammar.fullmatch(part):
                    add(self, *match.groups())
                    break
            else:
                hint = suggest(part, _KNOWN) or f"; {_HELP}"
                raise CommandError(f"not a condition: {_shown(part)}{hint}")
            if not self._is_possible():
                raise CommandError(f"no position meets {_shown(part)} and what stands before it")
        counts = [[self._count(side, letter) for letter in "PNBRQ"] for side in range(2)]
        self._add("material", self._owner, counts=counts)
        self._conditions.sort(key=lambda condition: int(condition[0]))

    def _count(self, side: int, letter: str) -> int:
        low, high = self._limits[side, letter]
        return low if low == high else int(ANY)

    def _is_possible(self) -> bool:
        """False if what has been said contradicts itself."""
        most = {
            letter: max(self._limits[side, letter.upper()][1] for side in range(2))
            for letter in "PNBRQKpnbrqk"
        }
        pieces = Counter(letter for letter, _ in self._pieces)
        has_pawns = any(word in (0, *range(ISOLATED, CHECK)) for word, *_ in self._conditions)
        return (
            all(low <= high for low, high in self._limits.values())
            and all(pieces[letter] <= number for letter, number in most.items())
            and len({square for _, square in self._pieces}) == len(self._pieces)
            and not any(letter in "Pp" and square[1] in "18" for letter, square in self._pieces)
            and not (has_pawns and most["P"] == 0)
        )

    def _limit(self, name: object, sign: str, value: int) -> None:
        low, high = self._limits[name]
        if sign[0] in ">=":
            low = max(low, value + (sign == ">"))
        if sign[0] in "<=":
            high = min(high, value - (sign == "<"))
        self._limits[name] = low, high

    def _add(
        self,
        word: str,
        colour: str | None,
        squares: Iterable[str] = (),
        some: int = _ALL,
        counts: object = 0,
    ) -> None:
        """Add a condition: some of these squares, and all of those that are named."""
        named = sum(1 << chess.parse_square(square) for square in set(squares))
        self._conditions.append((WORDS.index(word), _COLOURS[colour], some, named, counts))

    def _add_material(self, colour: str | None, *armies: str) -> None:
        if self._count(0, "Q") >= 0:
            raise CommandError(f"material is given twice: {_shown(' v '.join(armies))}")
        self._owner = colour
        for side, letters in enumerate(armies):
            if not re.fullmatch("K?[QRBNP]*", letters):
                raise CommandError(f"not the pieces of a side: {_shown(letters)}; K comes first")
            for letter in "PNBRQ":
                if letter in letters or letter != "P" or "K" in letters:
                    self._limit((side, letter), "=", letters.count(letter))

    def _exclude_pawns(self) -> None:
        for side in range(2):
            self._limit((side, "P"), "=", 0)

    def _add_pieces(self, words: str) -> None:
        for letter, square in re.findall("(.)([a-h][1-8])", words):
            self._pieces.add((letter, square))
            self._add(letter.upper(), "black" if letter.islower() else "white", [square])

    def _add_position(self, placement: str, side: str | None) -> None:
        for rank, letters in zip(range(8, 0, -1), placement.split("/"), strict=True):
            cells = re.sub("[1-8]", lambda digit: "-" * int(digit[0]), letters)
            if len(cells) != 8:
                raise CommandError(f"rank {rank} of {_shown(placement)} has {len(cells)} squares")
            named = zip(cells, "abcdefgh", strict=True)
            self._add_pieces(" ".join(f"{cell}{file}{rank}" for cell, file in named if cell != "?"))
        if side:
            self._set_side({"w": "white", "b": "black"}[side])

    def _set_side(self, side: str) -> None:
        self._limit("side", "=", _COLOURS[side])
        self._add("to move", side)

    def _add_pawns(
        self, colour: str | None, word: str, file: str | None, squares: str | None
    ) -> None:
        some = chess.BB_FILES["abcdefgh".index(file)] if file else _ALL
        self._add(word, colour, (squares or "").split(), some)

    def _add_chain(self, colour: str | None, squares: str) -> None:
        for one, other in pairwise(squares.split()):
            if any(abs(ord(a) - ord(b)) != 1 for a, b in zip(one, other, strict=True)):
                raise CommandError(f"not a chain: {one} and {other} do not touch diagonally")
        self._add("P", colour, squares.split())

    def _compare(self, name: str, sign: str, value: str) -> None:
        for each in ("white", "black") if name == "rating" else (name,):
            self._limit(each, ">=", 1)  # an unknown rating is 0
            self._limit(each, sign, int(value))

    def find(self, games: Games, every: bool) -> npt.NDArray[np.void]:
        """The positions that fit, as FOUND."""
        wanted = np.ones(len(games), dtype=np.bool_)
        for name, column in (
            ("white", games["white_elo"]),
            ("black", games["black_elo"]),
            ("result", np.nan_to_num(2 * games["result"] + 1)),
        ):
            low, high = self._limits[name]
            wanted &= (column >= low) & (column <= high)
        low, high = self._limits["move"]
        size = len(games) + (len(games.moves) if every else 0)
        indices, plies = np.zeros(size, np.int64), np.zeros(size, np.int64)
        count = find_positions(
            *(new_rules(), new_scan(), games.starts, games.start_of_game, games.offsets),
            *(games.moves, wanted.view(np.uint8)),
            np.array(self._conditions, CONDITION).view(np.recarray),
            np.int64(2 * low - 2),
            np.int64(2 * high - 1),
            bool(every),
            *(indices, plies),
        )
        found = np.zeros(count, FOUND)
        found["source"], found["game"] = (
            games[name][indices[:count]] for name in ("source", "game")
        )
        found["ply"] = plies[:count]
        return found


_COLOUR: Final = "(?:(white|black) )?"
_PIECES: Final = "[PNBRQKpnbrqk1-8?]+"
_GRAMMAR: Final[tuple[tuple[re.Pattern[str], Callable[..., None]], ...]] = tuple(
    (re.compile(grammar), add)
    for grammar, add in (
        (f"{_COLOUR}([KQRBNP]+) v ([KQRBNP]+)", Pattern._add_material),
        ("no pawns", Pattern._exclude_pawns),
        ("((?:[PNBRQKpnbrqk-][a-h][1-8] ?)+)", Pattern._add_pieces),
        (f"({_PIECES}(?:/{_PIECES}){{7}})(?: ([wb]))?", Pattern._add_position),
        (
            f"{_COLOUR}({'|'.join(WORDS[ISOLATED:CHECK])}) (?:([a-h])-pawns?|pawns?((?: [a-h][2-7])*))",
            Pattern._add_pawns,
        ),
        (f"{_COLOUR}chain((?: [a-h][2-7]){{2,}})", Pattern._add_chain),
        (f"{_COLOUR}({'|'.join(WORDS[CHECK:])})", lambda self, *given: self._add(*given[::-1])),
        ("(white|black) to move", Pattern._set_side),
        (
            f"({'|'.join(_RESULTS)})",
            lambda self, result: self._limit("result", "=", 1 + _RESULTS.index(result)),
        ),
        ("(white|black|rating|move) ?(<=|>=|<|>|=) ?([0-9]{1,4})", Pattern._compare),
    )
)
_KNOWN: Final = (
    *(f"{word} pawn" for word in WORDS[ISOLATED:CHECK]),
    *(*WORDS[CHECK:], "chain d4 e5", "no pawns", "white to move", "rating >= 2400", "move <= 20"),
)


def find(
    pattern: str, source: Games | Source | Iterable[Source], *, every: bool = False
) -> npt.NDArray[np.void]:
    """The first position of each game that fits a pattern, or with `every` each that does.

    `source` are games of `read_games`, or what that function takes. A pattern is one condition or several,
    with commas between them: material (`KRP v KR` with all pieces, `Q v RR` with all but pawns, `no pawns`),
    pieces on squares (`Nd5 pe6 -e5`, small for Black's, - for an empty one), a position (`8/8/??k?????/...`,
    as in a FEN, ? for any square), pawns (`isolated d-pawn`, `passed pawn e6`, `doubled pawn`, `hanging
    pawns`, `chain d4 e5`), `check`, `mate` and others (`smothered mate`), `white to move`, a result (`1-0`),
    ratings and moves (`rating >= 2400`, `white`, `black`; `move <= 20`). `white` or `black` before material,
    pawns or a mate says whose; else they are of either side.

    Returns an array with the fields `source` and `game`, as the columns of `read_games`, and `ply`: how many
    have been played. Raises TypeError for other types and CommandError for a pattern that is not one.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is text, not of type {type(pattern).__name__}")
    parsed = Pattern(pattern)
    load_kernels()
    parts = [source] if isinstance(source, Games) else read_games(source, batch=_BATCH)
    return np.concatenate([np.zeros(0, FOUND), *(parsed.find(games, every) for games in parts)])
