"""Limited strength, for fair games against people.

A level searches a fixed number of nodes, whatever the speed of the computer, and draws a move as people of
its rating play them: `engine.people.model` has the chance of each move, by the position and by what the
search has found. A style likes moves of certain kinds more; the highest levels, above the ratings of most
people, look more and more at the scores alone. A position is never repeated for a win.

A level can say afterwards what its move has missed. A win it finishes: against a bare king, once it has
announced a mate, and with a mate in three, it plays what a search of many nodes finds.

All randomness depends on the seed of the game, the position and the move. What was searched before, for a
move or in an analysis, does not matter: a move's searches begin with an empty memory.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
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
from boomslang.engine.levels.oversight import oversight, plain
from boomslang.engine.levels.style import BY_NAME, Style
from boomslang.engine.levels.think_time import draw_time, moment_of
from boomslang.engine.limits import (
    MOVES_TO_GO,
    Info,
    Limits,
    Listener,
    Result,
    Score,
    ignore,
)

if TYPE_CHECKING:
    from boomslang.engine.driver.protocol import SearcherProtocol
    from boomslang.engine.driver.search_task import SearchTask
    from boomslang.engine.people.model import PeopleModel

Find: TypeAlias = Callable[[Limits], Result]

HALFWAY: Final = 1000  # centipawns: beyond, larger scores hardly count for more
_WITHOUT_MODEL: Final = 60.0  # centipawns: temperature where there is no model of people
_MIN_CHANCE: Final = 1e-12  # whose logarithm can be taken
_MIN_REVERSIBLE: Final = 3  # plies before a move that repeats a position
FINISHING: Final = 50_000  # nodes for a move that finishes a win
MATE: Final = 3  # moves: such a mate is always played, a shorter one as often as by people


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
        self._persons: int | None = None  # the rating of the person to play like
        self.level: Level | None = None  # to play at; None: full strength
        self._style = BY_NAME[BALANCED]
        self._tells_oversights = False
        self.complaint = ""  # why Match Opponent has no effect, to be said when a search begins
        self._mating: tuple[str, list[chess.Move]] | None = None  # the game up to a mating move
        self._takes_time = False
        self.model: PeopleModel | None = None  # of the moves of people, for the next move

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

    def take_time(self, wanted: bool) -> None:
        """Take, or not, the time that people take, where a clock alone limits a move."""
        self._takes_time = wanted

    def play_like(self, rating: int | None) -> None:
        """Play at the rating of a person, unless another one is chosen; None: there is no person."""
        self._persons = rating
        self._set_level()

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

    def complain(self) -> None:
        """Say, once, why Match Opponent has no effect."""
        complaint, self.complaint = self.complaint, ""
        if complaint:
            self._say(complaint)

    def reseed(self, seed: str) -> None:
        """Start a game with other random choices."""
        self._seed = seed
        self._mating = None

    def _set_level(self) -> None:
        """The rating of an opponent to be matched overrides an Elo, that a skill, that a person's."""
        if self._matching and self._rating is not None:
            self.level = level_of_elo(self._rating)
        elif self._limited:
            self.level = level_of_elo(self._elo)
        elif self._skill < FULL_SKILL:
            self.level = level_of_elo(elo_of_skill(self._skill))
        elif self._persons is not None:
            self.level = level_of_elo(self._persons)
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
        """Search with the level's limits and draw a move of the level."""
        if self.level is None:
            return searcher.search(board, limits, on_info, started)
        find = partial(searcher.search, board, on_info=ignore, started=started)
        with searcher.fresh_memory():
            result = self._find_move(self.level, find, board, replace(limits, threads=1))
        return self._answer(board, result, limits.multipv or 1, on_info)

    def rest(
        self, task: SearchTask, searcher: SearcherProtocol, board: chess.Board, move: chess.Move
    ) -> None:
        """Wait until a move of a level has taken the time that people of its rating take, if wanted."""
        limits, level, model = task.limits, self.level, self.model
        left, increment = limits.black_time, limits.black_increment
        if board.turn:
            left, increment = limits.white_time, limits.white_increment
        fixed = limits.depth or limits.nodes or limits.movetime or not limits.playing
        if fixed or not (self._takes_time and level and model and left):
            return
        if limits.moves_to_go:  # there is more time afterwards
            left *= max(1, MOVES_TO_GO // limits.moves_to_go)
        chances, clock = model.chances(board, level.rating), (left / 1000, (increment or 0) / 1000)
        moment = moment_of(board, move, chances, level.rating, *clock)
        dice = random.Random(f"{self._seed} {board.epd()} time")  # noqa: S311 - a game, not a secret
        searcher.rest(board, limits, draw_time(moment, dice), task.rest)

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
        lines = [unrepeated(board, line) for line in lines]
        number = self.choose(level, board, lines, first)
        if self._tells_oversights and (remark := oversight(board, lines, number)):
            self._say(remark)
        chosen = lines[number]
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

    def choose(
        self,
        level: Level,
        board: chess.Board,
        lines: Sequence[Info],
        first: Sequence[Info],
    ) -> int:
        """The number of the line to play, of a search that was preceded by a `first` look at depth 1."""
        found = preferences(level, board, lines, first, self.model, self._style)
        epd = board.epd()
        drawn = [
            preference + _gumbel(self._seed, epd, line.pv[0])
            for preference, line in zip(found, lines, strict=True)
        ]
        return drawn.index(max(drawn))


def preferences(
    level: Level,
    board: chess.Board,
    lines: Sequence[Info],
    first: Sequence[Info],
    model: PeopleModel | None,
    style: Style,
) -> list[float]:
    """The logarithm of how often a level plays each line, but for a constant; by scores without a model."""
    chances: Mapping[chess.Move, float] = {}
    temperature = min(level.temperature, _WITHOUT_MODEL)
    if model:
        from boomslang.engine.people.model import values_of

        chances = model.chances(board, level.rating, values=values_of(lines, first))
        temperature = level.temperature
    return [
        math.log(max(chances.get(line.pv[0], _MIN_CHANCE), _MIN_CHANCE))
        + _diminishing(plain(line.score)) / temperature
        + style.liking(board, line.pv[0])
        for line in lines
    ]


def unrepeated(board: chess.Board, line: Info) -> Info:
    """The line; no better than a draw if its first move repeats a position: so it ends if it goes on."""
    if board.halfmove_clock < _MIN_REVERSIBLE or plain(line.score) <= 0:
        return line
    after = board.copy(stack=board.halfmove_clock)
    after.push(line.pv[0])
    return replace(line, score=Score(0)) if after.is_repetition(2) else line


def _gumbel(seed: str, epd: str, move: chess.Move) -> float:
    """A number of the Gumbel distribution, the same for the same arguments: a softmax, drawn."""
    dice = random.Random(f"{seed} {epd} {move.uci()}")  # noqa: S311 - a game, not a secret
    return -math.log(-math.log(dice.uniform(1e-9, 1 - 1e-9)))


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
