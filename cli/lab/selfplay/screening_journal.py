"""The journal of `boomslang screening`: assignments and results of its pairs of games, on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.core.system.files import quote_path
from boomslang.core.system.journal import Journal
from boomslang.core.system.sanitize import printable
from boomslang.engine.learning.selfplay.pentanomial import Games
from boomslang.engine.learning.selfplay.screening import Signs, draw
from boomslang.engine.match.engine_spec import OURS, parse_engine
from boomslang.engine.search.params import TABLE

_VERSION: Final = 1
_DEFAULTS: Final = "defaults"
_ENGINE: Final = "engine"
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
            _DEFAULTS: {param.name: param.default for param in TABLE},
            _ENGINE: parse_engine(OURS, {}).digest,
        }

    def assign(self, pair: int) -> Signs:
        """The assignment of the changes in a pair of games: 1 or -1 each."""
        return draw(self.seed, pair, len(self.changes))


def screening_journal(path: Path | None, plan: ScreeningPlan) -> Journal[_Pair]:
    """The journal of a plan: assignment and results of each pair; without a path nothing is written."""

    def pair(line: Any, number: int) -> _Pair:
        signs = plan.assign(number)
        return signs, _games(line, number, signs)

    return Journal(path, plan.header(), pair, lambda kept: _why_foreign(path, kept, plan.header()))


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


def _why_foreign(path: Path | None, kept: Any, wanted: dict[str, Any]) -> str:
    """The reason why a file with the header `kept` is not the journal of this plan."""
    if isinstance(kept, dict) and kept.keys() == wanted.keys():
        for name, value in wanted.items():
            if kept[name] != value:
                return f"{quote_path(path or '')} was written {_quote(name, kept[name])}; name another file"
    return f"{quote_path(path or '')} is not a journal of boomslang screening; name another file"


def _quote(name: str, value: Any) -> str:
    if name == _DEFAULTS:
        return "with other defaults of the search parameters"
    if name == _ENGINE:
        return "with another version of the engine"
    if value is None:
        return f"without {name}"
    words = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return printable(f"with {name} {words}")
