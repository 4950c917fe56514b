"""The limits of a search and its results, as all front ends and searchers exchange them.

Standard library only: the protocol loop reads this before NumPy and Numba are imported.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import total_ordering
from typing import TYPE_CHECKING, Final, TypeAlias

from boomslang.engine.errors import CommandError

if TYPE_CHECKING:
    import chess
    import chess.engine

MOVES_TO_GO: Final = 40  # a game is assumed to last at most this many more moves
SPENDABLE_INCREMENT: Final = 0.75  # share of the increment that is added to the time for a move
MAX_SHARE: Final = 0.5  # largest share of the time left that goes into one move
# Largest share of the time for a move that is spent on waiting for the searcher.
WAIT_SHARE: Final = 0.25
MAX_WAIT: Final = 1.0  # seconds of it
DEFAULT_OVERHEAD: Final = 100  # milliseconds lost on the way of a move
KNOWN_WIN: Final = 20_000  # centipawns of a win by the tablebases, less the plies to it
MAX_COUNT: Final = 10**18  # fits into 64 bits
MAX_TIME: Final = 10**10  # milliseconds, four months

_COUNTS: Final = ("depth", "nodes", "mate", "moves_to_go", "perft", "multipv", "threads")
_TIMES: Final = (
    *("movetime", "white_time", "black_time"),
    *("white_increment", "black_increment", "overhead"),
)
_FLAGS: Final = ("infinite", "wait_for_stop", "ponder", "analysing")


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; None = not given. The first limit reached counts.

    `depth` is in plies, `mate` in full moves, `nodes` in positions; `movetime`, `overhead` and the clocks
    (`white_time` to `black_increment`) are in milliseconds. `moves_to_go` are the moves until the next time
    control. `infinite` searches until `Engine.stop`, `ponder` until `ponderhit` too. `search_moves` are UCI
    strings or `chess.Move`; None = all. For one search, `multipv` (lines) and `overhead` (time that a move
    loses on its way) override the options, `threads` lowers that of the option, and `analysing` searches at
    full strength without the opening book. `wait_for_stop` and `perft` belong to the protocols.

    Numbers are whole, those of NumPy too: counts from 1, times from 0; beyond MAX_COUNT and MAX_TIME they are
    clipped. Raises TypeError for anything else, CommandError for smaller numbers and for no move.
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None  # in full moves
    white_time: int | None = None
    black_time: int | None = None
    white_increment: int | None = None
    black_increment: int | None = None
    moves_to_go: int | None = None
    infinite: bool = False  # no limit: until the greatest depth, or `stop`
    wait_for_stop: bool = False  # the answer waits for `stop`, even if the search has ended
    ponder: bool = False
    search_moves: Iterable[str | chess.Move] | None = None  # becomes UCI strings; None = all
    perft: int | None = None
    analysing: bool = False  # at full strength and without the opening book
    multipv: int | None = None  # lines
    threads: int | None = None  # no more than the option Threads
    overhead: int | None = None  # lost on the way of the move; None: DEFAULT_OVERHEAD

    def __post_init__(self) -> None:
        for names, least, most in ((_COUNTS, 1, MAX_COUNT), (_TIMES, 0, MAX_TIME)):
            for name in names:
                if (given_value := getattr(self, name)) is not None:
                    object.__setattr__(self, name, whole_number(name, given_value, least, most))
        for name in _FLAGS:
            given_value = getattr(self, name)
            if type(given_value).__name__ == "bool_":  # NumPy's, which is called bool since NumPy 2
                object.__setattr__(self, name, bool(given_value))
            elif type(given_value).__name__ != "bool":
                raise TypeError(
                    f"{name} is True or False, not of type {type(given_value).__name__}"
                )
        if self.search_moves is not None:
            moves = spell_moves(self.search_moves, "search_moves")
            if not moves:
                raise CommandError("search_moves: no move is named; None stands for all")
            object.__setattr__(self, "search_moves", moves)

    @property
    def playing(self) -> bool:
        """True if the search is for a move of a game, False for an analysis."""
        return not (self.analysing or self.infinite or self.mate is not None)

    def check(self, white: bool) -> None:
        """Raise CommandError if they are none for a search with White or Black to move."""
        if self.perft is not None:
            raise CommandError("go searches; perft counts, see boomslang.perft.divide.divide")
        if self._lacks_clock(white):
            colour = "white" if white else "black"
            raise CommandError(f"{colour} is to move, and {colour}_time is missing")

    def _lacks_clock(self, white: bool) -> bool:
        """True if only a clock would end the search, but that of White or Black is not given."""
        clock = self.white_time if white else self.black_time
        ends = (clock, self.movetime, self.depth, self.nodes, self.mate)
        if self.infinite or any(end is not None for end in ends):
            return False
        clocks = (self.white_time, self.black_time, self.white_increment, self.black_increment)
        return any(part is not None for part in (*clocks, self.moves_to_go))

    def share(self, white: bool, overhead: float = 0.0) -> float | None:
        """Seconds that a move of White or Black may cost; None where no clock is running.

        That is `movetime`, or a fair part of the time left less `overhead` seconds, which the connection
        costs; the lesser of the two if both are given. More than 0, and less than the clock says.
        """
        movetime = None if self.movetime is None else max(0.0, self.movetime / 1000)
        clock = self.white_time if white else self.black_time
        if clock is None or self.infinite:
            return movetime
        increment = (self.white_increment if white else self.black_increment) or 0
        moves = min(max(1, self.moves_to_go or MOVES_TO_GO), MOVES_TO_GO)
        left = max(clock / 1000 - overhead, 0.05 * clock / 1000, 0.0)
        fair = min(left / moves + SPENDABLE_INCREMENT * increment / 1000, MAX_SHARE * left)
        return fair if movetime is None else min(fair, movetime)

    def longest_wait(self, white: bool, part: float = WAIT_SHARE) -> float | None:
        """Seconds of that time which may pass before the search; None where no clock is running."""
        share = self.share(white)
        return None if share is None else min(MAX_WAIT, part * share)


def spell_moves(moves: Iterable[str | chess.Move], name: str) -> tuple[str, ...]:
    """Moves as UCI strings; raises TypeError, which calls them `name`."""
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise TypeError(f"{name} are a list of moves, not of type {type(moves).__name__}")
    return tuple(_spell(move, name) for move in moves)


def _spell(move: str | chess.Move, name: str) -> str:
    if isinstance(move, str):
        return move
    try:
        return move.uci()
    except (AttributeError, TypeError):
        kind = type(move).__name__
        raise TypeError(f"{name} are UCI strings or chess.Move, not of type {kind}") from None


def whole_number(name: str, given: int, least: int, most: int) -> int:
    """A whole number, clipped to `most`; raises TypeError or CommandError, which call it `name`."""
    number: int | None
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or isinstance(given, bool):
        kind = type(given).__name__
        raise TypeError(f"{name} is a whole number from {least}, not of type {kind}")
    if number < least:
        raise CommandError(f"{name} is a whole number from {least}, not {max(number, -most)}")
    return min(number, most)


@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """From the view of the side to move; exactly one of the two is given, the other is None.

    `centipawns` are those of the search; `mate` is in full moves, negative for being mated, 0 for mate.

    Better scores are greater, a mate in 2 than one in 3 and any mate than centipawns. As text it is in
    pawns or in moves to mate: "+0.32", "#3", "#-3".
    """

    centipawns: int | None = None
    mate: int | None = None  # in full moves, negative = being mated, 0 = mated

    def __lt__(self, other: Score) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._worth < other._worth

    def __neg__(self) -> Score:
        """From the view of the other side; one that is mated is so in both."""
        cp, mate = self.centipawns, self.mate
        return Score(None if cp is None else -cp, None if mate is None else -mate)

    def to_chess(self) -> chess.engine.Score:
        """The same as python-chess has it."""
        from chess.engine import Cp, Mate

        return Cp(self.centipawns or 0) if self.mate is None else Mate(self.mate)

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.centipawns or 0) / 100:+.2f}"

    @property
    def _worth(self) -> tuple[int, int]:
        """What is compared."""
        if self.mate is None:
            return 0, self.centipawns or 0
        return (1 if self.mate > 0 else -1), -self.mate


@dataclass(frozen=True, slots=True)
class Info:
    """One line of thinking.

    `depth` and `seldepth` are in plies, `multipv` is the rank of the line from 1, `bound` is empty for an
    exact score, else "lowerbound" or "upperbound". `nodes` and `tbhits` count positions, `nps` are nodes per
    second, `hashfull` is per mille of the table, `time` is in milliseconds. `pv` has the moves of the line.
    `wdl` are the probabilities of win, draw and loss per mille, where the engine says them. What another
    engine does not say is 0.
    """

    depth: int
    seldepth: int
    multipv: int
    score: Score
    bound: str  # "" = exact, "lowerbound" or "upperbound"
    nodes: int
    nps: int
    hashfull: int  # per mille
    tbhits: int
    time: int  # milliseconds
    pv: tuple[chess.Move, ...]
    wdl: tuple[int, int, int] | None = None  # per mille

    @classmethod
    def of(
        cls,
        score: Score,
        depth: int = 0,
        pv: tuple[chess.Move, ...] = (),
        wdl: tuple[int, int, int] | None = None,
    ) -> Info:
        """An exact line of which no more is known."""
        return cls(depth, 0, 1, score, "", 0, 0, 0, 0, 0, pv, wdl)


@dataclass(frozen=True, slots=True)
class CurrentMove:
    """The root move that is being searched."""

    depth: int
    move: chess.Move  # at the root
    number: int  # number of that move, from 1


@dataclass(frozen=True, slots=True)
class Result:
    """The move to play, and the last line of thinking for each variation, the best first.

    `best` is None if there is no legal move. `timing` is a line for developers: the time that was allotted,
    and used.
    """

    best: chess.Move | None
    ponder: chess.Move | None
    lines: tuple[Info, ...] = ()
    timing: str = ""

    @property
    def info(self) -> Info | None:
        """The best line, if there is one."""
        return self.lines[0] if self.lines else None

    @classmethod
    def of(cls, lines: Sequence[Info], timing: str = "") -> Result:
        """The first two moves of the best line, which has one."""
        pv = lines[0].pv
        return cls(pv[0], pv[1] if len(pv) > 1 else None, tuple(lines), timing)


class ExactLines:
    """The newest exact lines of a search, in `lines`, the best first, each with a move of its own.

    Until a better line has an exact score a worse one does not count; what an iteration has not reached yet
    stands behind its lines, as the one before had it.
    """

    def __init__(self) -> None:
        self.lines: list[Info] = []
        self._early: dict[int, Info] = {}  # by rank, before the better ones
        self._most = 0

    def add(self, info: Info) -> None:
        """Take in the next line of the search."""
        place = info.multipv - 1
        if info.bound:
            return
        if place > len(self.lines):
            self._early[info.multipv] = info
            return
        self._most = max(self._most, info.multipv)
        others = [line for line in self.lines if line.pv[:1] != info.pv[:1]]
        lines = [*others[:place], info, *others[place:]][: self._most]
        self.lines = [replace(line, multipv=rank) for rank, line in enumerate(lines, 1)]
        following = self._early.pop(len(lines) + 1, None)
        if following and all(line.pv[:1] != following.pv[:1] for line in lines):
            self.add(following)


Listener: TypeAlias = Callable[[Info], None]


def ignore(_: object) -> None:
    """Listen to nothing that is told."""
