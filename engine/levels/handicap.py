"""Limited strength, for fair games against people.

A level searches a fixed number of nodes, whatever the speed of the computer, and does not make use of all
that the search finds:

* It overlooks what people overlook: a line is followed only as far as the level's reach or caution, see
  `engine.levels.sight`.
* It has a taste: for a whole game it overrates certain pieces on certain squares a little.
* It chooses at random among the moves that look nearly as good as the best, better ones more often
  (softmax, drawn by the Gumbel-max trick), and never one that looks much worse.

A win it finishes: against a bare king, once it has announced a mate, and with a mate in three, it plays what
a search of many nodes finds.

All randomness depends on the seed of the game, the position and the move.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

import chess

from boomslang.engine.levels.ladder import (
    DEFAULT,
    FULL_SKILL,
    HIGHEST,
    LOWEST,
    Level,
    elo_of_skill,
    level_of_elo,
    rating_in,
)
from boomslang.engine.levels.sight import Sight
from boomslang.engine.limits import Info, Limits, Result, SearcherProtocol

# Searches with limits, nodes and options; see `_found`.
Find: TypeAlias = Callable[[Limits, int, dict[str, int]], tuple[list[Info], Result]]

_HALFWAY: Final = 1000  # centipawns: beyond, larger scores hardly count for more
# Standard deviation of the logarithm of reach and caution, from move to move.
_UNSTEADY: Final = 0.25
FINISHING: Final = 50_000  # nodes for a move that finishes a win
MATE: Final = 3  # moves: such a mate is always played, a shorter one is seen or overlooked


class Handicap:
    """The strength options, and the choice of a move."""

    def __init__(self) -> None:
        self._limited = False
        self._elo = DEFAULT
        self._skill = FULL_SKILL
        self._seed = ""
        self._matching = False
        self._rating: int | None = None  # of the opponent
        self._has_complained = False
        self._mating: tuple[str, list[chess.Move]] | None = None  # the game up to a mating move

    def limit(self, wanted: bool) -> None:
        """Switch the limit to an Elo on or off."""
        self._limited = wanted

    def set_elo(self, elo: int) -> None:
        """Set the Elo to play at."""
        self._elo = elo

    def set_skill(self, skill: int) -> None:
        """Set the skill level: 0 is the weakest, FULL_SKILL no limit."""
        self._skill = skill

    def match(self, wanted: bool) -> str | None:
        """Play as strongly as the opponent, if the rating is known; returns a message or None."""
        self._matching = wanted
        self._has_complained = False
        return self._matched()

    def meet(self, opponent: str) -> str | None:
        """Take the rating from a value of UCI_Opponent; returns a message or None."""
        self._rating = rating_in(opponent)
        self._has_complained = False
        return self._matched()

    def complaint(self) -> str | None:
        """Why Match Opponent has no effect, once; options come in any order, so only when a search begins."""
        if self._has_complained or not self._matching or self._rating is not None:
            return None
        self._has_complained = True
        return "Match Opponent: the rating of the opponent is not known"

    def _matched(self) -> str | None:
        """What Match Opponent does now; None if that is nothing."""
        if not self._matching or self._rating is None:
            return None
        elo = min(max(self._rating, LOWEST), HIGHEST)
        return f"Match Opponent: playing at {elo} Elo, for the opponent is rated {self._rating}"

    def reseed(self, seed: str) -> None:
        """Start a game with another taste and other random choices."""
        self._seed = seed
        self._mating = None

    @property
    def level(self) -> Level | None:
        """The level to play at; None for full strength.

        The rating of an opponent to be matched overrides the options; an Elo is more exact than a skill
        and overrides it.
        """
        if self._matching and self._rating is not None:
            return level_of_elo(self._rating)
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
        own = {"MultiPV": lines, "Threads": threads}
        find = partial(_found, searcher, board, started, own)
        found = self._finishing(find, board, limits)
        if not found:
            lent = {"MultiPV": max(lines, level.lines), "Threads": 1}
            found, result = find(limits, level.nodes, lent)
            if not found:
                return result
            if mate := _mate(find, found[0], limits):
                found = mate
            else:
                chosen = self.choose(level, board, found)
                found.remove(chosen)
                found.insert(0, chosen)
        return self._answer(board, found[:lines], on_info)

    def _finishing(self, find: Find, board: chess.Board, limits: Limits) -> list[Info]:
        """The lines of a win that is being finished; none if there is no such win."""
        is_bare = chess.popcount(board.occupied_co[not board.turn]) == 1
        if not is_bare and not self._is_mating(board):
            return []
        found, _ = find(limits, FINISHING, {"Threads": 1})
        return found if found and (is_bare or (found[0].score.mate or 0) > 0) else []

    def _answer(
        self, board: chess.Board, lines: Sequence[Info], on_info: Callable[[Info], None]
    ) -> Result:
        """The answer with the first of the lines, which are reported; a mate will be finished."""
        for number, info in enumerate(lines, 1):
            on_info(replace(info, multipv=number))
        pv = lines[0].pv
        if (lines[0].score.mate or 0) > 0:
            self._mating = board.root().fen(), [*board.move_stack, pv[0]]
        return Result(pv[0], pv[1] if len(pv) > 1 else None, lines[0])

    def _is_mating(self, board: chess.Board) -> bool:
        """True after a move of this game that was announced as leading to mate."""
        if self._mating is None:
            return False
        root, moves = self._mating
        return board.move_stack[: len(moves)] == moves and board.root().fen() == root

    def choose(
        self, level: Level, board: chess.Board, lines: Sequence[Info], sight: Sight | None = None
    ) -> Info:
        """The line to play out of the best ones; each has a move. `sight` saves looking at them again."""
        sight = sight or Sight(board, lines)
        likings = list[tuple[float, float]]()  # apparent worth, and with taste and chance
        epd = board.epd()
        for number, line in enumerate(lines):
            move = line.pv[0]
            gumbel, steadiness = _luck(self._seed, epd, move)
            steady = math.exp(_UNSTEADY * steadiness)
            taste = _taste(self._seed, board.piece_at(move.from_square), move.to_square)
            worth = _diminishing(sight.worth(number, level.reach * steady, level.caution * steady))
            likings.append((worth, worth + level.taste * taste + level.temperature * gumbel))
        best = max(worth for worth, _ in likings)
        fine = [n for n, (worth, _) in enumerate(likings) if best - worth <= level.forgiven]
        return lines[max(fine, key=lambda number: likings[number][1])]


@lru_cache(maxsize=1024)  # levels that choose from the same lines have the same luck
def _luck(seed: str, epd: str, move: chess.Move) -> tuple[float, float]:
    """A number of the Gumbel distribution and one of the normal distribution, for a move."""
    dice = _dice(seed, epd, move.uci())
    return -math.log(-math.log(dice.uniform(1e-9, 1 - 1e-9))), dice.gauss()


@lru_cache(maxsize=4096)  # pieces and squares of a few games
def _taste(seed: str, piece: chess.Piece | None, square: chess.Square) -> float:
    """A number of the normal distribution for a piece on a square."""
    return _dice(seed, str(piece), str(square)).gauss()


def _dice(*about: str) -> random.Random:
    """A random generator that is the same for the same arguments."""
    return random.Random(" ".join(about))  # noqa: S311 - a game, not a secret


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


def _found(
    searcher: SearcherProtocol,
    board: chess.Board,
    started: float,
    own: dict[str, int],
    limits: Limits,
    nodes: int,
    lent: dict[str, int],
) -> tuple[list[Info], Result]:
    """The lines of the last depth that a search of `nodes` nodes has finished, and its result.

    The searcher has the options `lent` meanwhile, and afterwards its `own` again.
    """
    found: list[Info] = []

    def listen(info: Info) -> None:
        if info.multipv == 1:
            found.clear()
        found.append(info)

    few = replace(limits, nodes=min(limits.nodes or nodes, nodes))
    with _lent(searcher, own, own | lent):
        result = searcher.search(board, few, listen, started)
        if not found:  # not even the first depth was finished
            result = searcher.search(board, replace(few, nodes=None, depth=1), listen, started)
    return [info for info in found if info.pv], result


def _mate(find: Find, best: Info, limits: Limits) -> list[Info]:
    """The lines of a mate that every level plays; none if there is none, or a shorter one."""
    if (best.score.mate or 0) > 0:
        return [best] if best.score.mate == MATE else []
    found, _ = find(replace(limits, mate=MATE), FINISHING, {"Threads": 1})
    return found if found and found[0].score.mate == MATE else []


def _diminishing(worth: float) -> float:
    """The more is won or lost already, the less a change counts."""
    return worth / (1 + abs(worth) / _HALFWAY)
