"""Playing below full strength, so that people have a fair game.

Three things make a weaker player, none of which depends on the speed of the computer:

* It looks at fewer positions, so it sees less deep. That is where most of its mistakes come from, and
  they are the mistakes of people: tactics that lie a few moves further on.
* It has a taste: for the whole of a game it likes certain pieces on certain squares a little too well.
* Among the moves that look nearly as good as the best it takes one at random, better ones more often
  (softmax, drawn by the Gumbel-max trick). A move that looks much worse it never takes, so it does not
  give away a queen that it sees hanging and play like a master afterwards.

All that is random hangs on the seed of the game, the position and the move.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

import chess

from engine.levels.ladder import FULL_SKILL, LOWEST, Level, elo_of_skill, level_of_elo
from engine.limits import Info, Score

_MATE_WORTH: Final = 10_000  # centipawns
_MATE_STEP: Final = 100  # centipawns for each move that it takes
_LONGEST_MATE: Final = 50  # moves
_HALFWAY: Final = 1000  # centipawns: from there on a player hardly cares how much more it is


class Handicap:
    """The options about strength, and the choice of a move."""

    def __init__(self) -> None:
        self._limited = False
        self._elo = LOWEST
        self._skill = FULL_SKILL
        self._forced: Level | None = None
        self._seed = ""

    def configure(self, name: str, value: int | bool | str) -> None:
        """Take "UCI_LimitStrength", "UCI_Elo" or "Skill Level"; others do not matter here."""
        if name == "UCI_LimitStrength":
            self._limited = bool(value)
        elif name == "UCI_Elo":
            self._elo = int(value)
        elif name == "Skill Level":
            self._skill = int(value)

    def force(self, level: Level | None) -> None:
        """Play at that level whatever the options say, to measure it."""
        self._forced = level

    def reseed(self, seed: str) -> None:
        """Begin a game with another taste and other moods."""
        self._seed = seed

    @property
    def level(self) -> Level | None:
        """How weak to play, None: not at all. An Elo is more exact than a skill and counts first."""
        if self._forced:
            return self._forced
        if self._limited:
            return level_of_elo(self._elo)
        if self._skill < FULL_SKILL:
            return level_of_elo(elo_of_skill(self._skill))
        return None

    def choose(self, level: Level, board: chess.Board, lines: Sequence[Info]) -> Info:
        """The line to play out of the best ones; each has a move."""
        best = max(_worth(line.score) for line in lines)
        fine = [line for line in lines if best - _worth(line.score) <= level.forgiven]
        return max(fine, key=lambda line: self._liking(level, board, line))

    def _liking(self, level: Level, board: chess.Board, line: Info) -> float:
        """What a move looks worth to this player in this game, centipawns."""
        move = line.pv[0]
        taste = self._dice(str(board.piece_at(move.from_square)), str(move.to_square))
        mood = self._dice(board.epd(), move.uci())
        gumbel = -math.log(-math.log(mood.uniform(1e-9, 1 - 1e-9)))
        return _worth(line.score) + level.taste * taste.gauss() + level.temperature * gumbel

    def _dice(self, *about: str) -> random.Random:
        """Chance, but always the same about the same thing in a game."""
        return random.Random(" ".join([self._seed, *about]))  # noqa: S311 - a game, not a secret


def _worth(score: Score) -> float:
    """A score as a player feels it: the more is won or lost already, the less more of it counts."""
    if score.mate is None:
        plain = float(score.centipawns or 0)
    else:
        far = min(abs(score.mate), _LONGEST_MATE)
        plain = math.copysign(_MATE_WORTH - _MATE_STEP * far, score.mate)
    return plain / (1 + abs(plain) / _HALFWAY)
