"""The level of a person: a rating that follows the results of games against the engine.

After each game that counts the rating changes by K (score - expectation), the rule of Elo. The expectation
is 1 / (1 + 10^((level - rating) / 400)); K is 64 for the first ten games and 32 afterwards. The rating is
kept in one file, which is replaced as a whole, under a lock: of two games that end at once, both count. The
file names the scale of the rating; a rating on another scale is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import chess

from boomslang.core.system.files import (
    FileError,
    cannot,
    exists,
    quote_path,
    read_text,
    sole_writer,
    user_file,
    write_whole,
)
from boomslang.engine.levels.ladder import FULL_SKILL, MAX_ELO, MIN_ELO, elo_of_skill

_FILE: Final = "level.json"
MINE: Final = "mine"  # the name of this level
LEVELS: Final = f"0 to {FULL_SKILL}, or an Elo from {MIN_ELO} to {MAX_ELO}, or {MINE}"
START: Final = 1200
_FIRST: Final = 10  # games in which the rating is found
_STEP, _FIRST_STEP = 32, 64  # K
_MAX_BYTES: Final = 1000  # bytes of the file
_SCALE: Final = "games"  # that of the ratings of people in games
_TIMEOUT: Final = 2.0  # seconds in which another game may write its result


class MyLevel:
    """The rating of the user, and the number of games behind it.

    Raises FileError if the file cannot be read; a missing one is a beginning.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or user_file(_FILE)
        self.rating, self.games = float(START), 0
        self._read()

    def _read(self) -> None:
        """Take over what the file says, if there is one; raises FileError."""
        if not exists(self._path):
            return
        try:
            read = json.loads(read_text(self._path, _MAX_BYTES))
            if read["scale"] != _SCALE:
                raise ValueError(read["scale"])
            self.rating, self.games = (
                _clip_rating(float(read["rating"])),
                max(0, int(read["games"])),
            )
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as problem:
            if isinstance(problem, FileError):
                raise
            raise FileError(
                f"{quote_path(self._path)} has no rating on the scale of games; delete it to begin at {START}"
            ) from None

    @property
    def level(self) -> int:
        """The Elo to play against."""
        return round(self.rating)

    def record(self, score: float, level: int) -> str:
        """Take in the result of a game against a level: 1, 0.5 or 0; returns a sentence about it.

        It is added to the rating in the file, which another game may have changed. Raises FileError if the
        file cannot be read or written.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise cannot("write", self._path, problem) from None
        with sole_writer(self._path, keep_lock=True, patience=_TIMEOUT):
            self._read()
            before = self.level
            expected = 1 / (1 + 10 ** ((level - self.rating) / 400))
            step = _FIRST_STEP if self.games < _FIRST else _STEP
            self.rating = _clip_rating(self.rating + step * (score - expected))
            self.games += 1
            state = {"rating": round(self.rating, 1), "games": self.games, "scale": _SCALE}
            write_whole(self._path, json.dumps(state))
        return f"Your level is {self.level} now, after {before}."


def score_of(result: str, person: chess.Color) -> float:
    """1, 0.5 or 0 for the person, by a result as PGN writes it."""
    if result == "1/2-1/2":
        return 0.5
    return float((result == "1-0") == (person == chess.WHITE))


NOT_COUNTED: Final = "The game does not count for your level."


def is_whole(board: chess.Board) -> bool:
    """True for a game, with moves, from a start position of chess or Chess960."""
    return bool(board.move_stack) and board.root().chess960_pos(ignore_counters=False) is not None


def _clip_rating(rating: float) -> float:
    """The rating within the ladder; raises ValueError for no number."""
    if rating != rating:
        raise ValueError(rating)
    return min(max(rating, float(MIN_ELO)), float(MAX_ELO))


def parse_level(text: str) -> int | MyLevel:
    """Parse a level; raises ValueError, for the user's own also if it cannot be read."""
    if text.lower() == MINE:
        return MyLevel()
    level = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1
    if 0 <= level <= FULL_SKILL or MIN_ELO <= level <= MAX_ELO:
        return level
    raise ValueError(f"'{text}' is not a level: {LEVELS}")


def strength(level: int) -> str:
    """The level in words."""
    if level > FULL_SKILL:
        return f"{level} Elo"
    if level == FULL_SKILL:
        return "full strength"
    return f"level {level}, about {elo_of_skill(level)} Elo"
