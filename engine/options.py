"""The options of the engine: one table, by which they are declared, read, bounded, set and documented.

Only light modules of the standard library are imported: a protocol declares them before NumPy is there.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias

from boomslang.core.system.identity import ABOUT
from boomslang.core.system.sanitize import number, quote, suggest
from boomslang.engine.driver.loading import DEFAULT_HASH
from boomslang.engine.errors import CommandError
from boomslang.engine.levels.ladder import (
    BALANCED,
    DEFAULT,
    FULL_SKILL,
    MAX_ELO,
    MIN_ELO,
    STYLES,
    TIME_OPTION,
)
from boomslang.engine.limits import DEFAULT_OVERHEAD

if TYPE_CHECKING:
    from boomslang.engine.driver.searcher import Searcher

Value: TypeAlias = int | bool | str
Given: TypeAlias = "Value | os.PathLike[str] | SupportsIndex"  # by a program


# These set an option between two searches, and return a message for the user or None; those about failures
# begin with `error: `.
Setter: TypeAlias = Callable[[Any, Any], str | None]  # the engine and the value
SearcherSetter: TypeAlias = "Callable[[Searcher, Any], str | None]"

EMPTY: Final = "<empty>"
ALGORITHM: Final = "Search Algorithm"
ENVIRONMENT: Final = "BOOMSLANG_TUNE"  # 1 declares the search parameters too
UCI: Final = "uci"
CECP: Final = "cecp"
_BOTH: Final = (UCI, CECP)


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `kind` is UCI's word for its type.

    The bounds are for a "spin", the choices for a "combo". It is set by `setter` in the engine or by
    `search_setter` in the search; without either, its value is read when it is needed. An option is declared
    in the protocols named; the other has a command of its own for it, or no use. `is_read_only`: no other
    value than the default is taken.
    """

    name: str
    kind: str
    default: Value = ""
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()
    setter: Setter | None = None
    search_setter: SearcherSetter | None = None
    protocols: tuple[str, ...] = _BOTH
    is_read_only: bool = False

    def read(self, given: Given) -> Value:
        """The value that is given, as text or as what it is; a number outside the bounds is clipped.

        Raises CommandError if it is none.
        """
        if self.kind == "button":
            return True
        if isinstance(given, str):
            given = str.__str__(given)  # an Enum of texts is its value
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


def search_parameters() -> Iterator[Option]:
    """The search parameters as options, for tuning; hidden unless BOOMSLANG_TUNE is 1."""
    if os.environ.get(ENVIRONMENT) != "1":
        return
    from boomslang.engine.search.params import TABLE

    yield Option("Exact", "check", False, search_setter=lambda search, on: search.set_exact(on))
    for param in TABLE:
        yield Option(
            *(param.name, "spin", param.default, param.low, param.high),
            search_setter=_parameter_setter(param.name),
        )


def _parameter_setter(name: str) -> SearcherSetter:
    return lambda search, value: search.set_parameters({name: value})


def _call(method: str) -> Setter:
    return lambda engine, value: operator.attrgetter(method)(engine)(value)


OPTIONS: Final = (
    # Megabytes. XBoard says `memory` and `cores`.
    Option(
        *("Hash", "spin", DEFAULT_HASH, 1, 131072),
        search_setter=lambda search, megabytes: search.set_hash(megabytes),
        protocols=(UCI,),
    ),
    Option(
        *("Threads", "spin", 1, 1, 1024),
        search_setter=lambda search, threads: search.set_threads(threads),
        protocols=(UCI,),
    ),
    Option("Clear Hash", "button", search_setter=lambda search, pressed: search.clear()),
    # Declares the ability; nothing is to be set.
    Option("Ponder", "check", False, protocols=(UCI,)),
    Option("MultiPV", "spin", 1, 1, 256),
    # Milliseconds lost on the way of each move.
    Option("Move Overhead", "spin", DEFAULT_OVERHEAD, 0, 5000),
    # Nodes that count as a millisecond; 0: the clock.
    Option(
        *("nodestime", "spin", 0, 0, 10_000),
        search_setter=lambda search, nodes: search.set_node_clock(nodes),
        protocols=(UCI,),
    ),
    # Empty: the network that ships.
    Option("EvalFile", "string", search_setter=lambda search, path: search.set_network(path)),
    Option(
        "Evaluation",
        "combo",
        "network",
        choices=("network", "classical"),
        search_setter=lambda search, kind: search.set_evaluation(kind),
    ),
    Option("OwnBook", "check", False, setter=_call("book.use")),
    Option("BookFile", "string", setter=_call("book.open")),
    Option("Best Book Move", "check", False, setter=_call("book.best_only")),
    Option("Book Depth", "spin", 255, 1, 255, setter=_call("book.limit_to")),
    Option("SyzygyPath", "string", setter=_call("open_tables"), protocols=(UCI,)),
    # Plies: shallower searches do without.
    Option("SyzygyProbeDepth", "spin", 1, 1, 100, setter=_call("tablebase.set_depth")),
    Option("SyzygyProbeLimit", "spin", 7, 0, 7, setter=_call("tablebase.set_limit")),
    Option("Syzygy50MoveRule", "check", True, setter=_call("tablebase.set_fifty")),
    Option("UCI_LimitStrength", "check", False, setter=_call("handicap.set_limited")),
    Option("UCI_Elo", "spin", DEFAULT, MIN_ELO, MAX_ELO, setter=_call("handicap.set_elo")),
    Option("Skill Level", "spin", FULL_SKILL, 0, FULL_SKILL, setter=_call("handicap.set_skill")),
    # Of limited strength.
    Option("Style", "combo", BALANCED, choices=STYLES, setter=_call("handicap.set_style")),
    # A file of games of a person to play like, and the name in them.
    Option("Like", "string", setter=_call("people.set_games")),
    Option("Like Player", "string", setter=_call("people.set_player")),
    # A level says, before a move, what it has overlooked, if anything.
    Option("Tell Oversights", "check", False, setter=_call("handicap.tell_oversights")),
    # A level takes the time that people of its rating take, where a clock alone limits it.
    Option(TIME_OPTION, "check", False, setter=_call("handicap.take_time")),
    # Of weak play and book moves; 0: another in each game.
    Option("Random Seed", "spin", 0, 0, 2**31 - 1, setter=lambda engine, n: engine.change_seed()),
    Option(
        "UCI_Chess960",
        "check",
        False,
        setter=lambda engine, on: engine.repeat_position(),
        protocols=(UCI,),
    ),
    Option("UCI_ShowWDL", "check", False, protocols=(UCI,)),  # handled by the protocol
    Option("UCI_AnalyseMode", "check", False, protocols=(UCI,)),
    Option("UCI_Opponent", "string", setter=_call("handicap.set_opponent"), protocols=(UCI,)),
    # Takes the strength from the rating in UCI_Opponent.
    Option("Match Opponent", "check", False, setter=_call("handicap.match_opponent")),
    Option("UCI_EngineAbout", "string", ABOUT, protocols=(UCI,), is_read_only=True),
    Option(
        ALGORITHM,
        "combo",
        "alphabeta",
        choices=("alphabeta", "mcts"),
        search_setter=lambda search, name: search.set_algorithm(name),
    ),
    Option("Debug Log File", "string"),  # handled by the protocols
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


def options_of(protocol: str) -> list[Option]:
    """The options that a protocol declares."""
    return [option for option in OPTIONS if protocol in option.protocols]
