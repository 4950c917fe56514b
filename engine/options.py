"""The options of the engine: one table, by which they are declared, read, bounded, set and documented.

Only light modules of the standard library are imported: a protocol declares them before NumPy is there.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias

from boomslang.engine.errors import CommandError
from boomslang.engine.levels.ladder import DEFAULT, FULL_SKILL, HIGHEST, LOWEST
from boomslang.engine.system.identity import ABOUT
from boomslang.engine.system.sanitize import number, quote, suggest

if TYPE_CHECKING:
    from boomslang.engine.engine import Engine

Value: TypeAlias = int | bool | str
Given: TypeAlias = "Value | os.PathLike[str] | SupportsIndex"  # by a program
# Sets an option between two searches; returns a message for the user, or None.
Setter: TypeAlias = "Callable[[Engine, Any], str | None]"

EMPTY: Final = "<empty>"
ENVIRONMENT: Final = "BOOMSLANG_TUNE"  # 1 declares the search parameters too
UCI: Final = "uci"
CECP: Final = "cecp"
_BOTH: Final = (UCI, CECP)


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `kind` is UCI's word for its type.

    The bounds are for a "spin", the choices for a "combo". `setter` is None where there is nothing to
    set. An option is declared in the protocols named; the other has a command of its own for it, or no
    use. `is_read_only`: no other value than the default is taken.
    """

    name: str
    kind: str
    default: Value = ""
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()
    setter: Setter | None = None
    protocols: tuple[str, ...] = _BOTH
    is_read_only: bool = False

    def read(self, given: Given) -> Value:
        """The value that is given, as text or as what it is; a number outside the bounds is clipped.

        Raises CommandError if it is none.
        """
        if self.kind == "button":
            return True
        if self.is_read_only and given != self.default:
            raise CommandError(f"{self.name} is only there to be read")
        if self.kind == "string":
            if not isinstance(given, str | os.PathLike):
                raise CommandError(f"{self.name} is a text or a path")
            text = os.fsdecode(given)
            return "" if text.lower() == EMPTY else text
        if self.kind == "check":
            value = {"true": True, "false": False}.get(str(given).lower())
            if value is None:
                raise CommandError(f"{self.name} is true or false")
            return value
        if self.kind == "combo":
            choice = str(given).lower()
            if choice not in self.choices:
                raise CommandError(f"{self.name} is one of {', '.join(self.choices)}")
            return choice
        amount = _whole_number(given)
        if amount is None:
            raise CommandError(
                f"{self.name} is a whole number from {self.lowest} to {self.highest}"
            )
        return min(max(amount, self.lowest), self.highest)


def _whole_number(given: Given) -> int | None:
    """An integer, also of NumPy or as text; None for anything else."""
    if isinstance(given, str):
        return number(given)
    if isinstance(given, bool | os.PathLike):
        return None
    try:
        return operator.index(given)
    except TypeError:
        return None


def _searcher(name: str) -> Setter:
    """An option that searchers set themselves, see `engine.limits.SearcherProtocol.set_option`."""
    return lambda engine, value: engine._set_searcher_option(name, value)


def search_parameters() -> Iterator[Option]:
    """The search parameters as options, for tuning; hidden unless BOOMSLANG_TUNE is 1."""
    if os.environ.get(ENVIRONMENT) != "1":
        return
    from boomslang.engine.search.params import TABLE

    yield Option("Exact", "check", False, setter=_searcher("Exact"))
    for param in TABLE:
        setter = _searcher(param.name)
        yield Option(param.name, "spin", param.default, param.low, param.high, setter=setter)


OPTIONS: Final = (
    # Megabytes. XBoard says `memory` and `cores`.
    Option("Hash", "spin", 16, 1, 131072, setter=_searcher("Hash"), protocols=(UCI,)),
    Option("Threads", "spin", 1, 1, 1024, setter=_searcher("Threads"), protocols=(UCI,)),
    Option("Clear Hash", "button", setter=_searcher("Clear Hash")),
    Option(
        "Ponder", "check", False, protocols=(UCI,)
    ),  # declares the ability; nothing is to be set
    Option("MultiPV", "spin", 1, 1, 256, setter=_searcher("MultiPV")),
    # Milliseconds lost on the way of each move.
    Option("Move Overhead", "spin", 100, 0, 5000, setter=_searcher("Move Overhead")),
    # Nodes that count as a millisecond; 0: the clock.
    Option("nodestime", "spin", 0, 0, 10_000, setter=_searcher("nodestime"), protocols=(UCI,)),
    Option("EvalFile", "string", setter=_searcher("EvalFile")),  # empty: the one that ships
    Option(
        "Evaluation",
        "combo",
        "network",
        choices=("network", "classical"),
        setter=_searcher("Evaluation"),
    ),
    Option("OwnBook", "check", False, setter=lambda engine, on: engine.book.use(on)),
    Option("BookFile", "string", setter=lambda engine, path: engine.book.open(path)),
    Option("Best Book Move", "check", False, setter=lambda engine, on: engine.book.best_only(on)),
    Option("Book Depth", "spin", 255, 1, 255, setter=lambda engine, n: engine.book.limit_to(n)),
    Option(
        "SyzygyPath",
        "string",
        setter=lambda engine, path: engine._open_tables(path),
        protocols=(UCI,),
    ),
    # Plies: shallower searches do without.
    Option(
        "SyzygyProbeDepth",
        "spin",
        1,
        1,
        100,
        setter=lambda engine, plies: engine.tablebase.set_depth(plies),
    ),
    Option(
        "SyzygyProbeLimit",
        "spin",
        7,
        0,
        7,
        setter=lambda engine, men: engine.tablebase.set_limit(men),
    ),
    Option(
        "Syzygy50MoveRule",
        "check",
        True,
        setter=lambda engine, on: engine.tablebase.set_fifty(on),
    ),
    Option(
        "UCI_LimitStrength",
        "check",
        False,
        setter=lambda engine, on: engine.handicap.limit(on),
    ),
    Option(
        "UCI_Elo",
        "spin",
        DEFAULT,
        LOWEST,
        HIGHEST,
        setter=lambda engine, elo: engine.handicap.set_elo(elo),
    ),
    Option(
        "Skill Level",
        "spin",
        FULL_SKILL,
        0,
        FULL_SKILL,
        setter=lambda engine, skill: engine.handicap.set_skill(skill),
    ),
    # Of weak play and book moves; 0: another in each game.
    Option("Random Seed", "spin", 0, 0, 2**31 - 1, setter=lambda engine, n: engine._set_seed(n)),
    Option(
        "UCI_Chess960",
        "check",
        False,
        setter=lambda engine, on: engine._read_position_anew(),
        protocols=(UCI,),
    ),
    Option("UCI_ShowWDL", "check", False, protocols=(UCI,)),  # of the protocol
    Option(
        "UCI_AnalyseMode",
        "check",
        False,
        setter=lambda engine, on: engine._set_analysing(on),
        protocols=(UCI,),
    ),
    Option(
        "UCI_Opponent",
        "string",
        setter=lambda engine, opponent: engine.handicap.meet(opponent),
        protocols=(UCI,),
    ),
    # Takes the strength from the rating in UCI_Opponent.
    Option(
        "Match Opponent",
        "check",
        False,
        setter=lambda engine, on: engine.handicap.match(on),
    ),
    Option("UCI_EngineAbout", "string", ABOUT, protocols=(UCI,), is_read_only=True),
    Option(
        "Search Algorithm",
        "combo",
        "alphabeta",
        choices=("alphabeta", "mcts"),
        setter=_searcher("Search Algorithm"),
    ),
    Option("Debug Log File", "string"),  # of the protocols
    Option("Resign Below", "spin", 0, 0, 10_000, protocols=(CECP,)),  # centipawns; 0: never
    *search_parameters(),
)

_BY_NAME: Final = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of that name in any case, with blanks or underscores.

    Raises CommandError, with similar names, and TypeError if the name is not text.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of an option is text, not of type {type(name).__name__}")
    low = name.lower()
    if option := _BY_NAME.get(low) or _BY_NAME.get(low.replace("_", " ")):
        return option
    hint = suggest(name, (option.name for option in OPTIONS))
    raise CommandError(f"unknown option {quote(name)}{hint}")


def declared_in(protocol: str) -> list[Option]:
    """The options that a protocol declares."""
    return [option for option in OPTIONS if protocol in option.protocols]
