"""The options of the engine: one table, from which they are declared, read and bounded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.levels.ladder import FULL_SKILL, HIGHEST, LOWEST
from uci.parse import Refused, number
from uci.report import ABOUT, quote

Value: TypeAlias = int | bool | str

EMPTY: Final = "<empty>"
_READ_ONLY: Final = frozenset({"UCI_EngineAbout"})
ENVIRONMENT: Final = "BOOMSLANG_TUNE"  # 1 declares the numbers of the search too


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `kind` is the protocol's word for its type.

    The bounds are for a "spin", the choices for a "combo"; an empty "string" is spelled EMPTY.
    """

    name: str
    kind: str
    default: Value = ""
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()

    def declaration(self) -> str:
        """The line that tells a GUI about it."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == "spin":
            return f"{line} default {self.default} min {self.lowest} max {self.highest}"
        if self.kind == "combo":
            return " var ".join([f"{line} default {self.default}", *self.choices])
        if self.kind == "check":
            return f"{line} default {str(self.default).lower()}"
        if self.kind == "string":
            return f"{line} default {self.default or EMPTY}"
        return line

    def read(self, text: str) -> Value:
        """The value that a GUI sent; a number outside the bounds becomes the nearest inside.

        Raises Refused if it cannot be understood.
        """
        if self.kind == "button":
            return True
        if self.name in _READ_ONLY and text != self.default:
            raise Refused(f"{self.name} is only there to be read")
        if self.kind == "string":
            return "" if text.lower() == EMPTY else text
        if self.kind == "check":
            value = {"true": True, "false": False}.get(text.lower())
            if value is None:
                raise Refused(f"{self.name} is true or false")
            return value
        if self.kind == "combo":
            if text.lower() not in self.choices:
                raise Refused(f"{self.name} is one of {', '.join(self.choices)}")
            return text.lower()
        amount = number(text)
        if amount is None:
            raise Refused(f"{self.name} is a number from {self.lowest} to {self.highest}")
        return min(max(amount, self.lowest), self.highest)


def search_options() -> tuple[Option, ...]:
    """The numbers of the search, for those who tune it; hidden from everyone else."""
    if os.environ.get(ENVIRONMENT) != "1":
        return ()
    from engine.search.params import TABLE

    spins = (Option(param.name, "spin", param.default, param.low, param.high) for param in TABLE)
    return (Option("Exact", "check", False), *spins)


OPTIONS: Final = (
    Option("Hash", "spin", 16, 1, 131072),  # megabytes
    Option("Threads", "spin", 1, 1, 1024),
    Option("Clear Hash", "button"),
    Option("Ponder", "check", False),  # only tells that the engine can
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Move Overhead", "spin", 100, 0, 5000),  # milliseconds lost on the way of each move
    Option("nodestime", "spin", 0, 0, 10_000),  # nodes that count as a millisecond, 0: the clock
    Option("EvalFile", "string"),  # a network; empty: the one that ships
    Option("Evaluation", "combo", "network", choices=("network", "classical")),  # who judges
    Option("OwnBook", "check", False),
    Option("BookFile", "string"),  # in the Polyglot format
    Option("Best Book Move", "check", False),  # or one by weight
    Option("Book Depth", "spin", 255, 1, 255),  # full moves of a game
    Option("SyzygyPath", "string"),  # folders, parted as in PATH
    Option("SyzygyProbeDepth", "spin", 1, 1, 100),  # shallower searches do without
    Option("SyzygyProbeLimit", "spin", 7, 0, 7),  # men on the board
    Option("Syzygy50MoveRule", "check", True),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1500, LOWEST, HIGHEST),
    Option("Skill Level", "spin", FULL_SKILL, 0, FULL_SKILL),  # the highest is no limit
    Option("Random Seed", "spin", 0, 0, 2**31 - 1),  # of weak play and book moves; 0: any
    Option("UCI_Chess960", "check", False),
    Option("UCI_ShowWDL", "check", False),
    Option("UCI_AnalyseMode", "check", False),
    Option("UCI_Opponent", "string"),
    Option("UCI_EngineAbout", "string", ABOUT),
    Option("Search Algorithm", "combo", "alphabeta", choices=("alphabeta", "mcts")),
    *search_options(),
)

_BY_NAME: Final = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of that name in any case; raises Refused."""
    if option := _BY_NAME.get(name.lower()):
        return option
    raise Refused(f"unknown option {quote(name)}")
