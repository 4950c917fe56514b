"""Limited strength, for fair games against people.

A level searches a fixed number of nodes, whatever the speed of the computer, and does not make use of all
that the search finds:

* It overlooks what people overlook: a line is followed only as far as the level's reach or caution, see
  `engine.levels.sight`.
* It has a style, which likes moves of certain kinds, and a square bias: for a whole game it overrates
  certain pieces on certain squares a little.
* It chooses at random among the moves that look nearly as good as the best, better ones more often
  (softmax, drawn by the Gumbel-max trick), and never one that looks much worse.

A level can say afterwards what it has overlooked. A win it finishes: against a bare king, once it has
announced a mate, and with a mate in three, it plays what a search of many nodes finds.

All randomness depends on the seed of the game, the position and the move. What was searched before, for a
move or in an analysis, does not matter: a move's searches begin with an empty memory.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias

import chess

from boomslang.engine.levels.ladder import (
    BALANCED,
    DEFAULT,
    FULL_SKILL,
    MAX_ELO,
    MIN_ELO,
    Level,
    elo_of_skill,
    level_of_elo,
    rating_in,
)
from boomslang.engine.levels.oversight import oversight
from boomslang.engine.levels.sight import Sight
from boomslang.engine.levels.style import BY_NAME
from boomslang.engine.limits import Info, Limits, Listener, Result, ignore

if TYPE_CHECKING:
    from boomslang.engine.driver.protocol import SearcherProtocol

Find: TypeAlias = Callable[[Limits], Result]

HALFWAY: Final = 1000  # centipawns: beyond, larger scores hardly count for more
# Standard deviation of the logarithm of reach and caution, from move to move.
UNSTEADY: Final = 0.25
FINISHING: Final = 50_000  # nodes for a move that finishes a win
MATE: Final = 3  # moves: such a mate is always played, a shorter one is seen or overlooked


class Handicap:
    """The strength options, and the choice of a move."""

    def __init__(self, say: Callable[[str], object] = ignore) -> None:
        """`say` is told what a move has overlooked, if `tell_oversights` wants it."""
        self._say = say
        self._limited = False
        self._elo = DEFAULT
        self._skill = FULL_SKILL
        self._seed = ""
        self._matching = False
        self._rating: int | None = None  # the opponent's
        self.level: Level | None = None  # to play at; None: full strength
        self._style = BY_NAME[BALANCED]
        self._tells_oversights = False
        self.complaint = ""  # why Match Opponent has no effect, to be said when a search begins
        self._mating: tuple[str, list[chess.Move]] | None = None  # the game up to a mating move

    def set_limited(self, wanted: bool) -> None:
        """Switch the limit to an Elo on or off."""
        self._limited = wanted
        self._set_level()

    def set_elo(self, elo: int) -> None:
        """Set the Elo to play at."""
        self._elo = elo
        self._set_level()

    def set_skill(self, skill: int) -> None:
        """Set the skill level: 0 is the weakest, FULL_SKILL no limit."""
        self._skill = skill
        self._set_level()

    def set_style(self, name: str) -> None:
        """Take a style by its name, see `engine.levels.style`."""
        self._style = BY_NAME[name]

    def tell_oversights(self, wanted: bool) -> None:
        """Say, or not, what a move has overlooked."""
        self._tells_oversights = wanted

    def match_opponent(self, wanted: bool) -> str | None:
        """Play as strongly as the opponent, if the rating is known; returns a message or None."""
        self._matching = wanted
        return self._describe_match()

    def set_opponent(self, opponent: str) -> str | None:
        """Take the rating from a value of UCI_Opponent; returns a message or None."""
        self._rating = rating_in(opponent)
        return self._describe_match()

    def _describe_match(self) -> str | None:
        """What Match Opponent does now; None if that is nothing."""
        self._set_level()
        unknown = self._matching and self._rating is None
        # Options come in any order: the rating may follow.
        self.complaint = (
            "Match Opponent: the rating of the opponent is not known" if unknown else ""
        )
        if not self._matching or self._rating is None:
            return None
        elo = min(max(self._rating, MIN_ELO), MAX_ELO)
        return f"Match Opponent: playing at {elo} Elo, for the opponent is rated {self._rating}"

    def reseed(self, seed: str) -> None:
        """Start a game with another square bias and other random choices."""
        self._seed = seed
        self._mating = None

    def _set_level(self) -> None:
        """The rating of an opponent to be matched overrides an Elo, which overrides a skill."""
        if self._matching and self._rating is not None:
            self.level = level_of_elo(self._rating)
        elif self._limited:
            self.level = level_of_elo(self._elo)
        elif self._skill < FULL_SKILL:
            self.level = level_of_elo(elo_of_skill(self._skill))
        else:
            self.level = None

    def search(
        self,
        searcher: SearcherProtocol,
        board: chess.Board,
        limits: Limits,
        on_info: Listener,
        started: float,
    ) -> Result:
        """Search with the level's limits and choose a move of the level."""
        if self.level is None:
            return searcher.search(board, limits, on_info, started)
        find = partial(searcher.search, board, on_info=ignore, started=started)
        with searcher.fresh_memory():
            result = self._find_move(self.level, find, board, replace(limits, threads=1))
        return self._answer(board, result, limits.multipv or 1, on_info)

    def _find_move(self, level: Level, find: Find, board: chess.Board, limits: Limits) -> Result:
        """The lines that a level chooses from, with that of the move to play as the first."""
        if finishing := self._finishing(find, board, limits):
            return Result.of(finishing)
        wide = replace(limits, multipv=max(limits.multipv or 1, level.lines))
        first = _lines(find(replace(wide, depth=1)))
        result = find(_within(wide, level.nodes))
        lines = _lines(result) or first
        if not lines:
            return result
        if mate := find_mate(find, lines[0], limits):
            return Result.of(mate)
        sight = Sight(board, lines, first)
        chosen = self.choose(level, sight)
        if self._tells_oversights:
            is_seen = partial(self._sees, level, sight)
            if remark := oversight(sight, lines.index(chosen), is_seen):
                self._say(remark)
        return Result.of([chosen, *(line for line in lines if line is not chosen)])

    def _finishing(self, find: Find, board: chess.Board, limits: Limits) -> list[Info]:
        """The lines of a win that is being finished; none if there is no such win."""
        is_bare = chess.popcount(board.occupied_co[not board.turn]) == 1
        if not is_bare and not self._is_mating(board):
            return []
        lines = _lines(find(_within(limits, FINISHING)))
        return lines if lines and (is_bare or (lines[0].score.mate or 0) > 0) else []

    def _answer(self, board: chess.Board, found: Result, count: int, on_info: Listener) -> Result:
        """The answer with the first of the lines, of which `count` are reported; a mate will be finished."""
        if not found.lines:
            return found
        lines = [
            replace(info, multipv=number) for number, info in enumerate(found.lines[:count], 1)
        ]
        for info in lines:
            on_info(info)
        if (lines[0].score.mate or 0) > 0:
            self._mating = board.root().fen(), [*board.move_stack, lines[0].pv[0]]
        return Result.of(lines)

    def _is_mating(self, board: chess.Board) -> bool:
        """True after a move of this game that was announced as leading to mate."""
        if self._mating is None:
            return False
        root, moves = self._mating
        return board.move_stack[: len(moves)] == moves and board.root().fen() == root

    def choose(self, level: Level, sight: Sight) -> Info:
        """The line to play out of those that are seen."""
        preferences = list[tuple[float, float]]()  # apparent worth, and with bias and chance
        board = sight.board
        for number, line in enumerate(sight.lines):
            move = line.pv[0]
            gumbel, _ = _noise(self._seed, sight.epd, move)
            bias = _square_bias(self._seed, board.piece_at(move.from_square), move.to_square)
            worth = sight.worth(number, *self._attention(level, sight, number), level.trust)
            worth = _diminishing(worth + self._style.liking(board, move))
            preferences.append(
                (worth, worth + level.square_bias * bias + level.temperature * gumbel)
            )
        best = max(worth for worth, _ in preferences)
        fine = [n for n, (worth, _) in enumerate(preferences) if best - worth <= level.max_loss]
        return sight.lines[max(fine, key=lambda number: preferences[number][1])]

    def _sees(self, level: Level, sight: Sight, number: int) -> bool:
        """True if a level sees a line to its end."""
        return sight.is_seen(number, *self._attention(level, sight, number))

    def _attention(self, level: Level, sight: Sight, number: int) -> tuple[float, float]:
        """Reach and caution of a level for a line, in moves: they are not steady."""
        _, steadiness = _noise(self._seed, sight.epd, sight.lines[number].pv[0])
        steady = math.exp(UNSTEADY * steadiness)
        return level.reach * steady, level.caution * steady


@lru_cache(maxsize=1024)  # levels that choose from the same lines have the same luck
def _noise(seed: str, epd: str, move: chess.Move) -> tuple[float, float]:
    """A number of the Gumbel distribution and one of the normal distribution, for a move."""
    dice = _dice(seed, epd, move.uci())
    return -math.log(-math.log(dice.uniform(1e-9, 1 - 1e-9))), dice.gauss()


@lru_cache(maxsize=4096)  # pieces and squares of a few games
def _square_bias(seed: str, piece: chess.Piece | None, square: chess.Square) -> float:
    """A number of the normal distribution for a piece on a square."""
    return _dice(seed, str(piece), str(square)).gauss()


def _dice(*about: str) -> random.Random:
    """A random generator that is the same for the same arguments."""
    return random.Random(" ".join(about))  # noqa: S311 - a game, not a secret


def _within(limits: Limits, nodes: int) -> Limits:
    """The limits, with no more than these nodes."""
    return replace(limits, nodes=min(limits.nodes or nodes, nodes))


def _lines(result: Result) -> list[Info]:
    return [info for info in result.lines if info.pv]


def find_mate(find: Find, best: Info, limits: Limits) -> list[Info]:
    """The lines of a mate that every level plays; none if there is none, or a shorter one."""
    if (best.score.mate or 0) > 0:
        return [best] if best.score.mate == MATE else []
    lines = _lines(find(_within(replace(limits, mate=MATE), FINISHING)))
    return lines if lines and lines[0].score.mate == MATE else []


def _diminishing(worth: float) -> float:
    """The more is won or lost already, the less a change counts."""
    return worth / (1 + abs(worth) / HALFWAY)
