"""The journal of `boomslang screening`: assignments and results of its pairs of games, on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.core.system.journal import Journal
from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.learning.selfplay.screening import Signs, draw
from boomslang.engine.match.engine_spec import OURS, parse_engine
from boomslang.engine.search.params import TABLE

_VERSION: Final = 1
_Pair = tuple[Signs, Games]


@dataclass(frozen=True, slots=True)
class ScreeningPlan:
    """Everything that the games depend on: changes as given, limit per move, hash and seed."""

    changes: tuple[str, ...]
    nodes: int
    movetime: int | None  # milliseconds, instead of the nodes
    hash: int  # MB per side
    seed: int

    def header(self) -> dict[str, Any]:
        """The header of the journal, for JSON; with the search parameters and a digest of the engine."""
        return {
            "version": _VERSION,
            "changes": list(self.changes),
            "nodes": self.nodes,
            "movetime": self.movetime,
            "hash": self.hash,
            "seed": self.seed,
            "defaults": {param.name: param.default for param in TABLE},
            "engine": parse_engine(OURS, {}).digest,
        }

    def assign(self, pair: int) -> Signs:
        """The assignment of the changes in a pair of games: 1 or -1 each."""
        return draw(self.seed, pair, len(self.changes))


def screening_journal(path: Path | None, plan: ScreeningPlan) -> Journal[_Pair]:
    """The journal of a plan: assignment and results of each pair; without a path nothing is written."""

    def pair(line: Any, number: int) -> _Pair:
        signs = plan.assign(number)
        return signs, _games(line, number, signs)

    return Journal(path, plan.header(), pair)


def add_pair(journal: Journal[_Pair], signs: Signs, games: Games) -> None:
    """Add the next pair; it is on the disk when this returns. Raises FileError."""
    entry = {"number": len(journal.entries), "signs": signs, "results": games}
    journal.add(entry, (signs, games))


def _games(line: Any, number: int, signs: Signs) -> Games:
    """The results of the pair of that number. Raises ValueError if the line belongs to another pair."""
    first, second = line["results"]
    if (
        line["number"] != number
        or line["signs"] != list(signs)
        or not {first, second} <= {-1, 0, 1}
    ):
        raise ValueError
    return first, second
