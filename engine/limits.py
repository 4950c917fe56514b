"""What a search is asked and what it answers, in terms that every front end and searcher share.

Standard library only: the protocol loop must be able to read this before NumPy and Numba are there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import chess

_LONGEST_PATIENCE: Final = 1.0  # seconds of a move's time


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop; all times in milliseconds, None = not given. The first limit reached counts."""

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
    held: bool = False  # the answer waits for `stop`, even if the search has ended
    ponder: bool = False
    search_moves: tuple[str, ...] | None = None  # UCI strings, None = all
    perft: int | None = None

    def patience(self, white: bool) -> float | None:
        """Seconds that may go by before the search begins; None where no clock is running."""
        if self.movetime is not None:
            return min(_LONGEST_PATIENCE, self.movetime / 4000)
        clock = self.white_time if white else self.black_time
        return None if clock is None else min(_LONGEST_PATIENCE, clock / 30_000)


@dataclass(frozen=True, slots=True)
class Score:
    """From the view of the side to move; exactly one of the two is given."""

    centipawns: int | None = None
    mate: int | None = None  # in full moves, negative = being mated


@dataclass(frozen=True, slots=True)
class Info:
    """One line of thinking."""

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


@dataclass(frozen=True, slots=True)
class Current:
    """What a search is looking at just now."""

    depth: int
    move: chess.Move  # at the root
    number: int  # of that move, from 1


@dataclass(frozen=True, slots=True)
class Result:
    """The move to play; `best` is None if there is no legal move."""

    best: chess.Move | None
    ponder: chess.Move | None
    info: Info | None


class Searcher(Protocol):
    """Whatever can be asked for a move. `search` runs in one thread, the rest is called from others."""

    def arm(self) -> None:
        """Forget an earlier `stop`; called before a search is handed to its thread."""

    def search(
        self,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        started: float | None = None,
    ) -> Result:
        """Search until a limit or `stop`; `started` is the `time.monotonic()` of the request.

        May return early even if the limits say held or ponder: the caller holds the answer back.
        """

    def stop(self) -> None:
        """End the search soon; not lost if `search` has not really begun yet."""

    def ponderhit(self) -> None:
        """The move pondered on was played: the clock starts now."""

    def current(self) -> Current | None:
        """What the search is looking at, if that is known; any thread may ask while it runs."""

    def new_game(self) -> None:
        """Forget everything about the last game."""

    def configure(self, name: str, value: int | bool | str) -> str | None:
        """Set an option between searches; returns a message for the user, or None."""
