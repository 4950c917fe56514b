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
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

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


@dataclass(slots=True)
class PeopleGames:
    """Games from the start position; arrays by game, and by ply."""

    offsets: npt.NDArray[np.int64]  # where each begins, and the end
    ratings: npt.NDArray[np.int16]  # [games, 2]; 0: not known, or this side is left out
    clocks: npt.NDArray[np.int32]  # [games, 2]: base and increment, -1: not known
    # The number of the speed that stands for another site; 0: Lichess.
    sites: npt.NDArray[np.int8]
    moves: npt.NDArray[
        np.uint16
    ]  # from | to << 6 | promotion << 12 | kind << 14; the kind may be missing
    left: npt.NDArray[np.float32]  # seconds left after each ply; NaN: not known

    def __len__(self) -> int:
        """The number of games."""
        return len(self.ratings)

    def chosen(self, games: npt.NDArray[np.int64]) -> PeopleGames:
        """Those of these numbers, in their order."""
        lengths = np.diff(self.offsets)[games]
        plies = np.concatenate([np.arange(*self.offsets[game : game + 2]) for game in games])
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        of_games = (self.ratings[games], self.clocks[games], self.sites[games])
        return PeopleGames(offsets, *of_games, self.moves[plies], self.left[plies])


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


def read_lines(lines: Iterable[str]) -> PeopleGames:
    """Games of lines of JSON; without a site they are of Lichess. Raises ValueError for another line."""
    codes = _codes()
    plies, ratings, clocks, sites = [0], list[list[int]](), list[tuple[int, int]](), list[int]()
    moves, left = [np.zeros(0, np.uint16)], [np.zeros(0, np.float32)]
    for number, line in enumerate(lines, 1):
        try:
            game = json.loads(line)
            site = 0 if game.get("site", _SITE) == _SITE else SPEEDS.index(game["site"])
            played = [codes[move] for move in game["moves"].split()]
            regular = game.get("regular", "")
            both = [0 if side in regular else _small(game.get(side) or 0) for side in "wb"]
            control = _small(game.get("base", -1)), _small(game.get("inc", 0))
            clock = np.array(game.get("clk", [])[: len(played)], np.float32)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            raise ValueError(f"line {number} is no game: {problem}") from None
        ratings.append(both)
        sites.append(site)
        clocks.append(control)
        moves.append(np.array(played, np.uint16))
        unknown = np.full(len(played) - len(clock), np.nan, np.float32)
        left.append(np.concatenate([clock, unknown]))
        plies.append(plies[-1] + len(played))
    return PeopleGames(
        np.array(plies),
        np.array(ratings, np.int16).reshape(-1, 2),
        np.array(clocks, np.int32).reshape(-1, 2),
        np.array(sites, np.int8),
        np.concatenate(moves),
        np.concatenate(left),
    )


def _small(value: Any) -> int:
    """A number of a game, as far as 16 bits hold it."""
    return max(-1, min(int(value), 32_000))


def is_usual(games: Games) -> npt.NDArray[np.bool_]:
    """True for the games that begin at the start position."""
    return np.asarray(~games["chess960"] & (games["fen"] == "") & (games.start_of_game >= 0))


def from_columns(games: Games) -> PeopleGames:
    """Those of `read_games` that begin at the start position."""
    usual = is_usual(games)
    plies = np.repeat(usual, np.diff(games.offsets))
    ratings = np.stack([games["white_elo"], games["black_elo"]], 1)[usual]
    return PeopleGames(
        np.concatenate([[0], np.cumsum(np.diff(games.offsets)[usual])]),
        ratings,
        np.stack([games["base"], games["increment"]], 1)[usual],
        np.zeros(len(ratings), np.int8),
        games.moves[plies],
        games.clocks[plies].astype(np.float32),
    )


def read_people(path: Path, most: int) -> PeopleGames:
    """The first `most` games of a file, or some more. Raises FileError or ValueError."""
    if path.name.endswith((".jsonl", ".jsonl.xz")):
        opened: Any = lzma.open if path.suffix == ".xz" else open
        try:
            with opened(path, "rt", encoding="utf-8") as file:
                return read_lines(islice(file, most))
        except (ValueError, EOFError, lzma.LZMAError) as problem:
            raise ValueError(f"{quote_path(path)}: {problem}") from None
    parts = list[PeopleGames]()
    for games in PgnReader(path).batches(_BATCH):
        parts.append(from_columns(games))
        if sum(map(len, parts)) >= most:
            break
    return join(parts)


def join(parts: list[PeopleGames]) -> PeopleGames:
    """The games of several parts, one after the other."""
    starts = np.cumsum([0, *(part.offsets[-1] for part in parts)])
    offsets = [part.offsets[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
    return PeopleGames(
        np.concatenate([np.zeros(1, np.int64), *offsets]),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("ratings", "clocks", "sites", "moves", "left")
        ),
    )


class Describer:
    """Turns games into samples; keeps the memory that this takes."""

    def __init__(self) -> None:
        self._rules = new_rules()
        self._start = new_record(POSITION)
        to_position(self._rules, chess.Board(), self._start)
        self._position = new_record(POSITION)
        self._look = new_record(LOOK)

    def describe(
        self, games: PeopleGames, chosen: npt.NDArray[np.int64], folds: int = FOLDS
    ) -> tuple[Any, Any]:
        """Words and SAMPLEs of some games, those of the first `folds`, in the order of `chosen`."""
        plies = int(np.diff(games.offsets)[chosen].sum())
        samples: Any = np.zeros(plies, SAMPLE).view(np.recarray)
        words = np.zeros(plies * _USUAL_WORDS, np.uint16)
        place = count = 0
        for game in chosen.tolist():
            wanted = _wanted(games, game)
            if not wanted.any():
                continue
            if folds < FOLDS:  # the hash is of the moves as they are known after playing them
                self._collect(games, game, np.zeros_like(wanted), words, 0, samples, count)
                if _fold(games, game) >= folds:
                    continue
            if place + len(wanted) * MAX_WORDS > len(words):
                words = np.append(words, np.zeros(len(wanted) * MAX_WORDS + len(words), np.uint16))
            found = self._collect(games, game, wanted, words, place, samples, count)
            if found > count:
                last = samples[found - 1]
                place = int(last.start) + int(last.inputs) + int(last.moves) * (1 + TRAIT_WORDS)
                _tell_context(games, game, samples[count:found])
            count = found
        return words[:place], samples[:count]

    def _collect(self, games: PeopleGames, game: int, wanted: Any, words: Any, *rest: Any) -> int:
        """`collect` of a game; returns the new number of samples."""
        self._position.data[:] = self._start.data
        moves = games.moves[games.offsets[game] : games.offsets[game + 1]]
        here = self._rules, self._position, self._look
        return int(collect(*here, moves, wanted, words, *rest))


def _tell_context(games: PeopleGames, game: int, samples: Any) -> None:
    """Write speed, ratings, times and fold of a game into its samples, in place."""
    base, increment = games.clocks[game].tolist()
    samples.speed = games.sites[game] or speed_of(base, increment)
    samples.rating = games.ratings[game][samples.ply & 1]
    samples.fold = _fold(games, game)
    times = np.searchsorted(np.array(TIMES, np.float32), _before(games, game), side="right")
    times[np.isnan(_before(games, game))] = UNKNOWN_TIME
    samples.time = times[samples.ply]


def _fold(games: PeopleGames, game: int) -> int:
    part = slice(*games.offsets[game : game + 2].tolist())
    return zlib.crc32(games.moves[part].tobytes()) % FOLDS


def _before(games: PeopleGames, game: int) -> npt.NDArray[np.float32]:
    """Seconds left before each ply; NaN: not known."""
    left = games.left[slice(*games.offsets[game : game + 2].tolist())]
    base = int(games.clocks[game, 0])
    # The start of a game without clocks tells nothing.
    known = base > 0 and not np.isnan(left).all()
    start = np.full(2, base if known else np.nan, np.float32)
    return np.concatenate([start, left])[: len(left)]


def _wanted(games: PeopleGames, game: int) -> npt.NDArray[np.uint8]:
    """1 for the plies of a game that are to be learnt."""
    before = _before(games, game)
    ply = np.arange(len(before))
    wanted = (games.ratings[game][ply & 1] >= _MIN_RATING) & (ply < _MAX_PLIES)
    if speed_of(*games.clocks[game].tolist()) == SPEEDS.index("bullet"):
        wanted &= ~(before < _MIN_BULLET_CLOCK)
    return np.asarray(wanted, np.uint8)
