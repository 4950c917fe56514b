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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import chess

from boomslang.engine.levels.ladder import DEFAULT, FULL_SKILL, Level, elo_of_skill, level_of_elo
from boomslang.engine.limits import Info, Limits, Result, Score, SearcherProtocol

_MATE_WORTH: Final = 10_000  # centipawns
_MATE_STEP: Final = 100  # centipawns for each move that it takes
_LONGEST_MATE: Final = 50  # moves
_HALFWAY: Final = 1000  # centipawns: from there on a player hardly cares how much more it is


class Handicap:
    """The options about strength, and the choice of a move."""

    def __init__(self) -> None:
        self._limited = False
        self._elo = DEFAULT
        self._skill = FULL_SKILL
        self._seed = ""

    def limit(self, wanted: bool) -> None:
        """Play at an Elo, or not."""
        self._limited = wanted

    def set_elo(self, elo: int) -> None:
        """The Elo to play at."""
        self._elo = elo

    def set_skill(self, skill: int) -> None:
        """0 is the weakest, FULL_SKILL no limit."""
        self._skill = skill

    def reseed(self, seed: str) -> None:
        """Begin a game with another taste and other moods."""
        self._seed = seed

    @property
    def level(self) -> Level | None:
        """How weak to play, None: not at all. An Elo is more exact than a skill and counts first."""
        if self._limited:
            return level_of_elo(self._elo)
        if self._skill < FULL_SKILL:
            return level_of_elo(elo_of_skill(self._skill))
        return None

    def search(
        self,
        searcher: SearcherProtocol,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        started: float,
        lines: int,
        threads: int,
    ) -> Result:
        """Search as little as the level says, and play what it likes.

        `lines` are shown; they and `threads` are the searcher's own values of MultiPV and Threads.
        """
        level = self.level
        if level is None:
            return searcher.search(board, limits, on_info, started)
        few = replace(limits, nodes=min(limits.nodes or level.nodes, level.nodes))
        found: list[Info] = []

        def listen(info: Info) -> None:
            if info.multipv == 1:
                found.clear()
            found.append(info)

        own = {"MultiPV": lines, "Threads": threads}
        with _lent(searcher, own, {"MultiPV": max(lines, level.lines), "Threads": 1}):
            result = searcher.search(board, few, listen, started)
            if not found:  # the first depth, which a level wants to be whole, was too much
                few = replace(few, nodes=None, depth=1)
                result = searcher.search(board, few, listen, started)
        found = [info for info in found if info.pv]
        if not found:
            return result
        chosen = self.choose(level, board, found)
        found.remove(chosen)
        for number, info in enumerate([chosen, *found][:lines], 1):
            on_info(replace(info, multipv=number))
        return Result(chosen.pv[0], chosen.pv[1] if len(chosen.pv) > 1 else None, chosen)

    def choose(self, level: Level, board: chess.Board, lines: Sequence[Info]) -> Info:
        """The line to play out of the best ones; each has a move."""
        best = max(_worth(line.score) for line in lines)
        fine = [line for line in lines if best - _worth(line.score) <= level.forgiven]
        return max(fine, key=lambda line: self._liking(level, board, line))

    def _liking(self, level: Level, board: chess.Board, line: Info) -> float:
        """What a move looks worth to this player in this game, centipawns."""
        move = line.pv[0]
        taste = self._dice(str(board.piece_at(move.from_square)), str(move.to_square))
        noise = self._dice(board.epd(), move.uci())
        gumbel = -math.log(-math.log(noise.uniform(1e-9, 1 - 1e-9)))
        return _worth(line.score) + level.taste * taste.gauss() + level.temperature * gumbel

    def _dice(self, *about: str) -> random.Random:
        """Chance, but always the same about the same thing in a game."""
        return random.Random(" ".join([self._seed, *about]))  # noqa: S311 - a game, not a secret


@contextmanager
def _lent(searcher: SearcherProtocol, own: dict[str, int], lent: dict[str, int]) -> Iterator[None]:
    """Let options of a searcher have other values than its own for a while."""
    changed = [name for name in own if own[name] != lent[name]]
    for name in changed:
        searcher.set_option(name, lent[name])
    try:
        yield
    finally:
        for name in changed:
            searcher.set_option(name, own[name])


def _worth(score: Score) -> float:
    """A score as a player feels it: the more is won or lost already, the less more of it counts."""
    if score.mate is None:
        plain = float(score.centipawns or 0)
    else:
        far = min(abs(score.mate), _LONGEST_MATE)
        plain = math.copysign(_MATE_WORTH - _MATE_STEP * far, score.mate)
    return plain / (1 + abs(plain) / _HALFWAY)
