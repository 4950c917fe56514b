"""Positions of people's games as samples: words and SAMPLEs, in files that are read part by part.

The games come from PGN, by `engine.games`, or from lines of JSON (`.jsonl`, `.jsonl.xz`), one game each: `w`
and `b` (ratings), `base` and `inc` (seconds), `moves` (UCI, with blanks), `clk` (seconds left after each
ply), `site`, and `regular` for a side that many games of the collection have, which is left out. Games begin
at the start position. They are split by the hash of their moves: each has a fold, of which 0 and 1 are held
out.
"""

from __future__ import annotations

import json
import lzma
import zlib
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board.position import POSITION, new_record
from boomslang.core.system.files import quote_path
from boomslang.engine.bridge import new_rules, to_position
from boomslang.engine.games.columns import Games
from boomslang.engine.games.reader import PgnReader
from boomslang.engine.people.collect import collect
from boomslang.engine.people.features import LOOK, MAX_WORDS, TRAIT_WORDS
from boomslang.engine.people.gradient import SAMPLE
from boomslang.engine.people.network import SPEED_BOUNDS, SPEEDS, TIMES, UNKNOWN_SPEED, time_number

FOLDS: Final = 50
UNKNOWN_TIME: Final = time_number(None)
_MIN_BULLET_CLOCK: Final = 30.0  # seconds: with less in bullet people move without a thought
_MIN_RATING: Final = 100
_BATCH: Final = 10_000  # games
_MAX_PLIES: Final = 10_000
_USUAL_WORDS: Final = 300  # of a position; there are more where they are needed
_SITE: Final = "lichess"


class PeopleGame(NamedTuple):
    """A game from the start position."""

    ratings: tuple[int, int]  # White's and Black's; 0: not known, or this side is left out
    clock: tuple[int, int]  # base and increment in seconds, -1: not known
    site: int  # the number of the speed that stands for another site; 0: Lichess
    # from | to << 6 | promotion << 12 | kind << 14; the kind may be missing
    moves: npt.NDArray[np.uint16]
    left: npt.NDArray[np.float32]  # seconds left after each ply; NaN: not known

    @property
    def fold(self) -> int:
        """By the hash of its moves, whose kinds must be known: 0 and 1 are held out."""
        return zlib.crc32(self.moves.tobytes()) % FOLDS

    @property
    def before(self) -> npt.NDArray[np.float32]:
        """Seconds left before each ply; NaN: not known."""
        # The start of a game without clocks tells nothing.
        known = self.clock[0] > 0 and not np.isnan(self.left).all()
        start = np.full(2, self.clock[0] if known else np.nan, np.float32)
        return np.concatenate([start, self.left])[: len(self.left)]

    @property
    def wanted(self) -> npt.NDArray[np.uint8]:
        """1 for the plies that are to be learnt."""
        ply = np.arange(len(self.moves))
        wanted = (np.array(self.ratings)[ply & 1] >= _MIN_RATING) & (ply < _MAX_PLIES)
        if speed_of(*self.clock) == SPEEDS.index("bullet"):
            wanted &= ~(self.before < _MIN_BULLET_CLOCK)
        return np.asarray(wanted, np.uint8)

    def tell(self, samples: Any) -> None:
        """Write its speed, ratings, times and fold into its samples, in place."""
        samples.speed = self.site or speed_of(*self.clock)
        samples.rating = np.array(self.ratings)[samples.ply & 1]
        samples.fold = self.fold
        before = self.before[samples.ply]
        times = np.searchsorted(np.array(TIMES, np.float32), before, side="right")
        samples.time = np.where(np.isnan(before), UNKNOWN_TIME, times)


def speed_of(base: int, increment: int) -> int:
    """The number of the speed class of a time control in seconds, by Lichess's bounds; base -1: not known."""
    if base < 0:
        return UNKNOWN_SPEED
    return int(np.searchsorted(SPEED_BOUNDS, base + 40 * max(increment, 0), side="right"))


def _codes() -> dict[str, int]:
    """Moves of 16 bits by their names in UCI; the kinds of castling and en passant are missing."""
    codes = {}
    for origin in range(64):
        for target in range(64):
            name = chess.square_name(origin) + chess.square_name(target)
            codes[name] = origin | target << 6
            for number, letter in enumerate("nbrq"):
                codes[name + letter] = origin | target << 6 | number << 12 | 1 << 14
    return codes


def read_lines(lines: Iterable[str]) -> list[PeopleGame]:
    """Games of lines of JSON; without a site they are of Lichess. Raises ValueError for another line."""
    codes, games = _codes(), list[PeopleGame]()
    for number, line in enumerate(lines, 1):
        try:
            game = json.loads(line)
            site = 0 if game.get("site", _SITE) == _SITE else SPEEDS.index(game["site"])
            moves = np.array([codes[move] for move in game["moves"].split()], np.uint16)
            regular = game.get("regular", "")
            white, black = (0 if side in regular else _small(game.get(side) or 0) for side in "wb")
            control = _small(game.get("base", -1)), _small(game.get("inc", 0))
            clock = np.array(game.get("clk", [])[: len(moves)], np.float32)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            raise ValueError(f"line {number} is no game: {problem}") from None
        left = np.full(len(moves), np.nan, np.float32)
        left[: len(clock)] = clock
        games.append(PeopleGame((white, black), control, site, moves, left))
    return games


def _small(value: Any) -> int:
    """A number of a game, as far as 16 bits hold it."""
    return max(-1, min(int(value), 32_000))


def is_usual(games: Games) -> npt.NDArray[np.bool_]:
    """True for the games that begin at the start position."""
    return np.asarray(~games["chess960"] & (games["fen"] == "") & (games.start_of_game >= 0))


def from_columns(games: Games) -> list[PeopleGame]:
    """Those of `read_games` that begin at the start position."""
    ratings, clocks = (
        list(zip(*(games[name].tolist() for name in pair), strict=True))
        for pair in (("white_elo", "black_elo"), ("base", "increment"))
    )
    left, found = games.clocks.astype(np.float32), list[PeopleGame]()
    for game in np.flatnonzero(is_usual(games)).tolist():
        here = slice(*games.offsets[game : game + 2].tolist())
        found.append(PeopleGame(ratings[game], clocks[game], 0, games.moves[here], left[here]))
    return found


def read_people(path: Path, most: int) -> list[PeopleGame]:
    """The first `most` games of a file, or some more. Raises FileError or ValueError."""
    if path.name.endswith((".jsonl", ".jsonl.xz")):
        opened: Any = lzma.open if path.suffix == ".xz" else open
        try:
            with opened(path, "rt", encoding="utf-8") as file:
                return read_lines(islice(file, most))
        except (ValueError, EOFError, lzma.LZMAError) as problem:
            raise ValueError(f"{quote_path(path)}: {problem}") from None
    found = list[PeopleGame]()
    for games in PgnReader(path).batches(_BATCH):
        found += from_columns(games)
        if len(found) >= most:
            break
    return found


class Describer:
    """Turns games into samples; keeps the memory that this takes."""

    def __init__(self) -> None:
        self._rules = new_rules()
        self._start = new_record(POSITION)
        to_position(self._rules, chess.Board(), self._start)
        self._position = new_record(POSITION)
        self._look = new_record(LOOK)

    def describe(self, games: Sequence[PeopleGame], folds: int = FOLDS) -> tuple[Any, Any]:
        """Words and SAMPLEs of games, of those of the first `folds`, in their order."""
        plies = sum(len(game.moves) for game in games)
        samples: Any = np.zeros(plies, SAMPLE).view(np.recarray)
        words = np.zeros(plies * _USUAL_WORDS, np.uint16)
        place = count = 0
        for game in games:
            wanted = game.wanted
            if not wanted.any():
                continue
            if folds < FOLDS:  # the hash is of the moves as they are known after playing them
                self._collect(game, np.zeros_like(wanted), words, 0, samples, count)
                if game.fold >= folds:
                    continue
            if place + len(wanted) * MAX_WORDS > len(words):
                words = np.append(words, np.zeros(len(wanted) * MAX_WORDS + len(words), np.uint16))
            found = self._collect(game, wanted, words, place, samples, count)
            if found > count:
                last = samples[found - 1]
                place = int(last.start) + int(last.inputs) + int(last.moves) * (1 + TRAIT_WORDS)
                game.tell(samples[count:found])
            count = found
        return words[:place], samples[:count]

    def _collect(self, game: PeopleGame, *rest: Any) -> int:
        """`collect` of a game; returns the new number of samples."""
        self._position.data[:] = self._start.data
        return int(collect(self._rules, self._position, self._look, game.moves, *rest))
