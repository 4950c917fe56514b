"""Limited strength, for fair games against people.

Three changes weaken the engine, none of which depends on the speed of the computer:

* It searches fewer nodes, so it sees less deep. Most of its mistakes come from that, and they are human
  mistakes: tactics a few moves ahead.
* It has a taste: for a whole game it overrates certain pieces on certain squares a little.
* It chooses at random among the moves that look nearly as good as the best, better ones more often
  (softmax, drawn by the Gumbel-max trick). It never chooses a move that looks much worse, so it does not
  give away a queen that it sees hanging and play like a master afterwards.

All randomness depends on the seed of the game, the position and the move.
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
_HALFWAY: Final = 1000  # centipawns: beyond, larger scores hardly count for more


class Handicap:
    """The strength options, and the choice of a move."""

    def __init__(self) -> None:
        self._limited = False
        self._elo = DEFAULT
        self._skill = FULL_SKILL
        self._seed = ""

    def limit(self, wanted: bool) -> None:
        """Switch the limit to an Elo on or off."""
        self._limited = wanted

    def set_elo(self, elo: int) -> None:
        """Set the Elo to play at."""
        self._elo = elo

    def set_skill(self, skill: int) -> None:
        """Set the skill level: 0 is the weakest, FULL_SKILL no limit."""
        self._skill = skill

    def reseed(self, seed: str) -> None:
        """Start a game with another taste and other random choices."""
        self._seed = seed

    @property
    def level(self) -> Level | None:
        """The level to play at; None for full strength. An Elo is more exact and overrides a skill."""
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
        """Search with the level's limits and choose a move of the level.

        `lines` and `threads` are the searcher's own values of MultiPV and Threads; `lines` are reported.
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
            if not found:  # the first depth, which a level needs to be complete, was not finished
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
        """The apparent worth of a move at this level in this game, centipawns."""
        move = line.pv[0]
        taste = self._dice(str(board.piece_at(move.from_square)), str(move.to_square))
        noise = self._dice(board.epd(), move.uci())
        gumbel = -math.log(-math.log(noise.uniform(1e-9, 1 - 1e-9)))
        return _worth(line.score) + level.taste * taste.gauss() + level.temperature * gumbel

    def _dice(self, *about: str) -> random.Random:
        """A random generator that is the same for the same arguments within a game."""
        return random.Random(" ".join([self._seed, *about]))  # noqa: S311 - a game, not a secret


@contextmanager
def _lent(searcher: SearcherProtocol, own: dict[str, int], lent: dict[str, int]) -> Iterator[None]:
    """Temporarily set options of a searcher to other values than its own."""
    changed = [name for name in own if own[name] != lent[name]]
    for name in changed:
        searcher.set_option(name, lent[name])
    try:
        yield
    finally:
        for name in changed:
            searcher.set_option(name, own[name])


def _worth(score: Score) -> float:
    """A score with diminishing returns: the more is won or lost already, the less a change counts."""
    if score.mate is None:
        plain = float(score.centipawns or 0)
    else:
        far = min(abs(score.mate), _LONGEST_MATE)
        plain = math.copysign(_MATE_WORTH - _MATE_STEP * far, score.mate)
    return plain / (1 + abs(plain) / _HALFWAY)
